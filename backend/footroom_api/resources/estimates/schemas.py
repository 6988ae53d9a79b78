"""What the resource ``estimates`` takes and answers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom_api.schemas import AxisValues, PointDocument, Strict, UnsupportedDocument


class EstimateRequest(Strict):
    """A scenario, or a sweep of it, for the engines that answer at once."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    over: dict[str, AxisValues] | None = Field(
        default=None, description='Path to values or to a range such as "25kB:2.5MB:log9".', max_length=8
    )
    engines: list[str] | None = Field(default=None, description="theory, fluid; none means both.", max_length=8)
    scale: float | None = Field(
        default=None,
        ge=1,
        le=1e6,
        strict=True,
        description="By what every point is made smaller first: rates "
        "and flows, with buffers to match; each result then tells what that kept. None means as it is.",
    )


class Derived(BaseModel):
    """What follows from a scenario by arithmetic, for read-outs. bytes, packets, seconds, bit/s."""

    buffer: float = Field(description="Packet memory [B].")
    buffer_packets: float = Field(description="Packet memory in full packets.")
    capacity: float = Field(description="Rate of the slowest link the metrics describe [bit/s].")
    packet_time: float = Field(description="Time a full packet takes on that link [s].")
    drain_time: float = Field(description="Time that link takes to send a full buffer [s].")
    rtt: float | None = Field(default=None, description="Base round-trip time [s], where the topology has one.")
    bdp: float | None = Field(default=None, description="Capacity times base round-trip time [B].")
    bdp_packets: float | None = Field(default=None, description="The same in full packets.")
    buffer_over_bdp: float | None = Field(default=None, description="Packet memory over bandwidth-delay product.")
    flows: int = Field(description="Long-lived flows, all traffic classes together.")
    bdp_over_root_flows: float | None = Field(default=None, description="BDP/√n for n long-lived flows [B].")
    load: float = Field(description="Offered load of the open-loop traffic, all classes together.")


class Estimates(BaseModel):
    """What theory and fluid say, at once."""

    points: list[PointDocument]
    unsupported: list[UnsupportedDocument]
    derived: Derived
