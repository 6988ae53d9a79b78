"""Markings in plain Python, one marker for every queue; their meaning is documented with ``footroom.parts.marking``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from footroom.base.component import Component
from footroom.base.errors import Unsupported
from footroom.engines.reference.splitmix import fractions
from footroom.parts.marking import NoMarking, Red, Step


class Marker(Protocol):
    """Decides for one queue."""

    def marks(self, waiting: int, packet_time: float, now: int) -> bool:
        """Whether a packet that comes to wait is marked.

        waiting: bytes before it.  packet_time: how long its transmission takes [ps].
        """


class NoMarks:
    """Never marks."""

    def __init__(self, *_: object) -> None:
        pass

    def marks(self, waiting: int, packet_time: float, now: int) -> bool:
        return False


class StepMarker:
    """Marks above the threshold K (RFC 8257 §3.1)."""

    def __init__(self, marking: Step, seed: int) -> None:
        self.threshold = marking.threshold

    def marks(self, waiting: int, packet_time: float, now: int) -> bool:
        return waiting > self.threshold


class RedMarker:
    """Marks at random, the likelier the longer the queue or its moving average (Floyd and Jacobson 1993)."""

    def __init__(self, marking: Red, seed: int) -> None:
        self.marking = marking
        self.average = 0.0
        self._averaged_at = 0
        self._random = fractions(seed)

    def marks(self, waiting: int, packet_time: float, now: int) -> bool:
        red = self.marking
        self._update(waiting, packet_time, now)
        if self.average <= red.kmin:
            return False
        if self.average > red.kmax:
            return True
        return next(self._random) < red.pmax * (self.average - red.kmin) / (red.kmax - red.kmin)

    def _update(self, waiting: int, packet_time: float, now: int) -> None:
        if self.marking.weight == 1.0:
            self.average = float(waiting)
            return
        samples = (now - self._averaged_at) / packet_time  # one per packet time, at the present length
        kept = (1.0 - self.marking.weight) ** samples
        self.average = kept * self.average + (1.0 - kept) * waiting
        self._averaged_at = now


_MARKERS: dict[type[Component], Callable[[Any, int], Marker]] = {NoMarking: NoMarks, Step: StepMarker, Red: RedMarker}


def marker_of(marking: Component, seed: int) -> Marker:
    """A fresh marker; seed: of its random numbers. Raises Unsupported for one this engine does not know."""
    if type(marking) not in _MARKERS:
        kind = marking.model_dump()["kind"]
        raise Unsupported(
            f'the reference engine does not know the marking "{kind}"',
            path="switch.marking.kind",
            given=kind,
            engines=("packet",),
        )
    return _MARKERS[type(marking)](marking, seed)
