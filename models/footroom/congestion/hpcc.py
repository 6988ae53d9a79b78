"""HPCC: windows set from the queue and the rate that every switch writes into the packets (Li et al., SIGCOMM 2019)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component, Profile
from footroom.quantity import Size, Time, quantity


class Hpcc(Component):
    """Steers the bytes in flight to a share of the bandwidth-delay product, and adds a little for fairness.

    In the fluid: dW/dt = (eta W_old / U + W_AI - W) / T, with U = q/(C T) + sent/C as the bottleneck's telemetry tells
    it and W_old the window that produced that U. Losses are not answered to: HPCC runs on lossless fabrics.
    """

    about: ClassVar[About] = About(
        title="HPCC", summary="Sets the window from the queue and rate that switches write into the packets.",
        sources=("Li et al., SIGCOMM 2019, sections 3.2 and 3.3, appendix A",),
        holds="lossless fabrics, one bottleneck, senders paced at W/T",
        departures="every update is multiplicative (maxStage 0 of the published simulator); telemetry is that of the "
                   "instant the packet reached the queue; in the fluid engine only",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile("paper", "As in the paper", {"target_utilisation": 0.95, "additive_increase": 80.0},
                "Li et al., SIGCOMM 2019, section 5", "For about 100 flows at 100 Gb/s and 13 us."),
        Profile("simulator", "The authors' simulator, 100 Gb/s adapters",
                {"target_utilisation": 0.95, "additive_increase": 65.0},
                "alibaba-edu/High-Precision-Congestion-Control, run.py: 10 Mb/s per 25 Gb/s of the adapter",
                "40 Mb/s over 13 us; other rates and round trips ask for other bytes."),
    )
    kind: Literal["hpcc"] = "hpcc"
    target_utilisation: float = quantity(
        0.95, "1", "Share of the bandwidth-delay product to keep in flight.", gt=0, lt=1, symbol="η",
        source="Li et al. 2019, section 5")
    additive_increase: Size = quantity(
        80.0, "B", "Additive increase per update, for fairness.", ge=1e-3, le=1e9, symbol="W_AI",
        source="Li et al. 2019, section 5: (1 - η) of the line's window shared by about 100 flows")
    base_rtt: Time | None = quantity(
        None, "s", "Base RTT used to compute windows; none means the longest in the network without queueing.",
        gt=0, le=60, symbol="T", source="Li et al. 2019, section 3.2")
    reference_window: bool = quantity(
        True, "1", "Scale the window that produced the measured load, rather than the present one, which diverges.",
        source="Li et al. 2019, section 3.2", advanced=True)
