"""PowerTCP: windows set from queue times current, the power of a link (Addanki, Michel, Schmid, NSDI 2022)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About, Profile
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.kernel.hooks import Hook, integers, law_hook, row
from footroom.kernel.tables import HOP_BYTES, HOP_QUEUE, HOP_RATE, HOP_TIME, HOP_WORDS
from footroom.parts.congestion.law import RDMA, Hooks, Law

# Parameters.
_WEIGHT, _INCREASE, _FLOWS, _LEAST, _FLOOR, _INTERVAL, _TRIP, _DIVISOR = range(8)
# The law's own memory: the window, the window of a round trip ago, and that of the line [B]; smoothed power; the
# segment whose acknowledgement begins the next round trip; base round trip [ps]; bytes of a full packet on the link;
# line rate; what every update adds [B]; when the window was last updated; how many switches were seen, or 1 once a
# round trip was; then of each switch when, bytes and queue, or of the last acknowledgement when and its round trip.
_WINDOW, _OLD, _LINE, _POWER, _NEXT, _BASE, _PACKET, _RATE, _STEP, _UPDATED, _SEEN, _HOPS = range(12)
_WHEN, _BYTES, _QUEUE, _KEPT = range(4)
#: Least power: smaller ones are raised to it, so that nothing divides by the power of an idle link.
_IDLE = 1e-6


@law_hook
def _on_start(flow, own, params, report):
    f, r = row(flow), row(report)
    own[_NEXT] = 0.0
    if r.resumed != 0:
        return 0
    own[_BASE] = params[_TRIP] if params[_TRIP] > 0.0 else float(r.base_rtt)
    own[_PACKET] = float(r.bytes)
    own[_RATE] = f.rate
    own[_LINE] = f.rate * own[_BASE] * 1e-12 / 8.0
    own[_STEP] = params[_INCREASE] if params[_INCREASE] > 0.0 else own[_LINE] / params[_FLOWS]
    own[_WINDOW] = own[_LINE]
    own[_OLD] = own[_LINE]
    own[_POWER] = 1.0
    f.cwnd = own[_LINE] / own[_PACKET]
    return 0


def _hook(theta: bool) -> Hook:
    """The hook that is told of acknowledgements: algorithm 1 of the paper, or 2 (theta)."""

    @law_hook
    def _on_ack(flow, own, params, report):
        f, r = row(flow), row(report)
        first = own[_SEEN] == 0.0
        whole = f.una > own[_NEXT]
        power, span = 0.0, 0.0
        if theta:
            now, trip = float(r.now), float(r.rtt)
            passed = now - own[_HOPS + _WHEN]
            if not first and passed > 0.0:
                current = max((trip - own[_HOPS + _BYTES]) / passed + 1.0, params[_FLOOR])
                power = current * trip / own[_BASE]
                span = passed
            own[_HOPS + _WHEN] = now
            own[_HOPS + _BYTES] = trip
            own[_SEEN] = 1.0
        else:
            told = integers(r.telemetry)
            hops = told[0]
            for hop in range(hops):
                at, kept = HOP_WORDS * hop, _HOPS + _KEPT * hop
                when, sent, queue = float(told[at + HOP_TIME]), float(told[at + HOP_BYTES]), float(told[at + HOP_QUEUE])
                passed = when - own[kept + _WHEN]
                if not first and passed > 0.0:
                    byte = float(told[at + HOP_RATE]) / 65536.0
                    current = (queue - own[kept + _QUEUE] + sent - own[kept + _BYTES]) * byte / passed
                    found = max(current, params[_FLOOR]) * (queue * byte / own[_BASE] + 1.0)
                    if span == 0.0 or found > power:
                        power = found
                        span = passed
                own[kept + _WHEN] = when
                own[kept + _BYTES] = sent
                own[kept + _QUEUE] = queue
            own[_SEEN] = float(hops)
        if span > 0.0:
            share = min(span, own[_BASE]) / own[_BASE]
            own[_POWER] = (1.0 - share) * own[_POWER] + share * power
            updates = whole if theta else float(r.now) - own[_UPDATED] >= params[_INTERVAL]
            if updates:
                scaled = own[_OLD] / (max(own[_POWER], _IDLE) / params[_DIVISOR])
                window = params[_WEIGHT] * (scaled + own[_STEP]) + (1.0 - params[_WEIGHT]) * own[_WINDOW]
                least = min(params[_LEAST] / own[_RATE], 1.0) * own[_LINE]
                window = min(max(window, least), own[_LINE])
                own[_WINDOW] = window
                own[_UPDATED] = float(r.now)
                f.cwnd = window / own[_PACKET]
                f.rate = own[_RATE] * (window / own[_LINE])
        if first or whole:
            own[_OLD] = own[_WINDOW]
            own[_NEXT] = max(own[_NEXT], float(f.nxt))
        return 0

    return _on_ack


_on_telemetry, _on_round_trip = _hook(theta=False), _hook(theta=True)


class PowerTcp(Law):
    """Reacts to the product of what is in flight ("voltage") and how fast it arrives ("current").

    Every acknowledgement gives the power of each link over its power at full rate without a queue,
    (dq/dt + sent) (q + C T) / (C^2 T). The highest, averaged over T, sets the window
    w = gamma (w_old / power + beta) + (1 - gamma) w, with w_old the window of a round trip ago. The ``theta`` variant
    knows only round trips: its power is (RTT / T) (dRTT/dt + 1), and its window moves once per round trip. Flows start
    with the line's window C T, are paced at w/T and have at most w in flight. It does not react to losses.

    In the fluid: dw/dt = (gamma / dt) (w_old e / f + beta - w) with e = C^2 T and f = (q + C T)(dq/dt + sent), or
    f = e (RTT / T)(dRTT/dt + 1).
    """

    about: ClassVar[About] = About(
        title="PowerTCP",
        summary="Sets the window from the product of what is in flight and how fast it arrives.",
        sources=(
            "Addanki, Michel, Schmid, NSDI 2022 (arXiv 2112.14309), section 3, algorithms 1 and 2",
            "inet-tub/ns3-datacenter, rdma-hw.cc (UpdateRatePower)",
        ),
        holds="lossless fabrics, senders paced at w/T; in the fluid one bottleneck",
        departures="fluid: telemetry is that of the instant the packet reached the queue, and power is not averaged; "
        "packet: telemetry is exact, windows are at most the line's",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid", "packet", "reference")
    recoveries: ClassVar[tuple[str, ...]] = RDMA
    acknowledged_one_by_one: ClassVar[bool] = True
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile(
            "paper", "As in the paper", {"weight": 0.9, "target_utilisation": 1.0}, "Addanki et al. 2022, section 3.3"
        ),
        Profile(
            "simulator",
            "The authors' simulator, telemetry",
            {"weight": 0.9, "current_floor": 0.5, "target_utilisation": 0.95},
            "inet-tub/ns3-datacenter, rdma-hw.cc (UpdateRatePower)",
            "It adds 150 Mb/s per update at any rate: set additive_increase to 150 Mb/s times the base round trip.",
        ),
        Profile(
            "simulator_theta",
            "The authors' simulator, round trips",
            {"variant": "theta", "weight": 0.7, "current_floor": 0.5, "target_utilisation": 1.0},
            "inet-tub/ns3-datacenter, rdma-hw.cc (UpdateRatePower)",
            "Its base_rtt is 1.05 times the lowest round trip that a flow has seen. It adds 150 Mb/s.",
        ),
    )
    kind: Literal["powertcp"] = "powertcp"
    variant: Literal["powertcp", "theta"] = quantity(
        "powertcp",
        "1",
        "Feedback used: switch telemetry, or round-trip times only (θ-PowerTCP).",
        source="Addanki et al. 2022, algorithms 1 and 2",
    )
    weight: float = quantity(
        0.9,
        "1",
        "Weight of the new window in every update.",
        gt=0,
        le=1,
        symbol="γ",
        source="Addanki et al. 2022, section 3.3",
    )
    update_interval: Time | None = quantity(
        None,
        "s",
        "Minimum time between updates; none means the base round trip in the fluid and every acknowledgement in the "
        "packet engines. Theta updates once per round trip there.",
        gt=0,
        le=60,
        symbol="δt",
        advanced=True,
        source="Addanki et al. 2022, section 3.2",
    )
    additive_increase: Size | None = quantity(
        None,
        "B",
        "Additive increase of the window per update; none means the line's window divided by expected_flows.",
        ge=1e-3,
        le=1e9,
        symbol="β",
        source="Addanki et al. 2022, section 3.3",
    )
    expected_flows: int = quantity(
        10,
        "1",
        "Flows expected to share a host's line; used where additive_increase is none.",
        ge=1,
        le=1_000_000,
        symbol="N",
        source="the authors' Linux module",
    )
    base_rtt: Time | None = quantity(
        None,
        "s",
        "Base RTT used to compute windows; none means the longest in the network without queueing.",
        gt=0,
        le=60,
        symbol="T",
        source="Addanki et al. 2022, section 3.2",
    )
    current_floor: float | None = quantity(
        None,
        "1",
        "Minimum current, in units of the link's rate; in the packet engines. None means 0 with telemetry and 0.5 "
        "for theta, which does not converge with 0: as a queue drains, differences of round trips over differences "
        "of arrival times fall below the true current, and below 0.",
        ge=0,
        lt=1,
        source="not in the paper; 0.5 in inet-tub/ns3-datacenter, rdma-hw.cc (UpdateRatePower)",
        advanced=True,
    )
    target_utilisation: float = quantity(
        1.0,
        "1",
        "Power at which only the additive increase changes the window, in units of a full link without a queue; in "
        "the packet engines.",
        gt=0,
        le=1,
        source="1 in the paper; 0.95 in inet-tub/ns3-datacenter, rdma-hw.cc",
        advanced=True,
    )
    minimum_rate: Rate = quantity(
        100e6,
        "bit/s",
        "Minimum rate of a flow, and with it of its window; in the packet engines.",
        ge=1,
        le=1e12,
        symbol="R_min",
        source="rdma-hw.cc MinRate",
        advanced=True,
    )
    telemetry_header: Size = quantity(
        42.0,
        "B",
        "What telemetry adds to the headers of every data packet and acknowledgement; in the packet "
        "engines, and not in variant theta.",
        ge=0,
        le=1000,
        source="int-header.h of HPCC: five switches of 8 B and a count of 2 B",
        advanced=True,
    )

    def least_current(self) -> float:
        """Least current, in units of the link's rate."""
        if self.current_floor is None:
            return 0.5 if self.variant == "theta" else 0.0
        return self.current_floor

    def at_line_rate(self, window: float, buffer: float, marked: bool) -> float:
        """Go-back-N sends whole windows again where these are larger than the switch; small ones are cut at once."""
        return min(1.0, window / (4.0 * buffer))

    def hooks(self) -> Hooks:
        return Hooks(_on_start, _on_round_trip if self.variant == "theta" else _on_telemetry)

    def scratch(self) -> int:
        return 27

    def telemetry(self) -> bool:
        return self.variant != "theta"

    def overhead(self) -> int:
        return int(self.telemetry_header) if self.telemetry() else 0

    def parameters(self) -> tuple[float, ...]:
        return (
            self.weight,
            self.additive_increase or 0.0,
            float(self.expected_flows),
            self.minimum_rate,
            self.least_current(),
            (self.update_interval or 0.0) * 1e12,
            (self.base_rtt or 0.0) * 1e12,
            self.target_utilisation,
        )
