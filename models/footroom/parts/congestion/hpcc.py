"""HPCC: windows set from the queue and the rate that every switch writes into the packets (Li et al., SIGCOMM 2019)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About, Profile
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.kernel.hooks import integers, law_hook, row
from footroom.kernel.tables import HOP_BYTES, HOP_QUEUE, HOP_RATE, HOP_TIME, HOP_WORDS
from footroom.parts.congestion.law import RDMA, TCP, Hooks, Law

# Parameters.
_TARGET, _INCREASE, _STAGES, _EVERY, _LEAST, _REFERENCE, _TRIP, _FEWEST, _AT_LINE, _HALVES = range(10)
# The law's own memory: the reference window and the line's [B]; the load; increases since the last multiplicative
# update; the segment whose acknowledgement begins the next round trip; base round trip [ps]; bytes of a full packet on
# the link; line rate; smallest window over TCP [B], 0 over RDMA; how many switches were seen, and of each of them when,
# bytes and queue.
_WINDOW, _LINE, _LOAD, _STAGE, _NEXT, _BASE, _PACKET, _RATE, _SMALLEST, _SEEN, _HOPS = range(11)
_WHEN, _BYTES, _QUEUE, _KEPT = range(4)


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
    own[_WINDOW] = own[_LINE]
    own[_LOAD] = 1.0
    if r.tcp != 0:
        own[_SMALLEST] = params[_FEWEST] * own[_PACKET]
        if params[_AT_LINE] == 0.0:
            own[_WINDOW] = float(r.window) * own[_PACKET]
        own[_WINDOW] = max(own[_WINDOW], own[_SMALLEST])
        f.ssthresh = 0.0  # there is no slow start
    f.cwnd = own[_WINDOW] / own[_PACKET]
    return 0


@law_hook
def _on_ack(flow, own, params, report):
    """The algorithm of section 3.3: MeasureInflight, ComputeWind and NewAck."""
    f, r = row(flow), row(report)
    if r.telemetry == 0:  # over TCP, new data was acknowledged: after a timeout the window grows until telemetry comes
        if f.mode == 2 and f.cwnd < f.ssthresh:
            f.cwnd = min(f.cwnd + float(r.delivered), f.ssthresh)
        return 0
    told = integers(r.telemetry)
    hops = told[0]
    first = own[_SEEN] == 0.0
    whole = r.probe != 0 or f.una > own[_NEXT]  # a round trip since the reference window was set last
    if not first and not whole and params[_EVERY] == 0.0:
        return 0
    highest, span = 0.0, 0.0
    for hop in range(hops):
        at, kept = HOP_WORDS * hop, _HOPS + _KEPT * hop
        when, sent, queue = float(told[at + HOP_TIME]), float(told[at + HOP_BYTES]), float(told[at + HOP_QUEUE])
        passed = when - own[kept + _WHEN]
        if not first and passed > 0.0:
            byte = float(told[at + HOP_RATE]) / 65536.0
            load = (sent - own[kept + _BYTES]) * byte / passed + min(queue, own[kept + _QUEUE]) * byte / own[_BASE]
            if load > highest:
                highest = load
                span = passed
        own[kept + _WHEN] = when
        own[kept + _BYTES] = sent
        own[kept + _QUEUE] = queue
    own[_SEEN] = float(hops)
    # Over TCP, the window belongs to the repair of losses while that lasts.
    if highest > 0.0:
        share = min(span, own[_BASE]) / own[_BASE]
        own[_LOAD] = (1.0 - share) * own[_LOAD] + share * highest
    if highest > 0.0 and (own[_SMALLEST] == 0.0 or f.mode != 1):
        scales = own[_LOAD] >= params[_TARGET] or own[_STAGE] >= params[_STAGES]
        window = own[_WINDOW] + params[_INCREASE]
        if scales:
            window = own[_WINDOW] / (own[_LOAD] / params[_TARGET]) + params[_INCREASE]
        least = min(params[_LEAST] / own[_RATE], 1.0) * own[_LINE]
        window = max(min(max(window, least), own[_LINE]), own[_SMALLEST])
        f.cwnd = window / own[_PACKET]
        f.rate = own[_RATE] * (window / own[_LINE])
        if whole:
            own[_STAGE] = 0.0 if scales else own[_STAGE] + 1.0
        if whole or params[_REFERENCE] == 0.0:
            own[_WINDOW] = window
    if first or whole:
        own[_NEXT] = max(own[_NEXT], float(f.nxt))
    return 0


@law_hook
def _on_loss(flow, own, params, report):
    """Losses over TCP: the windows are halved as NewReno halves them, or kept."""
    f = row(flow)
    own[_STAGE] = 0.0
    if params[_HALVES] == 0.0:
        f.ssthresh = max(own[_WINDOW] / own[_PACKET], 2.0)
        return 0
    f.ssthresh = max(min(float(row(report).flight), f.cwnd) / 2.0, 2.0)
    own[_WINDOW] = max(min(own[_WINDOW], f.ssthresh * own[_PACKET]), own[_SMALLEST])
    return 0


class Hpcc(Law):
    """Steers the bytes in flight to a share of the bandwidth-delay product, and adds a little for fairness.

    Every acknowledgement brings back when the packet left each switch, what the port had sent and what waited there.
    Two of them give the load U = min(q, q')/(C T) + sent/C of every link; the highest, averaged over T, sets the window
    W = W_c eta/U + W_AI, or W_c + W_AI for ``max_stage`` round trips while U is below eta. W_c is the window of a round
    trip ago, so that acknowledgements of one round trip do not compound. Flows start with the line's window C T, are
    paced at W/T and have at most W in flight. It does not react to losses: HPCC runs on lossless fabrics.

    Over TCP (``host.recovery`` prr, sack or newreno) the window alone limits a flow, acknowledgements may cover several
    packets, and telemetry comes by ``telemetry_by``: a probe once per round trip, which the receiver sends back at
    once, or data packets, the newest of which an acknowledgement echoes. Every probe ends a round trip: it sets the
    window and W_c.

    In the fluid: dW/dt = (eta W_old / U + W_AI - W) / T, with W_old the window that produced U.
    """

    about: ClassVar[About] = About(
        title="HPCC",
        summary="Sets the window from the queue and rate that switches write into the packets.",
        sources=(
            "Li et al., SIGCOMM 2019, sections 3.2 and 3.3, appendix A",
            "alibaba-edu/High-Precision-Congestion-Control, rdma-hw.cc and int-header.h",
            "Miao et al., Workshop on Buffer Sizing 2019, sections 2.1 and 2.2: over TCP",
        ),
        holds="lossless fabrics, senders paced at W/T, or TCP; in the fluid one bottleneck",
        departures="fluid: every update is multiplicative (maxStage 0), telemetry is that of the instant the packet "
        "reached the queue; packet: telemetry is exact, where its header counts 128 B sent, 80 B waiting "
        "and nanoseconds; one reference window for all links; over TCP the window at the start and after "
        "losses and the smallest one, which no paper gives, are parameters",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid", "packet", "reference")
    recoveries: ClassVar[tuple[str, ...]] = (*RDMA, *TCP)
    acknowledged_one_by_one: ClassVar[bool] = True  # run.py L2_ACK_INTERVAL 1; a window may be less than two packets
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile(
            "paper",
            "As in the paper",
            {"target_utilisation": 0.95, "additive_increase": 80.0, "max_stage": 5},
            "Li et al., SIGCOMM 2019, section 5",
            "For about 100 flows at 100 Gb/s and 13 us.",
        ),
        Profile(
            "simulator",
            "The authors' simulator, 100 Gb/s adapters",
            {"target_utilisation": 0.95, "additive_increase": 65.0, "max_stage": 0, "minimum_rate": 1e9},
            "alibaba-edu/High-Precision-Congestion-Control, run.py: 10 Mb/s per 25 Gb/s of the adapter",
            "40 Mb/s over 13 us; other rates and round trips need another value.",
        ),
    )
    kind: Literal["hpcc"] = "hpcc"
    target_utilisation: float = quantity(
        0.95,
        "1",
        "Share of the bandwidth-delay product to keep in flight.",
        gt=0,
        lt=1,
        symbol="η",
        source="Li et al. 2019, section 5",
    )
    additive_increase: Size = quantity(
        80.0,
        "B",
        "Additive increase per update, for fairness.",
        ge=1e-3,
        le=1e9,
        symbol="W_AI",
        source="Li et al. 2019, section 5: (1 - η) of the line's window shared by about 100 flows",
    )
    base_rtt: Time | None = quantity(
        None,
        "s",
        "Base RTT used to compute windows; none means the longest in the network without queueing.",
        gt=0,
        le=60,
        symbol="T",
        source="Li et al. 2019, section 3.2",
    )
    reference_window: bool = quantity(
        True,
        "1",
        "Scale the window that produced the measured load, instead of the current one; scaling the current one "
        "diverges.",
        source="Li et al. 2019, section 3.2",
        advanced=True,
    )
    max_stage: int = quantity(
        5,
        "1",
        "Round trips of additive increase alone before the window is scaled to the load again; 0 always scales "
        "it. In the packet engines.",
        ge=0,
        le=1000,
        symbol="maxStage",
        source="Li et al. 2019, section 5; rdma-hw.cc MiThresh 5, but 0 in the authors' run.py",
        advanced=True,
    )
    fast_reaction: bool = quantity(
        True,
        "1",
        "React to every acknowledgement, not only once per round trip; in the packet engines. A probe comes "
        "once per round trip in any case.",
        source="Li et al. 2019, section 3.2; rdma-hw.cc FastReact",
        advanced=True,
    )
    minimum_rate: Rate = quantity(
        100e6,
        "bit/s",
        "Minimum rate of a flow, and with it of its window; in the packet engines.",
        ge=1,
        le=1e12,
        symbol="R_min",
        source="rdma-hw.cc MinRate; 1 Gb/s in the authors' run.py",
        advanced=True,
    )
    telemetry_header: Size = quantity(
        42.0,
        "B",
        "What telemetry adds to the headers of every data packet and acknowledgement, or of a probe; in the "
        "packet engines.",
        ge=0,
        le=1000,
        source="int-header.h: five switches of 8 B and a count of 2 B",
        advanced=True,
    )

    telemetry_by: Literal["probe", "data"] = quantity(
        "probe",
        "1",
        "Over TCP, what carries telemetry: a probe that the sender sends once per round trip and the "
        "receiver sends back, or every data packet; then an acknowledgement echoes the telemetry of the newest packet "
        "it covers. Over RDMA data carries it.",
        source="Miao et al. 2019, section 2.1, for the probe; rdma-hw.cc ReceiveUdp for the packet echoed",
        advanced=True,
    )
    minimum_window: float = quantity(
        2.0,
        "packet",
        "Smallest window over TCP. Below host.ack_every, the receiver withholds acknowledgements for "
        "host.ack_delay; no source gives a value.",
        ge=1,
        le=1000,
        symbol="W_min",
        source="Linux tcp_dctcp, for a value",
        advanced=True,
    )
    line_start: bool = quantity(
        False,
        "1",
        "Over TCP, start with a window of line rate times base RTT, as over RDMA, instead of host.initial_window; "
        "no source says which.",
        source="RFC 6928 for the default",
        advanced=True,
    )
    loss_response: Literal["halve", "none"] = quantity(
        "halve",
        "1",
        "Over TCP, what a loss does to the window: halve sets it, and W_c, to half of what is in flight, as NewReno "
        "does; none leaves the reaction to telemetry. After a timeout the window is one packet, and doubles until "
        "telemetry comes. No source says which.",
        source="RFC 5681 §3.1 for the default",
        advanced=True,
    )

    def at_line_rate(self, window: float, buffer: float, marked: bool) -> float:
        """Go-back-N sends whole windows again where these are larger than the switch; small ones are cut at once."""
        return min(1.0, window / (4.0 * buffer))

    def hooks(self) -> Hooks:
        return Hooks(_on_start, _on_ack, _on_loss, _on_loss)

    def scratch(self) -> int:
        return 26

    def telemetry(self) -> bool:
        return True

    def probes(self) -> bool:
        return self.telemetry_by == "probe"

    def overhead(self) -> int:
        return int(self.telemetry_header)

    def parameters(self) -> tuple[float, ...]:
        return (
            self.target_utilisation,
            self.additive_increase,
            float(self.max_stage),
            float(self.fast_reaction),
            self.minimum_rate,
            float(self.reference_window),
            0.0 if self.base_rtt is None else self.base_rtt * 1e12,
            self.minimum_window,
            float(self.line_start),
            float(self.loss_response == "halve"),
        )
