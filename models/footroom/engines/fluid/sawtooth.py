"""One long-lived flow, one cut per overflow: the sawtooth in closed form.

The window grows by one packet per round trip, which stretches while packets queue, and falls to ``factor`` of its peak
when the buffer overflows. Everything is in units of the bandwidth-delay product.
"""

from __future__ import annotations

import math

from footroom.base.errors import InvalidInput


def sawtooth_utilisation(buffer: float, factor: float = 0.5) -> float:
    """Share of the capacity one additively growing flow uses.

    buffer: in bandwidth-delay products, at least 0.  factor: multiplicative decrease, in (0, 1); Reno 1/2.
    With trough w = factor (1 + b): 1 if w >= 1, else time below the BDP is spent at rate w(t), time above it at rate 1
    with round trips w(t) long: U = [(1-w^2)/2 + ((1+b)^2-1)/2] / [(1-w) + ((1+b)^2-1)/2].
    Holds for one flow without slow start or timeouts, one cut per overflow. Raises InvalidInput outside these ranges.
    """
    if buffer < 0.0:
        raise InvalidInput.at("buffer", buffer, "at least 0")
    if not 0.0 < factor < 1.0:
        raise InvalidInput.at("factor", factor, "between 0 and 1, both excluded")
    peak = 1.0 + buffer
    trough = factor * peak
    if trough >= 1.0:
        return 1.0
    above = 0.5 * (peak * peak - 1.0)
    return (0.5 * (1.0 - trough * trough) + above) / ((1.0 - trough) + above)


def cubic_ramp_utilisation(buffer: float, factor: float = 0.7, *, converges: bool = False) -> float:
    """The same for a window that climbs a cubic in real time with a constant round trip (CUBIC, RFC 9438).

    W(u) = peak (1 - (1-factor) (1-u)^3) over one period u in [0, 1]; the link carries min(W, 1).
    converges: with fast convergence (section 4.7). A lone flow then has that climb and another in turn, one over a
    plateau half as high: peak (1 - depth/2 + depth/2 s^3) for s from -1 to 1, which takes 2^(2/3) times as long. It
    overflows steeply there, so that its next loss comes at a smaller window. Raises InvalidInput as that does.
    """
    if buffer < 0.0:
        raise InvalidInput.at("buffer", buffer, "at least 0")
    if not 0.0 < factor < 1.0:
        raise InvalidInput.at("factor", factor, "between 0 and 1, both excluded")
    peak, depth = 1.0 + buffer, 1.0 - factor
    if peak * factor >= 1.0:
        return 1.0
    # Left of the crossing u* the window is below 1; v = 1 - u runs from 1 down to v*.
    crossing: float = ((1.0 - 1.0 / peak) / depth) ** (1.0 / 3.0)
    below = peak * ((1.0 - crossing) - 0.25 * depth * (1.0 - crossing**4))
    if not converges:
        return below + crossing
    level = peak * (1.0 - 0.5 * depth)
    ratio = (1.0 - level) / (0.5 * depth * peak)
    mid = math.copysign(abs(ratio) ** (1.0 / 3.0), ratio)
    # Below capacity up to s = mid, of the two units that s covers.
    wider = level * (mid + 1.0) + 0.125 * depth * peak * (mid**4 - 1.0) + 1.0 - mid
    length = 0.5 ** (1.0 / 3.0)
    return (below + crossing + length * wider) / (1.0 + 2.0 * length)
