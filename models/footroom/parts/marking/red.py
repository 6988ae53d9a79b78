"""RED: mark or drop with a probability that rises with the queue."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import QueueSize, quantity
from footroom.kernel.hooks import Hook, integers, policy_hook, row
from footroom.parts.marking.marker import Marker, sample


@policy_hook
def _mark(switch, queue, params, flow, packet, size, now):
    q = row(queue)
    level = float(q.bytes)
    if params[3] < 1.0:
        # One sample per packet time (Floyd and Jacobson §4), also while nothing arrived.
        packets = float(now - q.averaged) / (float(size) * float(integers(q.rate_at)[0]) / 65536.0)
        keep = (1.0 - params[3]) ** packets
        q.average = keep * q.average + (1.0 - keep) * level
        q.averaged = now
        level = q.average
    if level <= params[0]:
        return 0
    if level > params[1]:
        return 1
    # splitmix64, one draw per packet between the two thresholds
    q.random += np.uint64(0x9E3779B97F4A7C15)
    z = q.random
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    share = float(np.int64(z >> np.uint64(11))) * 2.0**-53
    return 1 if share * (params[1] - params[0]) < params[2] * (level - params[0]) else 0


class Red(Marker):
    """Probability 0 up to ``kmin``, rising linearly to ``pmax`` at ``kmax``, 1 above.

    The queue is that of port, class and line card, as the packet finds it. With a ``weight`` below 1 its moving average
    is brought up to date by packets that come to wait, as if the present length had lasted since the last of them.
    """

    about: ClassVar[About] = About(
        title="RED",
        summary="Marking probability rises linearly with the queue.",
        sources=("Floyd and Jacobson, ToN 1(4) 1993", "Zhu et al., SIGCOMM 2015, §3.1 for the instantaneous form"),
        departures="acts on the instantaneous queue, as switches configured for ECN do, unless weight is below "
        "1; marks are drawn independently, without the count of packets since the last one; a packet "
        "that finds its port idle is neither marked nor sampled",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid", "packet", "reference")
    example: ClassVar[dict[str, Any]] = {"kmin": "30 kB", "kmax": "90 kB"}
    kind: Literal["red"] = "red"
    kmin: QueueSize = quantity(
        ..., "B", "Queue below which nothing is marked; also written as a number of full packets.", ge=0, symbol="Kmin"
    )
    kmax: QueueSize = quantity(
        ...,
        "B",
        "Queue above which everything is marked; also written as a number of full packets.",
        gt=0,
        symbol="Kmax",
    )
    pmax: float = quantity(0.1, "1", "Marking probability at kmax.", gt=0, le=1, symbol="Pmax")
    weight: float = quantity(
        1.0,
        "1",
        "Weight of a sample in the moving average of the queue, one sample per packet time; 1 means the "
        "instantaneous queue.",
        gt=0,
        le=1,
        symbol="w_q",
        advanced=True,
    )

    sample: Literal["arrival", "departure"] = sample()

    @model_validator(mode="after")
    def _ordered(self) -> Red:
        if self.kmax <= self.kmin:
            raise PydanticCustomError("at:kmax", "kmax must be above kmin")
        return self

    def late(self) -> bool:
        return self.sample == "departure"

    def mark(self) -> Hook | None:
        return _mark

    def parameters(self) -> tuple[float, ...]:
        return (self.kmin, self.kmax, self.pmax, self.weight)
