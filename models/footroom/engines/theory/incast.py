"""Many senders answering at once: when the first windows overflow, and what timeouts cost."""

from __future__ import annotations

import math

from footroom.engines.theory.sizing import bandwidth_delay_product
from footroom.formulas.transfer.checks import not_negative, positive


def first_window_senders(
    buffer: float, capacity: float, rtt: float, segment: float, initial_window: float, response: float = math.inf
) -> float:
    """Number of synchronised senders N beyond which their first windows overflow the buffer.

    N = (B + C·RTT)/min(IW·MSS, S).  buffer, segment (MSS), response (S) [B], capacity [bit/s], rtt [s].
    Counts what the buffer and one round trip of draining take in; a real N is the integer part.
    """
    burst = min(positive("initial_window", initial_window) * positive("segment", segment), response)
    return _room(buffer, capacity, rtt) / positive("response", burst)


def floor_senders(buffer: float, capacity: float, rtt: float, segment: float) -> float:
    """Number of senders beyond which one segment each overflows: (B + C·RTT)/MSS.

    No window-based control can help past this point; only pacing below one segment per round trip does.
    """
    return _room(buffer, capacity, rtt) / positive("segment", segment)


def first_window_buffer(
    senders: float, capacity: float, rtt: float, segment: float, initial_window: float, response: float = math.inf
) -> float:
    """Buffer [B] that just takes the first windows of so many senders; 0 when the path takes them."""
    burst = min(positive("initial_window", initial_window) * positive("segment", segment), response)
    return max(0.0, positive("senders", senders) * burst - bandwidth_delay_product(capacity, rtt))


def goodput_with_timeouts(block: float, capacity: float, timeouts: float, rto: float) -> float:
    """Goodput [bit/s] when each block of so many bytes suffers so many timeouts: D/(D/C + r·RTO).

    block: D [B].  timeouts: r per block, may be a mean.  rto [s].
    """
    bits = 8.0 * positive("block", block)
    idle = not_negative("timeouts", timeouts) * not_negative("rto", rto)
    return bits / (bits / positive("capacity", capacity) + idle)


def _room(buffer: float, capacity: float, rtt: float) -> float:
    """Bytes taken in during the first round trip: the buffer and what drains meanwhile."""
    return not_negative("buffer", buffer) + bandwidth_delay_product(capacity, rtt)
