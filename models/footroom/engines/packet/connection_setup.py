"""Connections that are set up packet by packet (``host.setup``): a request, its answer, and both again when lost.

A flow whose time has come sends a request of the size of an acknowledgement along the path of its data, in their class.
The answer comes back along the path of acknowledgements, and data begin when it comes, in place of the handshake's
third packet. Without an answer the request is sent again after 1 s, 2 s, 4 s and so forth (RFC 6298 §2.1 and 5.5; Linux
TCP_TIMEOUT_INIT), by the host's clock. Switches treat both as acknowledgements: only those of DCTCP may be marked
(Linux tcp_ca_needs_ecn; RFC 3168 §6.1.1 says that no other may).

The round trip from the request that is answered to its answer sets the first timeout (``packet.handshake``). Time
stamps tell it also where one was lost (RFC 7323), so that the timeout is not set back to 3 s (RFC 6298 §5.7). After two
losses the flow begins with one segment (Linux tcp_init_transfer, ``total_retrans > 1``; RFC 5681 §3.1 does after one).

Left out: giving up (Linux does after six attempts), and an answer sent again by its own timer, since the sender's timer
is due as early.
"""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.pool import take_new
from footroom.engines.packet.sender import timeout_after
from footroom.engines.packet.sending import arm
from footroom.engines.packet.tables import u
from footroom.engines.packet.timers import goes_off
from footroom.engines.plan import SECOND
from footroom.kernel.tables import NEVER, SETUP, SETUP_REPLY

#: How often the wait doubles at most, so that it stays below the longest timeout.
_MOST_DOUBLINGS = 6


@helper
def ask(t, i, f, c, now):
    """Ask for flow i's connection, and again unless there is an answer in time. Returns the packet."""
    tries = f.setup
    f.setup += 1
    if tries > 1:
        f.setup_retries += 1
    f.wake_at = goes_off(f, c, now, SECOND << min(tries - 1, _MOST_DOUBLINGS))
    arm(t, i, f, f.wake_at)
    k = take_new(t)
    packet = t.packets[u(k)]
    packet.flow = i
    packet.sort = SETUP
    packet.klass = f.priority
    packet.flags = c.ack_flags
    packet.hop = f.forward
    packet.size = c.ack_size
    packet.seq = 0
    packet.stamp = now
    packet.left = 0
    packet.right = 0
    return k


@helper
def answer(f, packet):
    """Turn a request into its answer, on its way back."""
    packet.sort = SETUP_REPLY
    packet.klass = f.ack_priority
    packet.hop = f.reverse


@helper
def stands(f, c, stamp, now):
    """An answer to the request sent at ``stamp`` has come. Returns whether flow f may begin: only the first counts."""
    if f.setup <= 0:
        return False
    f.setup = 1 - f.setup
    f.start = now
    f.wake_at = NEVER
    if f.handshake != 0:
        f.handshake = now - stamp
        f.rto = timeout_after(c, f.handshake, f.handshake // 2)
    return True
