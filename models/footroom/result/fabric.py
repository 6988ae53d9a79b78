"""The fabric over time: every port, the flows, and how pauses spread."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.class_key import OfClass
from footroom.result.pauses import Propagation


class FabricNode(TypedDict):
    """A host or a switch."""

    name: str
    kind: Annotated[str, Field(description="host or switch.")]


FabricPort = TypedDict(
    "FabricPort",
    {
        "port": str,
        "from": str,
        "to": str,
        "rate": Annotated[float, Field(description="[bit/s].")],
        "delay": Annotated[float, Field(description="Propagation [s].")],
    },
)
FabricPort.__doc__ = "One direction of a link."


class FabricQueue(OfClass):
    """One class of one port, a value for each frame."""

    port: str
    queue_max: Annotated[list[int], Field(description="Most bytes that waited at the switch [B]; 0 at hosts.")]
    paused: Annotated[list[float], Field(description="Part of the frame for which the class was held back.")]


class FlowRate(TypedDict):
    """Goodput of one flow, a value for each frame."""

    flow: int
    entry: Annotated[int, Field(description="Entry of the traffic it belongs to.")]
    source: str
    destination: str
    rate: Annotated[list[float], Field(description="Payload received in order [bit/s].")]


class FlowRates(TypedDict):
    """Goodput of flows over time."""

    lasting: Annotated[bool, Field(description="Whether they are flows without an end; else the largest ones.")]
    of: Annotated[int, Field(description="How many such flows there are; at most 64 are reported.")]
    fairness: Annotated[
        list[float | None],
        Field(
            description="Jain's index of the reported flows that were under way for the whole frame; null for fewer "
            "than two."
        ),
    ]
    rates: list[FlowRate]


class FabricDocument(TypedDict):
    """Every port of the fabric over time, from the end of the warm-up."""

    step: Annotated[float, Field(description="Length of a frame [s]; the last may be shorter.")]
    start: Annotated[float, Field(description="When the first begins [s].")]
    time: Annotated[list[float], Field(description="When each ends [s].")]
    nodes: list[FabricNode]
    ports: list[FabricPort]
    queues: Annotated[list[FabricQueue], Field(description="Classes of ports that ever held a byte or were held back.")]
    queues_left_out: Annotated[int, Field(description="More of these that are not listed.")]
    flows: FlowRates
    pauses: Annotated[Propagation | None, Field(description="null where no class is lossless.")]
