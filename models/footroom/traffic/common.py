"""What every traffic kind has: who sends to whom, under which congestion control, on which host stack."""

from __future__ import annotations

from pydantic import Field

from footroom.component import Component
from footroom.congestion import Congestion
from footroom.congestion.newreno import NewReno
from footroom.quantity import quantity
from footroom.traffic.host import Host


class Traffic(Component):
    """Base of the traffic kinds. ``sources`` and ``destinations`` name hosts; none leaves it to the topology."""

    name: str = quantity("", "1", "A label for this class in results.", max_length=80, advanced=True)
    congestion: Congestion = Field(default_factory=NewReno, description="Congestion control of this class.")
    host: Host = Field(default_factory=Host, description="Host stack of this class.")
    priority: int = quantity(
        0, "1", "Class of the packets, acknowledgements included: the queue they wait in at every port; strict priority "
        "serves the highest number first.", ge=0, le=7, advanced=True)
    sources: tuple[str, ...] | None = quantity(
        None,
        "1",
        "Names of the sending hosts; none means the topology's senders.",
        min_length=1,
        max_length=100_000,
        advanced=True,
    )
    destinations: tuple[str, ...] | None = quantity(
        None,
        "1",
        "Names of the receiving hosts; none means the topology's receivers.",
        min_length=1,
        max_length=100_000,
        advanced=True,
    )
