"""Data that the application has written, kept by the sender until acknowledged (Linux sk_wmem_queued, sk_sndbuf).

Selectively acknowledged data stays in it until all before it is acknowledged. The buffer grows with the window
(tcp_sndbuf_expand), unless the window is full, and the application writes once a third of it is free
(sk_stream_is_writeable). Rate samples of what leaves after it has run dry are marked (tcp_rate_check_app_limited).
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.features import sampled
from footroom.engines.packet.rate_sample import pause
from footroom.engines.packet.tables import NEWRENO

_HEADERS, _DESCRIPTOR = 524, 256  # bytes that a segment takes besides its payload
_FEWEST = 10  # segments of the window at first (TCP_INIT_CWND)


@helper
def bounded(c):
    """Whether flows of a class have a write buffer."""
    return c.write_buffer != 0 and c.recovery != NEWRENO and c.query == 0 and c.rdma == 0


@helper
def _most(c):
    """Segments that it can hold at most; an empty one takes a segment whatever its size."""
    size = 1
    while size < c.payload + _HEADERS:
        size *= 2
    return max(c.write_buffer // (size + _DESCRIPTOR), 1)


@helper
def fill(f, c):
    """The application begins to write."""
    if f.room == 0:
        f.room = min(_FEWEST * c.provision, _most(c))
    f.ready = min(f.segments, f.una + f.room)


@helper
def write(t, f, c, flight):
    """Let the application write if it may. Returns whether it did.

    flight: segments in flight, now that all has been sent that may be.
    """
    if f.ready >= f.segments:
        return False
    if flight < f.cwnd:
        f.room = max(f.room, min(int(max(f.cwnd, float(_FEWEST))) * c.provision, _most(c)))
    if 3 * (f.ready - f.una) > 2 * f.room:
        return False
    if sampled(t, c) and f.nxt >= f.ready:
        pause(f, flight)
    f.ready = min(f.segments, f.una + f.room)
    return True
