"""What the container runs: ``footroom`` with the arguments given, as process 1 of a read-only image."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

COMPILED = Path("/opt/kernels")


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

    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    return footroom()


if __name__ == "__main__":
    sys.exit(main())
