"""Congestion controls as flows that cut on loss and grow in between, by kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from footroom.engines.theory.cubic import linear_equivalent
from footroom.engines.theory.inputs import LongLived
from footroom.parts.congestion import Cubic, NewReno
from footroom.parts.traffic import LongLived as Entry
from footroom.scenario.bottleneck import Bottleneck


@dataclass(frozen=True)
class Room:
    """What all long-lived flows share. flows: how many.  bdp: bandwidth-delay product left to them [packets].
    rtt: without queue [s].  ratio: buffer over bandwidth-delay product.  mss: payload of a packet [B].
    """

    flows: int
    bdp: float
    rtt: float
    ratio: float
    mss: float

    @classmethod
    def of(cls, seen: Bottleneck) -> Room:
        """The room of a bottleneck; open-loop traffic takes its load off the capacity."""
        load = sum(entry.load for entry in seen.poisson) * seen.mtu / seen.mss
        bdp = seen.capacity * seen.rtt / 8.0
        return cls(seen.flows, max(0.0, 1.0 - load) * bdp / seen.mtu, seen.rtt, seen.buffer / bdp, seen.mss)


def _burst(entry: Entry) -> float:
    return float(max(entry.host.burst, 1 if entry.host.pacing else entry.host.ack_every))


def _most(entry: Entry, room: Room) -> float:
    """Receive window in whole segments [packets], ``ack_every`` of which are acknowledged at a time.

    A round trip then waits for the other packets of an acknowledgement, or for its delay: where a window has too few,
    where the others take longer to come than the delay lasts, and for those that a window leaves over.
    """
    if entry.host.receive_window is None:
        return np.inf
    window, every = max(1, int(entry.host.receive_window // room.mss)), entry.host.ack_every
    delay, transmission = entry.host.ack_delay, room.rtt / max(room.bdp, 1e-9)
    if window < every or delay < (every - 1) * transmission:
        return window * room.rtt / (room.rtt + delay)
    left = window % every
    whole = float(window - left)
    if left > 0 and delay > room.rtt:
        # Held until the next packets come, so that fewer of these complete an acknowledgement.
        return whole * room.rtt / (room.rtt + (every - left - 1) * transmission)
    whole *= room.rtt / (room.rtt + (every - 1) * transmission)
    return whole + left * room.rtt / (room.rtt + delay)


def _newreno(entry: Entry, room: Room) -> LongLived:
    law = entry.congestion
    assert isinstance(law, NewReno)
    every = 1.0 if law.byte_counting else float(entry.host.ack_every)
    return LongLived(entry.flows, 0.5, every, _burst(entry), _most(entry, room))


def _cubic(entry: Entry, room: Room) -> LongLived:
    law = entry.congestion
    assert isinstance(law, Cubic)
    # All flows have an even share of path and buffer when they lose; below one packet of it the formulas say so.
    like = linear_equivalent(
        room.flows,
        max(room.bdp, 1e-9),
        room.rtt,
        room.ratio,
        _burst(entry),
        beta=law.beta,
        scale=law.growth,
        friendly=law.reno_friendly,
        converges=law.fast_convergence,
    )
    return replace(like, flows=entry.flows, max_window=_most(entry, room))


#: ``f(traffic entry, what the flows share)``
BUILDERS: dict[str, Callable[[Entry, Room], LongLived]] = {"newreno": _newreno, "cubic": _cubic}
