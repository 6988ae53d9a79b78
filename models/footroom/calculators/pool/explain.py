"""The numbers of an answer with their formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.calculators.pool.division import Division
from footroom.calculators.pool.pools import PoolCheck
from footroom.calculators.pool.question import Question
from footroom.calculators.pool.sharing import Kind, kinds_of
from footroom.result import Explanation, Term

if TYPE_CHECKING:
    from footroom.calculators.pool.answer import Sections
    from footroom.calculators.pool.document import MarkingDocument, PauseCase, PausesDocument

_DT = "Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998, eq. 2"


def explain(question: Question, division: Division, check: PoolCheck | None, sections: Sections) -> list[Explanation]:
    """One explanation for each number that decides."""
    found = [_footroom(division)] if division.groups else []
    if check is not None:
        found.append(_pools(division, check))
    if not division.fits or not division.groups:
        return found
    kinds = kinds_of(question, division)
    found += [_threshold(kind, question) for kind in kinds]
    if sections.pauses is not None:
        found += [_exceeded(sections.pauses, case) for case in sections.pauses["cases"]]
    if sections.marking is not None:
        found.append(_margin(question, sections.marking))
    return found


def _footroom(division: Division) -> Explanation:
    lines = division.lines()
    terms = (
        Term("B", "packet memory, whole cells", division.memory.usable, "B"),
        *(Term(f"r{i}", line.title, line.size, "B") for i, line in enumerate(lines, start=1)),
    )
    return Explanation(
        "footroom",
        "Memory left to be shared",
        " − ".join(term.symbol for term in terms),
        division.footroom,
        "B",
        "sum of guarantees; SONiC buffer_pool_mellanox.lua subtracts the same way",
        "each guarantee takes whole cells; guarantees of ingress and egress are added up",
        terms,
    )


def _pools(division: Division, check: PoolCheck) -> Explanation:
    return Explanation(
        "pools",
        "Bytes that must exist together at ingress",
        "largest size + Σ xoff + reserved",
        check.asked,
        "B",
        "sonic-buildimage #28657; SAI on what size includes",
        "sizes of pools are limits and may overlap; headroom and reserves are promises and may not. Ingress and egress "
        "count the same bytes and are never added up",
        tuple(Term(f"r{i}", line.title, line.size, "B") for i, line in enumerate(check.lines, start=1)),
        valid=check.asked <= division.memory.usable,
    )


def _threshold(kind: Kind, question: Question) -> Explanation:
    name = kind.queues.name
    separate = question.lossy_pool is not None
    return Explanation(
        f"threshold_{name}",
        f"Limit of one {name} queue",
        "α·F" + (" − η" if kind.offset else ""),
        kind.threshold,
        "B",
        "Addanki et al., Reverie, NSDI 2024" if separate and name == "lossless" else _DT,
        "queues that are congested sit at their threshold, all others are empty",
        (
            Term("α", "share of the free memory", kind.queues.alpha, "1"),
            Term("F", "free memory, B/(1 + Σ n·α)", kind.free, "B"),
            *([Term("η", "headroom of a port", kind.offset, "B")] if kind.offset else []),
        ),
    )


def _exceeded(section: PausesDocument, case: PauseCase) -> Explanation:
    rho = case["correlation"]
    law = "beta-binomial" if rho else "binomial"
    return Explanation(
        f"exceeded_{law}",
        f"Chance that the headroom pool is too small, {law} pauses",
        "P(Σ headroom of paused groups > pool)",
        case["exceeded"],
        "1",
        "exact enumeration; a paused group uses its whole headroom",
        "pauses with probability p each, any two with correlation ρ" if rho else "pauses independent of one another",
        (
            Term("p", "chance that one group is paused", section["probability"], "1"),
            Term("ρ", "correlation of any two", rho, "1"),
            Term("n", "priority groups", float(section["priority_groups"]), "1"),
            Term("pool", "shared headroom pool, whole cells", float(section["pool"]), "B"),
        ),
    )


def _margin(question: Question, section: MarkingDocument) -> Explanation:
    case = next(case for case in section["cases"] if case["case"] == "asked")
    assert question.marking is not None
    return Explanation(
        "margin",
        "From the first marks to the pause",
        "X − K·f/s",
        case["margin"],
        "B",
        "Zhu et al., DCQCN, SIGCOMM 2015, section 4, with the ports that share a queue",
        "queues at the marking threshold, lossy ones at theirs; above 0 marking is first",
        (
            Term("X", "pause threshold with these queues filled", case["threshold"], "B"),
            Term("K", "queue at which marking begins, Kmin", question.marking.kmin, "B"),
            Term("f", "queues that one port fills", float(question.marking.feeds), "1"),
            Term("s", "ports that fill one queue", float(question.marking.sources), "1"),
        ),
    )
