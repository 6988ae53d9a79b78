"""CUBIC in the terms of the other closed forms (RFC 9438).  Windows in packets, times in seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.engines.theory.inputs import LongLived
from footroom.formulas.transfer.checks import at_least, between, not_negative, positive

#: Window factor on loss, and growth constant [packet/s³].
BETA, SCALE = 0.7, 0.4


#: Length of the climb over a plateau at (1+β)/2 of the peak, from its start to the plateau, in those of a climb to a
#: plateau at the peak.
_HALF = 0.5 ** (1.0 / 3.0)


@dataclass(frozen=True)
class CubicCycle:
    """One flow's cycle; with fast convergence its two climbs together.

    utilisation [1], queue_mean [BDP].  duration: in K, the time of the climb to a plateau at the peak.
    """

    utilisation: float
    queue_mean: float
    duration: float


def epoch(window: float, beta: float = BETA, scale: float = SCALE) -> float:
    """K [s]: time from a loss at ``window`` packets back to that window, cbrt((1-β)·W/C), C = ``scale`` [packet/s³]."""
    return float(math.cbrt((1.0 - beta) * positive("window", window) / positive("scale", scale)))


def average_window(loss: float, rtt: float) -> float:
    """Mean window [packets] under one loss every 1/p packets, 1.054·(RTT/p)^(3/4).  RFC 9438, eq. 5."""
    between("loss", loss, 0.0, 1.0)
    return float((SCALE * (3.0 + BETA) / (4.0 * (1.0 - BETA))) ** 0.25 * (positive("rtt", rtt) / loss) ** 0.75)


def cubic_sawtooth(buffer_ratio: float, beta: float = BETA, *, converges: bool = False) -> CubicCycle:
    """One flow with a buffer of b BDP: w = (1+b)(1 - (1-β)u³), u from 1 at the loss to 0 at the next.

    converges: with fast convergence (RFC 9438, section 4.7).  Every other loss then lowers W_max to (1+β)/2 of the
    window: that climb crosses its plateau half way, w = (1+b)((1+β)/2 + (1-β)/2·s³) for s from -1 to 1.  It overflows
    steeply and so at a larger window than the climb after it, whose loss is the one that lowers W_max.

    Derived; the round-trip time is taken as constant, so best for b well below 1.  Holds outside the Reno-friendly
    region, i.e. for large windows times RTTs.
    """
    not_negative("buffer_ratio", buffer_ratio)
    between("beta", beta, 0.0, 1.0)
    top, depth = 1.0 + buffer_ratio, 1.0 - beta
    # The link is busy for u below this; depth·u³ = 1 - 1/top.
    busy = min(1.0, math.cbrt(buffer_ratio / top / depth))

    def area(u: float) -> float:
        """∫ w du from 0 to u."""
        return top * (u - depth * u**4 / 4.0)

    used, queued = busy + area(1.0) - area(busy), area(busy) - busy
    if not converges:
        return CubicCycle(min(1.0, used), max(0.0, queued), 1.0)
    level, half = top * (1.0 + beta) / 2.0, top * depth / 2.0
    crossing = min(1.0, max(-1.0, math.cbrt((1.0 - level) / half)))
    idle = level * (crossing + 1.0) + half * (crossing**4 - 1.0) / 4.0
    whole = 2.0 * level  # the cubic part of s from -1 to 1 cancels
    duration = 1.0 + 2.0 * _HALF
    return CubicCycle(
        min(1.0, (used + _HALF * (idle + 1.0 - crossing)) / duration),
        max(0.0, (queued + _HALF * (whole - idle - (1.0 - crossing))) / duration),
        duration,
    )


def overshoots(peak: float, trip: float, beta: float = BETA, *, converges: bool = False) -> tuple[float, ...]:
    """Packets by which a flow's window goes on growing in the round trip between an overflow and its notice.

    peak: window at the overflow [packets].  trip: that round trip [K].  One figure per overflow of a cycle, see
    :func:`cubic_sawtooth`: C·t³ beyond the plateau, taken from where the window crosses the peak.
    """
    scale = (1.0 - beta) * positive("peak", peak)
    if not converges:
        return (scale * trip**3,)
    steep = scale * ((_HALF + trip) ** 3 - 0.5)
    before = math.cbrt(steep / scale)  # from the peak to the plateau, which the steep overflow has lifted
    return scale * (before**3 - (before - trip) ** 3), steep


def linear_equivalent(
    flows: int,
    bdp: float,
    rtt: float,
    buffer_ratio: float,
    burst: float = 1.0,
    *,
    beta: float = BETA,
    scale: float = SCALE,
    friendly: bool = True,
    converges: bool = False,
) -> LongLived:
    """A group of linearly growing flows that regains what CUBIC loses in the same time.

    bdp: bandwidth-delay product left to the flows [packets].  rtt: without queue [s].  friendly: with the Reno-friendly
    line.  The windows at a loss are an even share of path and buffer; the ramp lasts K or, when that is shorter, the
    Reno-friendly one.  Of several flows its shape is lost: unsynchronised ones are at all its phases at once, so their
    sum grows evenly; that of one flow is kept (``LongLived.cubic``).
    """
    at_least("flows", flows, 1)
    between("beta", beta, 0.0, 1.0)
    top = 1.0 + not_negative("buffer_ratio", buffer_ratio)
    window = max(1.0, top * positive("bdp", bdp) / flows)
    rounds = epoch(window, beta, scale) / (positive("rtt", rtt) * top)
    climb = rounds / ((1.0 - beta) * window)
    line = (1.0 + beta) / (3.0 * (1.0 - beta)) if friendly else math.inf
    return LongLived(flows, beta, min(line, climb), burst, cubic=climb < line, converges=converges)
