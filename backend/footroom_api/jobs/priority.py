"""Studies yield the processor to requests: a page that a user waits for comes before a run of minutes."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

#: How much lower the priority of studies is, as ``nice`` counts: they get a third of what a request gets beside them.
_LOWER = 5


def stand_back() -> None:
    """Lower the priority of this thread, and of all threads and processes that it will start.

    Only Linux gives threads priorities of their own.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, 0) + _LOWER)
