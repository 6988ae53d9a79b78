"""When the events of an open loop happen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput
from footroom.parts.traffic.episodes import Episodes
from footroom.parts.traffic.ground import Ground
from footroom.parts.traffic.modulation import Modulation

Floats = npt.NDArray[np.float64]


def arrivals(
    ground: Ground,
    rng: np.random.Generator,
    per_second: float,
    begin: float,
    *,
    load: float,
    flows: int = 1,
    modulation: Modulation | None = None,
    episodes: Episodes | None = None,
) -> tuple[Floats, tuple[str, ...]]:
    """Times [s] of a Poisson process of ``per_second`` events between ``begin`` and the end of the run, and notes.

    load: of these events.  flows: of each event.  modulation, episodes: multiply the rate; arrivals are those of
    the plain process in a time that runs as fast as the factor says: exact for the factor on its grid.
    Raises InvalidInput where these would be too many flows.
    """
    span = ground.duration - begin
    clock, notes = _clock(ground, modulation, episodes, begin, load)
    operational = span if clock is None else float(np.interp(span, *clock))
    expected = per_second * operational
    ground.check_count(flows * expected, "load", load)
    count = int(expected + 6.0 * np.sqrt(expected) + 10.0)
    passed = np.cumsum(rng.exponential(1.0 / per_second, count))
    if clock is not None:
        passed = np.interp(passed[passed < operational], clock[1], clock[0])
    times = begin + passed
    return times[times < ground.duration], notes


def _clock(
    ground: Ground, modulation: Modulation | None, episodes: Episodes | None, begin: float, load: float
) -> tuple[tuple[Floats, Floats] | None, tuple[str, ...]]:
    """Time [s] and the integral of the factor up to it, and notes on how the factor changes the load."""
    span = ground.duration - begin
    if modulation is None and episodes is None:
        return None, ()
    time, factor = np.array([0.0, span]), np.ones(1)
    width: float | Floats = span
    if modulation is not None:
        if not modulation.feasible(span):
            raise InvalidInput.at(
                f"{ground.path}.modulation.correlation_time",
                modulation.correlation_time,
                f"is too short for a run of {span:g} s: the factor would change too often to be drawn",
            )
        width, factor = modulation.factor(span, ground.random("modulation"))
        time = width * np.arange(len(factor) + 1.0)
    if episodes is not None:
        if not episodes.feasible(span):
            raise InvalidInput.at(
                f"{ground.path}.episodes.every",
                episodes.every,
                f"is too short for a run of {span:g} s: there would be too many episodes",
            )
        time, factor = episodes.applied(time, factor, load, begin)
        width = np.diff(time)
    passed: Floats = np.concatenate([np.zeros(1), np.cumsum(width * factor)])
    clock = time, passed
    mean, most = float(np.interp(span, *clock)) / span, float(factor.max())
    note = f"{ground.path}: the varying load averages {load * mean:.3g} in this run and reaches {load * most:.3g}"
    if load * most > 1.0:
        above = float(np.sum(np.diff(np.minimum(time, span))[load * factor > 1.0])) / span
        note += f"; it exceeds 1 for {above:.2%} of the time"
    return clock, (note + ".",)
