"""One long-lived flow, one cut per overflow: the sawtooth in closed form.

The window grows by one packet per round trip, which stretches while packets queue, and falls to ``factor`` of its peak
when the buffer overflows. Everything is in units of the bandwidth-delay product.
"""

from __future__ import annotations

from footroom.errors import InvalidInput


def sawtooth_utilisation(buffer: float, factor: float = 0.5) -> float:
    """Share of the capacity one additively growing flow uses.

    buffer: in bandwidth-delay products, at least 0.  factor: multiplicative decrease, in (0, 1); Reno 1/2.
    With trough w = factor (1 + b): 1 if w >= 1, else time below the BDP is spent at rate w(t), time above it at rate 1
    with round trips w(t) long: U = [(1-w^2)/2 + ((1+b)^2-1)/2] / [(1-w) + ((1+b)^2-1)/2].
    Holds for one flow without slow start or timeouts, one cut per overflow.
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


def cubic_ramp_utilisation(buffer: float, factor: float = 0.7) -> float:
    """The same for a window that climbs a cubic in real time with a constant round trip (CUBIC, RFC 9438).

    W(u) = peak (1 - (1-factor) (1-u)^3) over one period u in [0, 1]; the link carries min(W, 1).
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
    return below + crossing
