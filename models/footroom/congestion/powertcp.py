"""PowerTCP: windows set from queue times current, the power of a link (Addanki, Michel, Schmid, NSDI 2022)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component
from footroom.quantity import Size, Time, quantity


class PowerTcp(Component):
    """Reacts to the product of what is in flight ("voltage") and how fast it arrives ("current").

    In the fluid: dw/dt = (gamma / dt) (w_old e / f + beta - w) with e = C^2 T and f = (q + C T)(dq/dt + sent). The
    ``theta`` variant knows only round trips: f = e (RTT / T)(dRTT/dt + 1). Losses are not answered to.
    """

    about: ClassVar[About] = About(
        title="PowerTCP", summary="Sets the window from the product of what is in flight and how fast it arrives.",
        sources=("Addanki, Michel, Schmid, NSDI 2022 (arXiv 2112.14309), section 3, algorithms 1 and 2",),
        holds="lossless fabrics, one bottleneck, senders paced at w/T",
        departures="telemetry is that of the instant the packet reached the queue; in the fluid engine only",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    kind: Literal["powertcp"] = "powertcp"
    variant: Literal["powertcp", "theta"] = quantity(
        "powertcp", "1", "Feedback used: switch telemetry, or round-trip times only (θ-PowerTCP).",
        source="Addanki et al. 2022, algorithms 1 and 2")
    weight: float = quantity(
        0.9, "1", "Weight of the new window in every update.", gt=0, le=1, symbol="γ",
        source="Addanki et al. 2022, section 3.3")
    update_interval: Time | None = quantity(
        None, "s", "Time between updates; none means the base round trip.", gt=0, le=60, symbol="δt", advanced=True,
        source="Addanki et al. 2022, section 3.2")
    additive_increase: Size | None = quantity(
        None, "B", "What every update adds to the window; none means the line's window shared by expected_flows.",
        ge=1e-3, le=1e9, symbol="β", source="Addanki et al. 2022, section 3.3")
    expected_flows: int = quantity(
        10, "1", "Flows that share a host's line, where additive_increase is left to it.", ge=1, le=1_000_000,
        symbol="N", source="the authors' Linux module")
    base_rtt: Time | None = quantity(
        None, "s", "Base RTT used to compute windows; none means the longest in the network without queueing.",
        gt=0, le=60, symbol="T", source="Addanki et al. 2022, section 3.2")
