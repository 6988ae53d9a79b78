"""When the events of an open loop happen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.errors import InvalidInput
from footroom.traffic.ground import Ground
from footroom.traffic.modulation import Modulation

Floats = npt.NDArray[np.float64]


def arrivals(ground: Ground, rng: np.random.Generator, per_second: float, begin: float, *, load: float,
             flows: int = 1, modulation: Modulation | None = None) -> tuple[Floats, tuple[str, ...]]:
    """Times [s] of a Poisson process of ``per_second`` events between ``begin`` and the end of the run, and notes.

    load: what these amount to, for messages.  flows: of each event.  modulation: multiplies the rate; arrivals are
    those of the plain process in a time that runs as fast as the factor says: exact for the factor on its grid.
    Raises InvalidInput where these would be too many flows.
    """
    span = ground.duration - begin
    clock, notes = _clock(ground, modulation, span, load)
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
    ground: Ground, modulation: Modulation | None, span: float, load: float
) -> tuple[tuple[Floats, Floats] | None, tuple[str, ...]]:
    """Time [s] and the integral of the factor up to it, and what the factor does to the load."""
    if modulation is None:
        return None, ()
    if not modulation.feasible(span):
        raise InvalidInput.at(
            f"{ground.path}.modulation.correlation_time", modulation.correlation_time,
            f"is too short for a run of {span:g} s: the factor would change too often to be drawn")
    width, factor = modulation.factor(span, ground.random("modulation"))
    time: Floats = width * np.arange(len(factor) + 1.0)
    passed: Floats = np.concatenate([np.zeros(1), np.cumsum(width * factor)])
    clock = time, passed
    mean, most = float(np.interp(span, *clock)) / span, float(factor.max())
    note = f"{ground.path}: the modulated load averages {load * mean:.3g} in this run and reaches {load * most:.3g}"
    if load * most > 1.0:
        note += f"; it exceeds 1 for {float(np.mean(load * factor > 1.0)):.2%} of the time"
    return clock, (note + ".",)
