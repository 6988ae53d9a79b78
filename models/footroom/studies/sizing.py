"""The smallest value of one field, usually the buffer, that meets all requirements.

Assumed, and checked against every point that was computed: as the value grows, a requirement changes once between
missed and met. Those that get better with the value (utilisation, drop rate against a buffer) set the answer; those
that get worse with it (queueing delay) are checked there. Simulated answers scatter: ``sampled`` runs several seeds
around the answer, and the interval is a 95 % one. A note says where an answer is based on fewer packets than the
requirement needs. Completion times first fall and then rise with a buffer: where both ends miss one, values in between
are tried, and the smallest that meets everything is narrowed down.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footroom.base.errors import Infeasible, InvalidInput, Unsupported
from footroom.engines.plan.memory import least_buffer
from footroom.engines.theory.sizing import loss_bounded_buffer
from footroom.result.transfer import LEVELS
from footroom.result.words import at_text
from footroom.scenario import Scenario
from footroom.scenario.axes import field_at, is_whole
from footroom.scenario.bottleneck import congested_queue, idle_round_trip, memory_for
from footroom.scenario.kinds import set_field
from footroom.scenario.traffic import lasting_flows
from footroom.studies.choice import AUTO, Choice, choose
from footroom.studies.cost import shape_of
from footroom.studies.document import SizeDocument
from footroom.studies.engines import Stop, engine_named
from footroom.studies.requirements import Requirement
from footroom.studies.runner import Cache
from footroom.studies.sampled import COARSE, LANES, SOON, Sampler, expected, first_seeds, step_of
from footroom.studies.size_search import FIRST_PART, Kept, OnValue, Search, Steps
from footroom.studies.study import Admission, Study

#: The default search for a buffer ends at so many bandwidth-delay products, plus packets; the next only if need be.
_MOST_BDP, _MOST_PACKETS = (4.0, 16.0, 64.0), 100.0

#: Where drops are limited, it ends at so many times the windows that this drop rate leaves to the flows, if need be.
_MOST_WINDOWS = 4.0

#: Steps assumed for a search before its ends are known.
_FIRST_STEPS = 5


@dataclass(frozen=True)
class SizeAnswer:
    """What was found. value: smallest value that meets all, none when infeasible.  interval: of engines without random
    numbers a bracket, missed at its low end and met at its high end; of simulations the 95 % interval.  binding: the
    requirement that decides.  reason: why it is infeasible.  tried: metrics at every value computed, of simulations
    their means over the seeds.  All in SI base units.
    """

    feasible: bool
    path: str
    value: float | None
    interval: tuple[float, float] | None
    binding: str | None
    spent_s: float
    engine: str
    reason: str = ""
    notes: tuple[str, ...] = ()
    tried: tuple[tuple[float, dict[str, float]], ...] = ()

    def to_dict(self) -> SizeDocument:
        """Plain data in the shape of the public contract."""
        return {
            "feasible": self.feasible,
            "path": self.path,
            "value": self.value,
            "interval": self.interval,
            "binding": self.binding,
            "spent_s": self.spent_s,
            "engine": self.engine,
            "reason": self.reason,
            "notes": list(self.notes),
            "tried": [{"at": {self.path: value}, "metrics": metrics} for value, metrics in self.tried],
        }


def size(scenario: Scenario | Mapping[str, Any], require: Sequence[str], **options: Any) -> SizeAnswer:
    """As ``search``, but raises Infeasible when no value meets the requirements."""
    answer = search(scenario, require, **options)
    if not answer.feasible:
        raise Infeasible(answer.reason)
    return answer


def search(
    scenario: Scenario | Mapping[str, Any],
    require: Sequence[str],
    *,
    path: str = "switch.buffer",
    engine: str = "auto",
    between: Sequence[Any] | None = None,
    tolerance: float = 0.02,
    replicas: int | None = None,
    workers: int | None = None,
    stop: Stop | None = None,
    cache: Cache | None = None,
    on_progress: Callable[[float, float | None], None] | None = None,
    admission: Admission | None = None,
    on_value: OnValue | None = None,
) -> SizeAnswer:
    """The smallest value of the field at ``path`` that meets every requirement, to a relative ``tolerance``.

    engine: "auto" picks the packet engine where it answers within half a minute, else the fluid where it answers and is
    valid, else the packet engine.  tolerance: of engines without random
    numbers; simulations answer with a 95 % interval.  replicas: seeds of a simulation, by default as many as make the
    interval narrow.
    between: lowest and highest value tried, quantities or bare numbers; for a buffer by default one packet to 4
    bandwidth-delay products plus 100 packets, both beyond what headroom takes, or 16 or 64 of them when fewer do not
    reach, or the windows of all flows at the drop rate required.  admission: may refuse the
    values that are to be tried next.  on_value: called with each value that brackets the answer, as it is tried.

    Raises InvalidInput, Unsupported when the engine does not compute a metric that is asked for, Cancelled.
    """
    began = time.monotonic()
    base = scenario if isinstance(scenario, Scenario) else Scenario.parse(dict(scenario))
    if isinstance(require, str) or not require:
        raise InvalidInput.at("require", require, 'name at least one requirement, such as "utilisation>=0.99"')
    if not 0.0 < tolerance < 1.0:
        raise InvalidInput.at("tolerance", tolerance, "a number between 0 and 1 is needed")
    requirements = [Requirement.parse(text) for text in dict.fromkeys(require)]
    whole = is_whole(field_at(base, path))
    picked = pick(base, requirements, path, between, replicas) if engine == AUTO else None
    engine = engine_named(engine, "engine").name if picked is None else picked.engine
    low, *ends = bounds(base, path, between, engine)
    if between is None:
        ends += [end for end in _ends_of_windows(base, requirements) if end > ends[-1]]
    if whole:
        low, ends = float(math.ceil(low)), [float(math.floor(end)) for end in ends]
        if between is not None and not low < ends[0]:
            raise InvalidInput.at("between", list(between), f"{path} is a whole number, and none or one lies between")
    sampled = engine_named(engine).random
    # The value that the search replaces must not matter, nor change the cost.
    base = Scenario.parse(set_field(base.to_dict(), path, int(low) if whole else low)) if sampled else base
    if sampled and cache is None:
        cache = Kept()
    steps = Steps(on_progress, FIRST_PART if sampled else 1.0, _FIRST_STEPS)
    options: dict[str, Any] = {"workers": workers, "stop": stop, "cache": cache}
    search_ = Search(base, path, engine, requirements, whole, options, 1, admission, steps, on_value)
    for high in ends:
        search_.try_values([low, high])
        reason = search_.out_of_reach(low, high)
        if not reason:
            break
    if reason and (between_ends := search_.between_ends(low, ends[0])) is not None:
        (low, high), reason = between_ends, ""
    value: float | None = None
    interval: tuple[float, float] | None = None
    binding: str | None = None
    extra: tuple[str, ...] = ()
    if not reason and sampled:
        missed, met = search_.narrow(low, high, COARSE - 1.0)
        if missed == met:
            value, interval = met, (missed, met)
        else:
            asked = base.run.replicas if replicas is None and base.run.replicas > 1 else replicas
            sampler = Sampler(
                base,
                path,
                engine,
                requirements,
                step_of(base, path, whole),
                asked or first_seeds(base, engine),
                asked is not None,
                search_.options,
                admission,
                on_progress,
                FIRST_PART,
            )
            found = sampler.refine(missed, met, low, high)
            search_.tried |= sampler.tried()
            value, interval, binding, reason = found.value, found.interval, found.binding, found.reason
            extra = (found.note,) if found.note else ()
    elif not reason:
        missed, met = search_.narrow(low, high, tolerance)
        failing = [r.text for r in search_.rising(low, high) if not search_.holds(r, missed)]
        binding = failing[0] if failing else None
        worse = [r for r in requirements if not search_.holds(r, met)]
        if worse:
            reason = (
                f"{path} must be at least {at_text(path, met)} for {binding}, but there {worse[0].text} is missed: "
                f"{search_.shown(worse[0], met)}"
            )
        else:
            value, interval = met, (missed, met)
    spent = time.monotonic() - began
    tried = tuple((v, dict(r.metrics)) for v, r in sorted(search_.tried.items()))
    return SizeAnswer(
        value is not None,
        path,
        value,
        interval,
        binding,
        spent,
        search_.engine,
        reason,
        (*(() if picked is None else (picked.reason,)), *extra, *search_.notes(value, interval)),
        tried,
    )


def pick(
    base: Scenario, requirements: Sequence[Requirement], path: str, between: Sequence[Any] | None, replicas: int | None
) -> Choice:
    """The engine that "auto" picks: packet, which models most, where it answers soon; else ``choose``.

    Raises InvalidInput, Unsupported.
    """
    try:
        engine_named("packet").check(base)
        low, high, *_ = bounds(base, path, between, "packet")
        seconds = expected(base, "packet", replicas, high / low, LANES).seconds
    except Unsupported:
        seconds = math.inf
    # Probes of one run rarely suffice for a percentile.
    if seconds > SOON or any(r.metric in LEVELS for r in requirements):
        return choose(base, [r.metric for r in requirements])
    return Choice("packet", f"auto picked packet: the search takes about {seconds:.0f} s.")


def _ends_of_windows(base: Scenario, requirements: Sequence[Requirement]) -> list[float]:
    """Buffers [B] that hold the windows of all long flows at the drop rates asked for, with room to spare.

    A short path holds a small part of them: its products say little about the buffer, and 64 may be far too few.
    """
    seen, flows = congested_queue(base), lasting_flows(base)
    limits = [r.limit for r in requirements if r.metric == "drop_rate" and not r.at_least and 0.0 < r.limit < 1.0]
    if seen is None or not flows or not limits:
        return []
    mtu = base.run.mtu
    windows = loss_bounded_buffer(seen.capacity, idle_round_trip(seen, mtu), flows, min(limits), mtu)
    return [memory_for(base, float(math.ceil(_MOST_WINDOWS * windows)))]


def bounds(base: Scenario, path: str, between: Sequence[Any] | None, engine: str) -> tuple[float, ...]:
    """The low end of a search, then high ends to try in turn. Raises InvalidInput."""
    if between is None:
        if path != "switch.buffer":
            raise InvalidInput.at("between", None, f"the lowest and highest {path} to search are needed")
        bdp = base.topology.slowest_watched() * shape_of(base).rtt / 8.0
        # Headroom that a simulation could not hold is no buffer to try.
        beyond = max(0.0, least_buffer(base) - base.run.mtu) if engine_named(engine).random else 0.0
        return memory_for(base, base.run.mtu) + beyond, *(
            memory_for(base, float(math.ceil(most * bdp + _MOST_PACKETS * base.run.mtu))) + beyond for most in _MOST_BDP
        )
    if isinstance(between, str) or len(between) != 2:
        raise InvalidInput.at("between", between, "two values are needed: the lowest and the highest to search")
    study = Study.of(base, {path: list(between)}, [engine], 1)  # lets the field itself read and judge them
    ends = [point.at[path] for point in study.points]
    numbers = all(isinstance(e, (int, float)) and not isinstance(e, bool) for e in ends)
    if len(ends) != 2 or not numbers or not 0 < ends[0] < ends[1]:
        raise InvalidInput.at("between", list(between), "two numbers above 0 are needed, the lower first")
    return float(ends[0]), float(ends[1])
