"""Flows that join one after the other and leave again."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.ground import ENDLESS, Drawn, Floats, Ground
from footroom.parts.traffic.placing import settle


class Staircase(Traffic):
    """``flows`` with unlimited data: one joins every ``interval``, and each leaves ``length`` after it joined.

    With the automatic length, ``flows`` times ``interval``, all are there in one interval; then the first to join
    leaves first, one every interval, and the last one is alone in the last interval: (2·flows - 1) intervals in all.
    A flow that leaves is given no more data; it ends when what it had sent is acknowledged.
    """

    about: ClassVar[About] = About(
        title="Staircase",
        summary="Flows join one after the other, then leave one after the other.",
        sources=(
            "Alizadeh et al., SIGCOMM 2010, §4.1, Fig. 16: convergence, 30 s apart",
            "Howes and Muñoz 2018, §4.3: five flows, 30 and 60 s apart",
        ),
        holds="bulk transfers that last for many round trips in every step",
    )
    endless: ClassVar[bool] = True
    engines: ClassVar[tuple[str, ...]] = PACKETS
    example: ClassVar[dict[str, Any]] = {"flows": 5, "interval": "1 s"}
    kind: Literal["staircase"] = "staircase"
    flows: int = quantity(..., "1", "Number of flows.", ge=1, le=1000, symbol="n")
    interval: Time = quantity(..., "s", "Time from one flow's join to the next.", gt=0, le=86400)
    length: Time | None = quantity(
        None,
        "s",
        "How long each flow lasts. Automatic: flows times interval, so that the first leaves one interval "
        "after the last has joined.",
        gt=0,
        le=1e7,
    )
    start: Time = quantity(0.0, "s", "When the first flow joins.", ge=0, advanced=True)
    jitter: Time = quantity(
        0.0,
        "s",
        "Each flow joins after a random delay of at most this from the start of its step, uniformly distributed.",
        ge=0,
        le=3600,
        advanced=True,
    )

    @model_validator(mode="after")
    def _lasts(self) -> Staircase:
        if self.jitter >= min(self.interval, self._length()):
            raise PydanticCustomError("at:jitter", "must be shorter than interval and length")
        return self

    def _length(self) -> float:
        return self.flows * self.interval if self.length is None else self.length

    def _joins(self) -> Floats:
        return self.start + self.interval * np.arange(float(self.flows))

    def lasting(self) -> int:
        return self.flows

    def latest_start(self) -> float:
        return self.start

    def steps(self) -> tuple[float, ...]:
        joins = self._joins()
        return tuple(np.unique(np.concatenate([joins, joins + self._length()])).tolist())

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        return float(self.flows), np.inf

    def draw(self, ground: Ground) -> Drawn:
        joins = self._joins()
        late = [at for at in joins.tolist() if at >= ground.duration]
        ends = joins[-1] + self._length()
        notes: tuple[str, ...] = ()
        if late:
            told = f"{len(late)} of {self.flows} flows would join at the end of the run"
            notes = (f"{ground.path}: {told} ({ground.duration:g} s) or later.",)
        elif ends > ground.duration:
            told = f"the last flow would leave at {ends:g} s, after the end of the run"
            notes = (f"{ground.path}: {told} ({ground.duration:g} s).",)
        begin = joins + self.jitter * ground.random("traffic").random(self.flows)
        pairs = settle(self, ground, self.flows, before=ground.lasting)
        return Drawn(begin, np.full(self.flows, ENDLESS, np.int64), pairs, stop=joins + self._length(), notes=notes)
