"""Dynamic thresholds beside a fixed share: what each leaves to a queue as more queues fill up.

A fixed share is the memory over the number of queues: no neighbour can take it, and none can borrow it. A dynamic
threshold lends what others do not use, and takes it back as they fill up. Both are computed for one kind of queue,
while the other kind stays as congested as the question says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.calculators.pool.division import Division
from footroom.calculators.pool.question import Question
from footroom.calculators.pool.sharing import Burst, Kind, absorbed, burst_of, kinds_of

if TYPE_CHECKING:
    from footroom.calculators.pool.document import DynamicShare, SharesDocument


def shares(question: Question, division: Division) -> list[SharesDocument]:
    """For each kind of queue: the fixed share, and the thresholds with 1, 2, 4 … queues at theirs.

    even_at: most queues at their threshold at once of which each still gets its fixed share; 0 when not even one does.
    """
    groups = sum(group.priority_groups for group in division.groups)
    queues = division.ports * division.classes
    burst = burst_of(division, question.burst_rate)
    apart = question.lossy_pool is not None
    found = []
    for name, count in (("lossless", groups), ("lossy", queues - groups)):
        if count > 0:
            among = count if apart else queues
            found.append(_compare(question, division, name, count, among, burst))
    return found


def _compare(question: Question, division: Division, name: str, count: int, among: int, burst: Burst) -> SharesDocument:
    """``count`` queues of the kind, in a memory that is divided ``among`` so many."""
    fixed = _kind(question, division, name, 1).pool / among
    cases: list[DynamicShare] = []
    for congested in _doubling(count):
        kind = _kind(question, division, name, congested)
        # The burst goes to a queue that is empty while the others are at their threshold.
        beside = absorbed(_kind(question, division, name, congested - 1), burst)
        cases.append(
            {"congested": congested, "bytes": kind.threshold, "burst": None if beside is None else beside.burst}
        )
    return {
        "queue": name,
        "queues": count,
        "dynamic": cases,
        "fixed": {"among": among, "bytes": fixed, "burst": _fixed_burst(name, fixed, burst)},
        "even_at": _even_at(question, division, name, count, fixed),
    }


def _kind(question: Question, division: Division, name: str, congested: int) -> Kind:
    """The kind with so many queues of it at their threshold."""
    asked = question.model_copy(update={f"congested_{name}": congested})
    return next(kind for kind in kinds_of(asked, division) if kind.queues.name == name)


def _fixed_burst(name: str, share: float, burst: Burst) -> float | None:
    """Bytes that arrive until a fixed share is full: one egress queue's, or that of each port the burst comes in by."""
    if burst.arrival <= burst.drain:
        return None
    queues = burst.ports if name == "lossless" else 1
    return queues * share * burst.arrival / (burst.arrival - burst.drain)


def _doubling(count: int) -> list[int]:
    """1, 2, 4 … and ``count``."""
    found = [2**i for i in range(count.bit_length()) if 2**i < count]
    return [*found, count]


def _even_at(question: Question, division: Division, name: str, count: int, fixed: float) -> int:
    """See ``even_at``; found by bisection, as a threshold only falls when more queues reach theirs."""
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        held = _kind(question, division, name, middle).threshold >= fixed * (1 - 1e-12)
        low, high = (middle, high) if held else (low, middle - 1)
    return low
