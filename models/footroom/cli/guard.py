"""The cost of a command: printed before it starts if it is high, refused if this machine lacks the memory."""

from __future__ import annotations

import os
from pathlib import Path

from footroom.base.errors import InvalidInput
from footroom.cli import show
from footroom.scenario import Scenario
from footroom.studies import Tally

#: Expected time [s] and memory [B] above which a command says so before it starts.
_LONG, _LARGE = 30.0, 2e9
_MEMORY = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


class Guard:
    """Adds up a study's cost while it is read (``footroom.studies.study.Admission``).

    force: run it whatever it needs.
    """

    def __init__(self, workers: int | None, *, force: bool) -> None:
        self._workers, self._force = workers, force
        self._free = free_memory()
        self._tally = Tally((), 1, workers)

    def begin(self, points: int, engines: tuple[str, ...], replicas: int) -> None:
        """Start to count."""
        self._tally = Tally(engines, replicas, self._workers)

    def add(self, scenario: Scenario) -> None:
        """Refuse the study once it needs more memory than is free. Raises InvalidInput."""
        self._tally.add(scenario)
        memory = self._tally.cost().memory
        if memory > self._free and not self._force:
            free = show.number(self._free, "B")
            raise InvalidInput.at(
                "memory",
                f"about {show.number(memory, 'B')}",
                f"{free} are free here: use fewer flows or hosts, a slower link, a shorter round trip, a smaller "
                "buffer or fewer --workers, or add --force to run it anyway",
            )

    def tell(self, each: str = "") -> None:
        """Print the cost on standard error if it is high. each: what the cost is of."""
        cost = self._tally.cost()
        if cost.seconds > _LONG or cost.memory > _LARGE:
            show.tell(
                f"{each}{cost.runs} {'run' if cost.runs == 1 else 'runs'}, about {cost.seconds:.0f} s on "
                f"{cost.workers} cores, up to {show.number(cost.memory, 'B')} of memory"
            )


def free_memory() -> float:
    """Bytes of memory that this process can have: what is free, or what its control group has left."""
    found = [float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))]
    try:
        lines = dict(line.split(":", 1) for line in _MEMORY.read_text().splitlines())
        found.append(1024.0 * int(lines["MemAvailable"].split()[0]))
    except (OSError, KeyError, ValueError):
        pass  # not Linux
    try:
        most = float((_GROUP / "memory.max").read_text())
        counts = dict(line.split() for line in (_GROUP / "memory.stat").read_text().splitlines())
        # Files that were read are counted as well, and given back when memory is short.
        found.append(most - float((_GROUP / "memory.current").read_text()) + float(counts["inactive_file"]))
    except (OSError, KeyError, ValueError):
        pass  # no control group, or one without a limit
    return max(0.0, min(found))
