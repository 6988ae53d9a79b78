"""DCQCN: rate control of RDMA over Ethernet by congestion notification packets (CNPs)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About, Profile
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.kernel.hooks import law_hook, row
from footroom.parts.congestion.law import RDMA, Hooks, Law

_PAPER = "Zhu et al., SIGCOMM 2015, section 5; Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, section 3"
_NVIDIA = (
    "NVIDIA, DCQCN parameters (DOCA documentation, networking-docs.nvidia.com/doca/archive/3-4-0/dcqcn-cc-parameters), "
    "and ConnectX firmware settings as mlxconfig prints them"
)
_HPCC = (
    "alibaba-edu/High-Precision-Congestion-Control, simulation/run.py: the DCQCN that HPCC was compared with in Li et "
    "al., SIGCOMM 2019"
)

# Parameters.
_INCREASE, _HYPER, _GAIN, _ALPHA_TIMER, _TIMER, _COUNTER, _RECOVERY, _LEAST, _GROWS, _FOLLOWS = range(10)
# The law's own memory: alpha, and when it was last changed; target and line rate; increases since the last cut by timer
# and by counter; when the timer is due, and what the counter has left (0 each: they do not run).
_ALPHA, _CHANGED, _TARGET, _LINE, _TIMED, _COUNTED, _DUE, _LEFT = range(8)


@law_hook
def _on_start(flow, own, params, report):
    f = row(flow)
    if row(report).resumed == 0:
        own[_ALPHA] = 1.0
        own[_TARGET] = f.rate
        own[_LINE] = f.rate
    return 0


@law_hook
def _on_notice(flow, own, params, report):
    f, now = row(flow), float(row(report).now)
    if own[_CHANGED] > 0.0:
        # Alpha's timer has expired that often since; it is reset by every notification.
        idle = (now - own[_CHANGED] - 1.0) // params[_ALPHA_TIMER]
        own[_ALPHA] *= (1.0 - params[_GAIN]) ** idle
    if params[_FOLLOWS] != 0.0 or own[_TIMED] + own[_COUNTED] > 0.0:
        own[_TARGET] = f.rate
    f.rate = max(f.rate * (1.0 - own[_ALPHA] / 2.0), min(params[_LEAST], own[_LINE]))
    own[_ALPHA] += params[_GAIN] * (1.0 - own[_ALPHA])
    own[_CHANGED] = now
    own[_TIMED] = 0.0
    own[_COUNTED] = 0.0
    own[_DUE] = now + params[_TIMER]
    own[_LEFT] = params[_COUNTER]
    f.law_at = int(own[_DUE])
    return 0


@law_hook
def _raise(flow, own, params, report):
    """The rate timer has expired (bytes is 0), or a packet was sent: each expiry is an increase."""
    f, r = row(flow), row(report)
    if own[_DUE] == 0.0 or (r.bytes > 0 and params[_COUNTER] == 0.0):
        return 0
    own[_LEFT] -= float(r.bytes)
    while own[_DUE] > 0.0:
        if r.bytes == 0:
            if own[_DUE] > float(r.now):
                break
            own[_DUE] += params[_TIMER]
            own[_TIMED] += 1.0
        else:
            if own[_LEFT] > 0.0:
                break
            own[_LEFT] += params[_COUNTER]
            own[_COUNTED] += 1.0
        # Beyond fast recovery the target grows; fast where both have got there. Without a counter the timer alone
        # counts, with one slow increase before the fast ones.
        hyper = (own[_TIMED] - 1.0 if params[_COUNTER] == 0.0 else min(own[_TIMED], own[_COUNTED])) - params[_RECOVERY]
        if params[_HYPER] > 0.0 and hyper > 0.0:
            own[_TARGET] += params[_HYPER] * (hyper if params[_GROWS] != 0.0 else 1.0)
        elif max(own[_TIMED], own[_COUNTED]) > params[_RECOVERY]:
            own[_TARGET] += params[_INCREASE]
        own[_TARGET] = min(own[_TARGET], own[_LINE])
        f.rate = (f.rate + own[_TARGET]) / 2.0
        if own[_LINE] - f.rate < 1.0:  # at line rate, to a bit per second, there is nothing left to raise
            f.rate = own[_LINE]
            own[_DUE] = 0.0
    if own[_DUE] > 0.0:  # over a connection that was idle it may be due already
        f.law_at = max(int(own[_DUE]), r.now)
    return 0


class Dcqcn(Law):
    """A notification cuts the rate by half of alpha; a timer and a byte counter raise it again.

    Flows start at line rate. A notification sets the target rate R_T to the rate R, cuts R by R alpha / 2, moves alpha
    towards 1 by a share g and starts timer and counter afresh; alpha falls by a share g whenever ``alpha_timer`` has
    passed without one. Each expiry of the rate timer or of the byte counter sets R to (R + R_T)/2, after R_T was raised
    by R_AI if more than F of either have passed since the last cut, or by R_HAI if more than F of both have. It does
    not react to losses; the host's recovery does.

    Defaults are the paper's. What network adapters and simulators ship differs widely: see the profiles.
    """

    about: ClassVar[About] = About(
        title="DCQCN",
        summary="Notifications of marks cut the rate; a timer and a byte counter raise it again.",
        sources=("Zhu et al., SIGCOMM 2015, §3 and §5", "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, §3"),
        holds="marking by RED at the egress, long-lived RDMA flows on a lossless fabric that is not pausing",
        departures="fluid: no hyper increase, the target follows every cut, no reaction to loss or pause frames; "
        "packet: a notification cuts when it arrives, where adapters look for one every few microseconds",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid", "packet", "reference")
    recoveries: ClassVar[tuple[str, ...]] = RDMA
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile(
            "paper",
            "As in the paper",
            {
                "additive_increase": 40e6,
                "g": 1 / 256,
                "cnp_interval": 50e-6,
                "alpha_timer": 55e-6,
                "rate_timer": 55e-6,
                "byte_counter": 10e6,
                "fast_recovery": 5,
                "hyper_increase": None,
                "target_follows": True,
            },
            _PAPER,
            "The paper marks with Kmin 5 kB, Kmax 200 kB, Pmax 1 % at 40 Gb/s. It does not say how large its "
            "hyper increase is.",
        ),
        Profile(
            "connectx",
            "NVIDIA ConnectX, firmware defaults",
            {
                "additive_increase": 5e6,
                "g": 5 / 1024,
                "cnp_interval": 4e-6,
                "alpha_timer": 1e-6,
                "rate_timer": 300e-6,
                "byte_counter": 32767 * 64,
                "fast_recovery": 1,
                "minimum_rate": 1e6,
                "hyper_increase": 50e6,
                "target_follows": False,
            },
            _NVIDIA,
            "rpg_ai_rate 5 Mb/s, dce_tcp_g 1019/1024, rate_reduce_monitor_period 4 us, dce_tcp_rtt 1 us, "
            "rpg_time_reset 300 us, rpg_threshold 1, rpg_min_rate 1 Mb/s. rpg_byte_reset is 32767; its unit is taken "
            "as 64 B, as the simulator google/isekai does, while mlxconfig says bytes. rpg_hai_rate 50 Mb/s, "
            "clamp_tgt_rate 0; the fluid has neither.",
        ),
        Profile(
            "hpcc",
            "HPCC's simulator, 100 Gb/s adapters",
            {
                "additive_increase": 20e6,
                "g": 1 / 256,
                "cnp_interval": 4e-6,
                "alpha_timer": 1e-6,
                "rate_timer": 300e-6,
                "byte_counter": None,
                "fast_recovery": 1,
                "minimum_rate": 1e9,
                "hyper_increase": 200e6,
                "hyper_grows": False,
                "target_follows": False,
            },
            _HPCC,
            "R_AI is 5 Mb/s per 25 Gb/s of the adapter. It marks with Kmin 400 kB, Kmax 1600 kB, Pmax 20 % at 100 "
            "Gb/s. R_HAI is 50 Mb/s per 25 Gb/s; the fluid has no hyper increase, and its target follows every cut.",
        ),
    )
    kind: Literal["dcqcn"] = "dcqcn"
    additive_increase: Rate = quantity(
        40e6, "bit/s", "Additive increase of the target rate.", gt=0, le=1e12, symbol="R_AI", source=_PAPER
    )
    g: float = quantity(
        1.0 / 256.0, "1", "Weight of the latest interval in alpha.", gt=0, le=1, symbol="g", source=_PAPER
    )
    cnp_interval: Time = quantity(
        50e-6,
        "s",
        "Minimum time between two notifications to one flow, and so between two cuts.",
        ge=1e-9,
        le=1,
        symbol="τ",
        source=_PAPER,
    )
    alpha_timer: Time = quantity(
        55e-6, "s", "Time between two updates of alpha.", ge=1e-9, le=1, symbol="τ'", source=_PAPER
    )
    rate_timer: Time = quantity(
        55e-6, "s", "Time between two increases by the timer.", ge=1e-9, le=10, symbol="T", source=_PAPER
    )
    byte_counter: Size | None = quantity(
        10e6,
        "B",
        "Bytes between two increases by the byte counter; none switches it off.",
        ge=1,
        le=1e15,
        symbol="B",
        source=_PAPER,
    )
    fast_recovery: int = quantity(
        5,
        "1",
        "Increases after a cut before the target rate grows.",
        ge=1,
        le=1000,
        symbol="F",
        source=_PAPER,
        advanced=True,
    )
    hyper_increase: Rate | None = quantity(
        None,
        "bit/s",
        "Hyper increase of the target rate, once timer and byte counter have both passed fast recovery; none stays "
        "with the additive increase. Without a byte counter the timer alone counts, after one additive increase.",
        gt=0,
        le=1e12,
        symbol="R_HAI",
        source=_PAPER,
        advanced=True,
    )
    hyper_grows: bool = quantity(
        True,
        "1",
        "Make the n-th hyper increase since a cut n times as large.",
        source="bobzhuyb/ns3-rdma, qbb-net-device.cc; not so in alibaba-edu/High-Precision-Congestion-Control",
        advanced=True,
    )
    target_follows: bool = quantity(
        True,
        "1",
        "Lower the target rate at every cut to the rate before the cut, even if it has not grown since the previous "
        "cut.",
        source=_PAPER + "; clamp_tgt_rate of adapters",
        advanced=True,
    )
    minimum_rate: Rate = quantity(
        1e6, "bit/s", "Minimum rate after a notification.", ge=1, le=1e12, symbol="R_min", source=_NVIDIA, advanced=True
    )

    def hooks(self) -> Hooks:
        return Hooks(_on_start, on_notice=_on_notice, on_timer=_raise, on_sent=_raise if self.byte_counter else None)

    def scratch(self) -> int:
        return 8

    def at_line_rate(self, window: float, buffer: float, marked: bool) -> float:
        """1 without marks: nothing else slows it down."""
        return 0.0 if marked else 1.0

    def notices(self) -> float | None:
        return self.cnp_interval

    def parameters(self) -> tuple[float, ...]:
        # Whole picoseconds, as events have them: a timer that was due within one would expire there for ever.
        return (
            self.additive_increase,
            self.hyper_increase or 0.0,
            self.g,
            float(round(self.alpha_timer * 1e12)),
            float(round(self.rate_timer * 1e12)),
            self.byte_counter or 0.0,
            float(self.fast_recovery),
            self.minimum_rate,
            float(self.hyper_grows),
            float(self.target_follows),
        )
