"""Step: mark every packet that finds more than a threshold waiting."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import QueueSize, quantity
from footroom.kernel.hooks import Hook, policy_hook, row
from footroom.parts.marking.marker import Marker, sample


@policy_hook
def _mark(switch, queue, params, flow, packet, size, now):
    return 1 if float(row(queue).bytes) > params[0] else 0


class Step(Marker):
    """Every packet that arrives while more than ``threshold`` waits in its queue is marked, no other.

    Its queue is that of its port, class and line card; neither the packet itself nor the one being sent counts.
    """

    about: ClassVar[About] = About(
        title="Step",
        summary="Every packet that finds more than a threshold waiting is marked.",
        sources=("Alizadeh et al., SIGCOMM 2010, §3.1", "RFC 8257, §3.1"),
        holds="DCTCP; flows that halve on every mark lose utilisation",
        departures="acts on the instantaneous queue, as the packet arrives",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid", "packet", "reference")
    example: ClassVar[dict[str, Any]] = {"threshold": "30 kB"}
    kind: Literal["step"] = "step"
    threshold: QueueSize = quantity(
        ...,
        "B",
        "Queue above which every packet is marked; also written as a number of full packets.",
        ge=0,
        symbol="K",
    )

    sample: Literal["arrival", "departure"] = sample()

    def late(self) -> bool:
        return self.sample == "departure"

    def mark(self) -> Hook | None:
        return _mark

    def parameters(self) -> tuple[float, ...]:
        return (self.threshold,)
