"""Congestion controls in plain Python; their meaning is documented with ``footroom.congestion``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from footroom.congestion import Law, NewReno
from footroom.errors import Unsupported


class WindowLaw(Protocol):
    """One flow's congestion window and slow-start threshold [segments], and what moves them."""

    cwnd: float
    ssthresh: float

    def on_start(self, window: int) -> None:
        """The flow begins with ``window`` segments."""

    def on_ack(self, acked: int, flight: int) -> None:
        """``acked`` segments were acknowledged outside recovery, of ``flight`` outstanding before."""

    def on_loss(self, flight: int) -> None:
        """Recovery begins with ``flight`` segments outstanding."""

    def on_timeout(self, flight: int) -> None:
        """The retransmission timer expired."""


class NewRenoLaw:
    """RFC 5681 with byte counting; as ``footroom.congestion.newreno``, independently written."""

    #: Segments of the window that may be unused before it counts as not limiting the sender.
    SLACK = 2.0

    def __init__(self, law: NewReno) -> None:
        self.byte_counting = law.byte_counting
        self.cwnd = 0.0
        self.ssthresh = 0.0

    def on_start(self, window: int) -> None:
        self.cwnd = float(window)
        self.ssthresh = 1e18

    def on_ack(self, acked: int, flight: int) -> None:
        count = float(acked) if self.byte_counting else 1.0
        slow_start = self.cwnd < self.ssthresh
        used = 2.0 * flight >= self.cwnd if slow_start else flight + 1.0 >= self.cwnd - self.SLACK
        if not used:
            return
        if slow_start:
            step = min(count, self.ssthresh - self.cwnd)
            self.cwnd += step
            count -= step
        if count > 0.0:
            self.cwnd += count / self.cwnd

    def on_loss(self, flight: int) -> None:
        self.ssthresh = max(min(float(flight), self.cwnd) / 2.0, 2.0)

    def on_timeout(self, flight: int) -> None:
        self.on_loss(flight)


_LAWS: dict[type[Law], Callable[[Any], WindowLaw]] = {NewReno: NewRenoLaw}


def law_of(law: Law) -> WindowLaw:
    """A fresh state of ``law`` for one flow. Raises Unsupported for one this engine does not know."""
    if type(law) not in _LAWS:
        raise Unsupported(f'the reference engine does not know the congestion control "{law.kind}"',
                          path="traffic.congestion.kind", given=law.kind, engines=("packet",))
    return _LAWS[type(law)](law)
