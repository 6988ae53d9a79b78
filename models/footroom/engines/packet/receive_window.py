"""How far a receiver's window may open, because of its effect on acknowledgements (Linux tcp_input.c).

Each segment opens the window by two (tcp_grow_window), as far as the memory of the connection goes; that memory follows
what the application reads in a round trip (tcp_rcv_space_adjust). While it opens, Linux acknowledges every segment at
once. Departures: the sender's smoothed round trip replaces the receiver's own estimate, segments beyond a gap take no
memory, and memory has no upper limit (tcp_rmem[2]).
"""

from __future__ import annotations

from footroom.base.compile_cache import helper

#: Share of the memory at first that the window takes, and the share that full segments leave to it (of 256).
_HALF, _DATA, _WHOLE = 128, 162, 256
_LARGEST = 1 << 30  # bytes; Linux announces no larger window (RFC 7323 §2.3)
_FIRST_READ = 10  # segments of a round trip from which memory begins to grow (TCP_INIT_CWND)


@helper
def widen(f, c, now):
    """A segment came: the window opens, and while it does acknowledgements are quick."""
    if f.open == 0:
        f.open = c.receive_buffer * _HALF // _WHOLE
        f.open_most = c.receive_buffer * _DATA // _WHOLE
        f.read_most = min(_FIRST_READ * c.payload, f.open)
        f.read_at = now
    if f.open < f.open_most:
        f.open = min(f.open + 2 * c.payload, f.open_most)
        f.quick |= 1


@helper
def read(f, c, now):
    """The application has read all that is in order; once a round trip memory grows by what that brought.

    Twice as much as was read, and as much more as a sender in slow start goes on to send.
    """
    if f.srtt == 0 or now - f.read_at < f.srtt:
        return
    got = min((f.rcv - f.read_to) * c.payload, _LARGEST)
    if got > f.read_most:
        most = 2 * got
        most += 2 * (most * (got - f.read_most) // f.read_most)
        f.open_most = max(f.open_most, most)
        f.read_most = got
    f.read_to = f.rcv
    f.read_at = now


@helper
def carry_over(f, p):
    """Flow f goes on over the connection of flow p; its segments count from 0."""
    f.quick = p.quick
    f.open = p.open
    f.open_most = p.open_most
    f.read_most = p.read_most
    f.read_to = p.read_to - p.rcv
    f.read_at = p.read_at
