"""DCQCN: rate control of RDMA over Ethernet by notification packets."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component
from footroom.quantity import Rate, Size, Time, quantity


class Dcqcn(Component):
    """Cuts the rate by half of alpha on a notification; a timer and a byte counter raise it again."""

    about: ClassVar[About] = About(
        title="DCQCN", summary="Notification packets cut the rate; a timer and a byte counter raise it again.",
        sources=("Zhu et al., SIGCOMM 2015, §3 and §5", "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, §3"),
        holds="RED marking of the egress queue, long-lived RDMA flows at a line rate above their share",
        departures="in the fluid engine only, which has no hyper increase and no pause frames",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    kind: Literal["dcqcn"] = "dcqcn"
    rate_increase: Rate = quantity(40e6, "bit/s", "Step of additive increase.", gt=0, le=1e12, symbol="R_AI",
                                   source="Zhu et al., SIGCOMM 2015, table 14")
    gain: float = quantity(1.0 / 256.0, "1", "Weight of the newest interval in alpha.", gt=0, le=1, symbol="g",
                           source="Zhu et al., SIGCOMM 2015, table 14")
    notification_interval: Time = quantity(50e-6, "s", "Least time between two notifications to one flow.", gt=0, le=1,
                                           symbol="τ", source="Zhu et al., SIGCOMM 2015, table 14")
    alpha_timer: Time = quantity(55e-6, "s", "Interval in which alpha is updated.", gt=0, le=1, symbol="τ'",
                                 source="Zhu et al., SIGCOMM 2015, table 14")
    rate_timer: Time = quantity(55e-6, "s", "Interval between increases by time.", gt=0, le=1, symbol="T",
                                source="Zhu et al., SIGCOMM 2015, table 14")
    byte_counter: Size = quantity(10e6, "B", "Bytes between increases by volume.", gt=0, le=1e12, symbol="B",
                                  source="Zhu et al., SIGCOMM 2015, table 14")
    fast_recovery: int = quantity(5, "1", "Increases before the target rate rises.", ge=1, le=1000, symbol="F",
                                  source="Zhu et al., SIGCOMM 2015, table 14")
