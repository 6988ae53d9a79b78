"""What the container runs: ``footroom`` with the arguments given, as process 1 of a read-only image."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import traceback
from pathlib import Path
from types import FrameType

COMPILED = Path("/opt/kernels")
#: How long a command may take to end after SIGTERM [s]; containers are killed after 10 s.
PATIENCE = 6.0

#: The signal that told the command to end, once one did.
_told: list[int] = []


def _end(number: int, _frame: FrameType | None) -> None:
    """End the command by an exception, so that it can keep what it has.

    Modules are still imported while it runs, and an exception that is raised in a finalizer or a callback of C is only
    printed: then the process ends after all.
    """
    _told.append(number)
    timer = threading.Timer(PATIENCE, os._exit, (128 + number,))
    timer.daemon = True
    timer.start()
    sys.exit(128 + number)


def main() -> int:
    """Prepare and run one command; returns its exit status."""
    # The kernel drops signals that process 1 has no handler for, and the imports below take seconds. There is nothing
    # to clean up yet, and an exception could be lost: raised in a finalizer or a callback of C, it is only printed.
    signal.signal(signal.SIGTERM, lambda number, _: os._exit(128 + number))
    # Numba reads compiled code only where it may also write.
    directory = Path(os.environ["FOOTROOM_CACHE_DIR"])
    if not directory.exists():
        shutil.copytree(COMPILED, directory)
    from footroom.cli import main as footroom

    signal.signal(signal.SIGTERM, _end)
    try:
        status = footroom()
    except Exception:
        # What is interrupted may raise an error of its own in the exception's place, as building a pydantic model does.
        if not _told:
            raise
        traceback.print_exc()
        status = 1
    return 128 + _told[0] if _told else status


if __name__ == "__main__":
    sys.exit(main())
