"""How long a burst of one flow is, and how fast the stack's own pacing lets it send."""

from __future__ import annotations

from footroom.base.compile_cache import helper, routine
from footroom.engines.packet.features import sampled

#: Most bytes that leave back to back (Linux GSO_LEGACY_MAX_SIZE, less the largest header), and for how long [ps].
_LONGEST_BURST = 65215
_BURST_TIME = 1e12 / 1024.0


@helper
def speed(f):
    """Segments per round trip of the pacing rate that the stack gives a flow.

    Linux tcp_update_pacing_rate: 200 % as long as two doublings of the window lie ahead, then 120 %.
    """
    return (2.0 if f.cwnd < f.ssthresh / 2.0 else 1.2) * max(f.cwnd, float(f.nxt - f.una))


@routine
def _autosized(c, rate):
    """The same where bursts are as long as the pacing rate [segments/ps] makes them; below 0 while it is not known."""
    most = _LONGEST_BURST // c.payload
    if rate < 0.0:
        return min(max(most, 2), c.burst_limit)
    if c.spacing != 0:
        rate = min(rate, 1.0 / float(c.spacing))
    return min(max(min(int(rate * _BURST_TIME), most), 2), c.burst_limit)


@helper
def burst_of(t, f, c):
    """Segments that leave back to back."""
    if c.autosize == 0:
        return c.burst
    if sampled(t, c):
        return _autosized(c, f.pace_rate * 1e-12)
    return _autosized(c, speed(f) / float(f.srtt) if f.srtt != 0 else -1.0)
