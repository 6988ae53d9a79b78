"""Reading the command line, and turning errors into an exit status.

0 done; 1 a bug, a numerical method that did not converge, or a scheduler that was lost; 2 bad input; 3 nothing meets
the requirements; 130 interrupted; 141 the reader of the output has gone.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
from collections.abc import Sequence

from footroom.base.errors import Cancelled, Infeasible, InvalidInput, NotConverged, Unreachable, Unsupported
from footroom.cli.parser import build_parser

DONE, FAULT, BAD_INPUT, UNREACHABLE, INTERRUPTED, NO_READER = 0, 1, 2, 3, 130, 141
#: Time [s] that runs under way get to end.
_LEFT = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status. Without ``arguments``, those of this process, which ends with it."""
    status = _run(arguments)
    if status == INTERRUPTED and arguments is None:
        _end_now(status)
    return status


def _end_now(status: int) -> None:
    """End this process, though a thread may still compile: that cannot be stopped, and Python would wait for it."""
    from footroom.studies.executors import THREADS  # here, because help needs none of what it loads

    last = time.monotonic() + _LEFT
    for thread in threading.enumerate():
        if thread.name.startswith(THREADS):
            thread.join(max(0.0, last - time.monotonic()))
    if any(thread.name.startswith(THREADS) for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(status)


def _run(arguments: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        # A terminal or a pipe in ASCII shows "?" for µ and °; the command must not fail on it.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        parser = build_parser()
        chosen, unknown = parser.parse_known_args(arguments)
        if unknown:
            parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        status: int = chosen.command(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit and would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_READER
    except (KeyboardInterrupt, Cancelled):
        return _complain("interrupted", INTERRUPTED)
    except InvalidInput as error:
        return _complain("\n".join(str(problem) for problem in error.problems), BAD_INPUT)
    except Unsupported as error:
        return _complain(str(error), BAD_INPUT)
    except Infeasible as error:
        return _complain(f"cannot be reached: {error}", UNREACHABLE)
    except Unreachable as error:
        return _complain(str(error), FAULT)
    except NotConverged as error:
        return _complain(f"did not converge: {error}", FAULT)
    return status


def _complain(text: str, status: int) -> int:
    for line in text.splitlines():
        print(f"footroom: {line}", file=sys.stderr)
    return status
