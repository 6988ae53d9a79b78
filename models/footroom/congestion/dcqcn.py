"""DCQCN: rate control of RDMA over Ethernet by congestion notification packets (CNPs)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component, Profile
from footroom.quantity import Rate, Size, Time, quantity

_PAPER = "Zhu et al., SIGCOMM 2015, section 5; Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, section 3"
_NVIDIA = (
    "NVIDIA, DCQCN parameters (DOCA documentation, networking-docs.nvidia.com/doca/archive/3-4-0/dcqcn-cc-parameters), "
    "and ConnectX firmware settings as mlxconfig prints them")
_HPCC = (
    "alibaba-edu/High-Precision-Congestion-Control, simulation/run.py: the DCQCN that HPCC was compared with in Li et "
    "al., SIGCOMM 2019")


class Dcqcn(Component):
    """A notification cuts the rate by half of alpha; a timer and a byte counter raise it again.

    Defaults are the paper's. What network adapters and simulators ship differs widely: see the profiles.
    """

    about: ClassVar[About] = About(
        title="DCQCN", summary="Notifications of marks cut the rate; a timer and a byte counter raise it again.",
        sources=("Zhu et al., SIGCOMM 2015, §3 and §5", "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, §3"),
        holds="marking by RED at the egress, long-lived RDMA flows on a lossless fabric that is not pausing",
        departures="in the fluid engine only: no hyper increase, no reaction to loss or pause frames",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile(
            "paper", "As in the paper",
            {"additive_increase": 40e6, "g": 1 / 256, "cnp_interval": 50e-6, "alpha_timer": 55e-6, "rate_timer": 55e-6,
             "byte_counter": 10e6, "fast_recovery": 5},
            _PAPER, "The paper marks with Kmin 5 kB, Kmax 200 kB, Pmax 1 % at 40 Gb/s."),
        Profile(
            "connectx", "NVIDIA ConnectX, firmware defaults",
            {"additive_increase": 5e6, "g": 5 / 1024, "cnp_interval": 4e-6, "alpha_timer": 1e-6, "rate_timer": 300e-6,
             "byte_counter": 32767 * 64, "fast_recovery": 1, "minimum_rate": 1e6},
            _NVIDIA,
            "rpg_ai_rate 5 Mb/s, dce_tcp_g 1019/1024, rate_reduce_monitor_period 4 us, dce_tcp_rtt 1 us, "
            "rpg_time_reset 300 us, rpg_threshold 1, rpg_min_rate 1 Mb/s. rpg_byte_reset is 32767; its unit is taken "
            "as 64 B, as the simulator google/isekai does, while mlxconfig says bytes. Hyper increase (rpg_hai_rate "
            "50 Mb/s) and the limit of 50 % on one cut are not in the fluid."),
        Profile(
            "hpcc", "HPCC's simulator, 100 Gb/s adapters",
            {"additive_increase": 20e6, "g": 1 / 256, "cnp_interval": 4e-6, "alpha_timer": 1e-6, "rate_timer": 300e-6,
             "byte_counter": None, "fast_recovery": 1, "minimum_rate": 1e9},
            _HPCC,
            "R_AI is 5 Mb/s per 25 Gb/s of the adapter. It marks with Kmin 400 kB, Kmax 1600 kB, Pmax 20 % at 100 "
            "Gb/s. Hyper increase (50 Mb/s per 25 Gb/s) is not in the fluid."),
    )
    kind: Literal["dcqcn"] = "dcqcn"
    additive_increase: Rate = quantity(40e6, "bit/s", "Additive increase of the target rate.", gt=0,
                                       le=1e12, symbol="R_AI", source=_PAPER)
    g: float = quantity(1.0 / 256.0, "1", "Weight of the latest interval in alpha.", gt=0, le=1, symbol="g",
                        source=_PAPER)
    cnp_interval: Time = quantity(
        50e-6, "s", "Minimum time between two notifications to one flow, and so between two cuts.",
                                  gt=0, le=1, symbol="τ", source=_PAPER)
    alpha_timer: Time = quantity(55e-6, "s", "Time between two updates of alpha.", gt=0, le=1, symbol="τ'",
                                 source=_PAPER)
    rate_timer: Time = quantity(55e-6, "s", "Time between two increases by the timer.", gt=0, le=10, symbol="T",
                                source=_PAPER)
    byte_counter: Size | None = quantity(10e6, "B", "Bytes between two increases by the byte counter; none switches it "
                                         "off.", gt=0, le=1e15, symbol="B", source=_PAPER)
    fast_recovery: int = quantity(5, "1", "Increases after a cut before the target rate grows.", ge=1, le=1000,
                                  symbol="F", source=_PAPER, advanced=True)
    minimum_rate: Rate = quantity(1e6, "bit/s", "Minimum rate after a notification.", gt=0, le=1e12,
                                  symbol="R_min", source=_NVIDIA, advanced=True)
