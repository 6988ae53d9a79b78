"""Studies have a lower priority than requests."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from footroom_api.jobs.priority import stand_back

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives threads priorities of their own")


def _priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_a_thread_and_what_it_starts_stand_back_and_the_others_do_not() -> None:
    before = _priority()
    found: list[int] = []

    def study() -> None:
        stand_back()
        found.append(_priority())
        run = threading.Thread(target=lambda: found.append(_priority()))
        run.start()
        run.join()

    thread = threading.Thread(target=study)
    thread.start()
    thread.join()
    assert found == [min(19, before + 5)] * 2
    assert _priority() == before
