"""From a scenario to a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput
from footroom.base.rng import Choices, stream, word
from footroom.engines.plan.checks import UNLIMITED, check, check_reserved, check_slowest, check_spacing
from footroom.engines.plan.classes import draw_classes
from footroom.engines.plan.cycles import cyclic, shortest_cycle, told
from footroom.engines.plan.flows import Flows, draw_flows
from footroom.engines.plan.lossless import Lossless, cautions, counted_in_cells, resolve
from footroom.engines.plan.outstanding import with_windows
from footroom.engines.plan.plan import SECOND, Plan, Stack
from footroom.engines.plan.probes import probes_of
from footroom.engines.plan.routes import Routes
from footroom.engines.plan.sufficiency import Links, Sizes, beyond, deaf, shortfalls, sizes_of, spare_of, unmarkable
from footroom.engines.plan.synchrony import equal_round_trips, may_lose
from footroom.engines.plan.telemetry import with_base_rtt
from footroom.engines.plan.ways import ways
from footroom.kernel.tables import ACK_SIZE
from footroom.parts.congestion import RDMA
from footroom.parts.topology import Network
from footroom.parts.traffic import AnyTraffic, Host
from footroom.parts.traffic.ground import ENDLESS
from footroom.parts.traffic.option import values
from footroom.scenario import HEADER, Scenario, network_of, switch_for
from footroom.scenario.short_runs import cautions as cautions_of_short_runs
from footroom.scenario.switch import Switch


def _picoseconds(seconds: float) -> int:
    return round(seconds * SECOND)


def _clocks(seed: int, hosts: int) -> npt.NDArray[np.int64]:
    """For how long each host ran at time 0, in 65536ths of a tick: anywhere within a slot of 4096 ticks."""
    part = stream(seed, "clocks").integers(0, 1 << 16, hosts)
    whole = stream(seed, "ticks").integers(0, 1 << 12, hosts)
    return part + (whole << 16)


def stack_of(traffic: AnyTraffic, scenario: Scenario) -> Stack:
    """The host stack of one traffic entry in engine units."""
    host = traffic.host
    mtu = int(scenario.run.mtu)
    law = traffic.congestion.on_hosts(host.profile)
    headers = HEADER + traffic.overhead_of()
    payload = int(host.mss) if host.mss is not None else mtu - headers
    window = UNLIMITED if host.receive_window is None else int(host.receive_window // payload)
    segment = scenario.run.frames.frame(payload + headers)
    recovery, notices = traffic.recovery_of(), law.notices()
    query = traffic.query_stream()
    burst = 1 if host.autosize else host.burst
    fixed = {"ack_every": 1} if recovery in RDMA and law.acknowledged_one_by_one else {}
    if law.allots():  # windows that receivers allot are a few segments, and senders do not wait for longer bursts
        fixed = {"autosize": 0}
    spacing = 0 if host.rate_limit is None else _picoseconds(burst * segment * 8.0 / host.rate_limit)
    return Stack(
        segment=segment,
        payload=payload,
        recovery=recovery,
        receive_window=window,
        spacing=spacing,
        ecn=host.ecn,
        law=law,
        long_lived=traffic.endless or query is not None,
        persistent=traffic.keeps_connections(),
        query=0 if query is None else -(-query.size // payload),
        query_bytes=0 if query is None else query.size,
        outstanding=0 if query is None else query.outstanding,
        rdma=recovery in RDMA,
        cnp_interval=0 if notices is None else _picoseconds(notices),
        overhead=traffic.overhead_of(),
        telemetry=traffic.telemetry_of(),
        options=values(host) | fixed,
    )


def first_timeout(host: Host, recovery: str, round_trip: int) -> int:
    """Timeout [ps] before data has measured a round trip: given, or after one sample of ``round_trip`` [ps].

    The engines lengthen the sample by the queues that stand when the flow starts (``packet.handshake``).

    For RDMA hosts it never changes.
    """
    if recovery in RDMA:
        return _picoseconds(host.high_rto if recovery == "selective" else host.min_rto)
    if host.initial_rto is not None:
        return _picoseconds(host.initial_rto)
    least = _picoseconds(host.min_rto)
    # RFC 6298 §2.2: the first sample's variation is half of it, and the timeout adds four variations.
    if host.rto_floor == "variance":
        return round_trip + max(2 * round_trip, least)
    return max(3 * round_trip, least)


def jitter_of(traffic: AnyTraffic, scenario: Scenario) -> int:
    """Largest processing jitter [ps]: given, or a microsecond, or one full packet at the slowest watched link."""
    if traffic.host.jitter is not None:
        return _picoseconds(traffic.host.jitter)
    return min(SECOND // 10**6, round(scenario.run.mtu * 8.0 / scenario.topology.slowest_watched() * SECOND))


def build_plan(scenario: Scenario, seed: int | None = None, engine: str = "packet") -> Plan:
    """Flat arrays for ``scenario``; ``seed`` replaces that of the scenario (replicas).

    engine: packet or reference, for which the plan is; it is the same for both.  Raises Unsupported for what that
    engine cannot do, InvalidInput for hosts that do not exist or are not joined, or memory that does not suffice.
    """
    check(scenario, engine)
    seed = scenario.run.seed if seed is None else seed
    for i, t in enumerate(scenario.traffic):
        stack = stack_of(t, scenario)
        check_spacing(stack.spacing, i, t.host.rate_limit)
        if stack.receive_window < 1:
            raise InvalidInput.at(
                f"traffic.{i}.host.receive_window", t.host.receive_window, "must hold at least one segment"
            )
    network = network_of(scenario, seed)
    return _lay_out(scenario, seed, network)


def _lay_out(scenario: Scenario, seed: int, load_network: Network) -> Plan:
    probes = probes_of(scenario, seed, load_network)
    network = load_network if probes is None else probes.network
    entries = scenario.traffic if probes is None else (*scenario.traffic, probes.entry)
    port_from: list[int] = []
    port_to: list[int] = []
    rate: list[float] = []
    delay: list[int] = []
    for cable in network.cables:
        for a, b in ((cable.a, cable.b), (cable.b, cable.a)):
            port_from.append(a)
            port_to.append(b)
            rate.append(cable.rate)
            delay.append(_picoseconds(cable.delay))
    check_slowest(min(rate), scenario.run.mtu, scenario.run.frames)
    switch_of = {node: i for i, node in enumerate(network.switches)}
    port_from_switch = [switch_of.get(a, -1) for a in port_from]
    settings = [
        switch_for(scenario, network.names[node], role)
        for node, role in zip(network.switches, network.roles, strict=True)
    ]
    for s, setting in enumerate(settings):
        check_reserved(setting, port_from_switch.count(s) * setting.queues, network.names[network.switches[s]])
    port_card = []
    arrivals = [0] * len(network.switches)
    for node in port_to:
        s = switch_of.get(node, -1)
        port_card.append(0 if s < 0 else arrivals[s] % settings[s].architecture.line_cards())
        if s >= 0:
            arrivals[s] += 1
    jitter = max(jitter_of(t, scenario) for t in entries)
    port_switch = np.array(port_from_switch, dtype=np.int64)
    port_jitter = np.where(port_switch < 0, jitter, 0)
    # Half the jitter comes out of the cable, so that the mean round trip is what the scenario says.
    port_delay = np.maximum(0, np.array(delay, dtype=np.int64) - port_jitter // 2)
    link = {pair: port for port, pair in enumerate(zip(port_from, port_to, strict=True))}

    raw_delay = np.array(delay, dtype=np.int64)
    routes = Routes(len(network.names), port_from, port_to)
    flat: list[int] = []
    where: dict[tuple[int, ...], tuple[int, int]] = {}

    def known(path: list[int]) -> tuple[int, int]:
        """Where ``path`` begins in the flat array, and its propagation [ps]."""
        key = tuple(path)
        if key not in where:
            where[key] = len(flat), int(raw_delay[path].sum())
            flat.extend([*path, -1])
        return where[key]

    def quickest(source: int, target: int) -> float:
        # Jitter is taken out of the cables on average, so that a packet may be half of it early at each end.
        there, back = routes.least(source, target, raw_delay), routes.least(target, source, raw_delay)
        return max(0.0, (there + back - jitter) / SECOND)

    drawn = draw_flows(scenario, seed, load_network, quickest, None if probes is None else probes.drawn)
    order = np.argsort(drawn.start, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    priority, ack_priority = draw_classes(scenario, entries, seed, drawn)
    following = drawn.following[order]
    continues = drawn.continues[order]
    continues = np.where(continues < 0, -1, rank[continues])
    forward, reverse, rtt = ways(
        drawn.source[order],
        drawn.destination[order],
        continues,
        routes,
        known,
        network.names,
        lambda: Choices(stream(seed, "paths")),
    )
    flow_stack = drawn.stack[order]
    stacks = [stack_of(t, scenario) for t in entries]
    timeouts = _first_timeouts([entry.host for entry in entries], stacks, flow_stack, rtt)
    shakes_hands = np.array([t.host.initial_rto is None for t in entries])

    stacks = with_windows(stacks, [t.host for t in entries], flow_stack, rtt, forward, reverse, flat, np.array(rate))
    framing = scenario.run.frames
    stacks = with_base_rtt(stacks, flow_stack, rtt, forward, reverse, flat, np.array(rate), port_switch, framing)
    payload = np.array([s.payload for s in stacks], dtype=np.int64)[flow_stack]
    overhead = np.array([s.overhead for s in stacks], dtype=np.int64)[flow_stack]
    size = drawn.size[order]
    endless = size == ENDLESS
    segments = np.where(endless, 2**62, -(-size // payload))
    last = np.where(endless, payload, size - (segments - 1) * payload)
    last_of_query = np.array([s.query_bytes - max(0, s.query - 1) * s.payload for s in stacks])[flow_stack]
    last = np.where(last_of_query > 0, last_of_query, last)
    picoseconds_per_byte = np.array([round(8.0 / r * SECOND * 65536) for r in rate], dtype=np.int64)
    entering = [[p for p, node in enumerate(port_to) if node == switch] for switch in network.switches]
    switch_names = [network.names[node] for node in network.switches]
    link_delay = [cable.delay for cable in network.cables for _ in range(2)]
    lossless = resolve(
        scenario,
        settings,
        switch_names,
        entering,
        rate,
        link_delay,
        picoseconds_per_byte,
        port_delay + port_jitter - np.array(delay, dtype=np.int64),
    )
    in_step = equal_round_trips(
        scenario,
        network.names,
        endless & may_lose(lossless, priority[order]),
        rtt,
        forward,
        np.array(flat),
        {link[pair]: pair for pair in network.watched},
        [stacks[i] for i in flow_stack.tolist()],
        jitter,
        (picoseconds_per_byte * framing.frame(int(scenario.run.mtu))) >> 16,
    )
    waits = (
        {}
        if lossless is None
        else cyclic(
            lossless,
            np.array(port_to),
            switch_of,
            np.array(flat),
            [
                *zip(forward.tolist(), priority[order].tolist(), strict=True),
                *zip(reverse.tolist(), ack_priority[order].tolist(), strict=True),
            ],
        )
    )
    setup = _set_up_by_packets(drawn, stacks)[order]
    last_size = np.maximum(ACK_SIZE, last + HEADER + overhead + framing.overhead)
    warnings: tuple[str, ...] = ()
    if lossless is not None:
        links = Links(picoseconds_per_byte, port_delay, port_delay + port_jitter, framing)
        sizes = sizes_of(
            lossless.classes,
            stacks,
            flow_stack,
            last_size,
            priority[order],
            ack_priority[order],
            setup,
            max(ACK_SIZE, framing.frame(HEADER)),
            framing.frame(int(scenario.run.mtu)),
        )
        most = beyond(lossless, settings, entering, links, sizes)
        lossless = replace(lossless, spare=spare_of(lossless, settings, most, sizes))
        warnings = _warnings(
            lossless,
            settings,
            switch_names,
            entering,
            [network.names[node] for node in port_from],
            links,
            sizes,
            deaf(stacks, flow_stack, priority[order], ack_priority[order], setup),
            most,
        )
    return Plan(
        scenario=scenario,
        seed=seed,
        names=network.names,
        duration=_picoseconds(scenario.run.duration),
        warmup=_picoseconds(scenario.run.warmup),
        port_from=np.array(port_from, dtype=np.int64),
        port_to=np.array(port_to, dtype=np.int64),
        picoseconds_per_byte=picoseconds_per_byte,
        port_rate=np.array(rate),
        port_delay=port_delay,
        port_jitter=port_jitter,
        port_seed=np.array([word(seed, "port", p) for p in range(len(rate))], dtype=np.int64),
        port_switch=port_switch,
        watched=np.array([link[pair] for pair in network.watched], dtype=np.int64),
        switches=len(network.switches),
        settings=settings,
        port_card=np.array(port_card, dtype=np.int64),
        stacks=stacks,
        routes=np.array(flat, dtype=np.int64),
        flow_stack=flow_stack,
        flow_start=drawn.start[order],
        flow_segments=segments,
        flow_last_size=last_size,
        flow_bytes=np.where(endless, -1, size),
        flow_source=drawn.source[order],
        flow_destination=drawn.destination[order],
        flow_forward=forward,
        flow_reverse=reverse,
        flow_rtt=rtt,
        flow_rto=timeouts,
        flow_handshake=np.where(shakes_hands[flow_stack], rtt, 0),
        flow_clock=_clocks(seed, len(network.names))[drawn.source[order]],
        flow_priority=priority[order],
        flow_ack_priority=ack_priority[order],
        flow_next=np.where(following < 0, -1, rank[following]),
        flow_gap=drawn.gap[order],
        flow_lead=np.rint(drawn.handshake[order] * rtt).astype(np.int64),
        flow_window=drawn.window[order],
        flow_setup=setup,
        flow_continues=continues,
        flow_stop=drawn.stop[order],
        flow_event=drawn.event[order],
        event_start=drawn.events,
        event_after=drawn.after,
        event_pause=drawn.pause,
        steps=tuple(sorted({_picoseconds(at) for entry in scenario.traffic for at in entry.steps()})),
        lossless=lossless,
        dependencies=waits,
        framing=framing,
        notes=(
            *network.notes,
            *drawn.notes,
            *_of_laws(stacks, drawn.stack),
            *in_step,
            *cautions_of_short_runs(scenario),
            *cautions(lossless, switch_names, entering),
            *counted_in_cells(scenario, settings, switch_names, entering, rate, link_delay),
            *warnings,
            *told(shortest_cycle(waits), network.names, np.array(port_from), np.array(port_to)),
        ),
    )


def _first_timeouts(
    hosts: Sequence[Host], stacks: Sequence[Stack], stack_of: npt.NDArray[np.int64], rtt: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Of every flow, by its stack and its round trip [ps]."""
    found = np.zeros(len(rtt), dtype=np.int64)
    for i, (host, stack) in enumerate(zip(hosts, stacks, strict=True)):
        mine = np.flatnonzero(stack_of == i)
        trips, which = np.unique(rtt[mine], return_inverse=True)
        found[mine] = np.array([first_timeout(host, stack.recovery, trip) for trip in trips.tolist()], np.int64)[which]
    return found


def _set_up_by_packets(drawn: Flows, stacks: Sequence[Stack]) -> npt.NDArray[np.int64]:
    """1 for every flow whose connection is set up by packets: transfers over a new connection of their own.

    Lasting flows have theirs from before the run, answers to a query use ``handshake`` of that traffic, and RDMA sets
    up queue pairs long before.
    """
    asked = np.array([stack.setup == "packets" and not stack.rdma for stack in stacks])[drawn.stack]
    alone = (drawn.continues < 0) & (drawn.handshake == 0) & (drawn.window == 0) & (drawn.event < 0)
    return np.asarray(asked & alone & (drawn.size != ENDLESS), dtype=np.int64)


def _of_laws(stacks: Sequence[Stack], chosen: npt.NDArray[np.int64]) -> tuple[str, ...]:
    """Notes of laws on runs with several of their flows; chosen: the stack of every flow."""
    laws = {stack.law.kind: stack.law.caution for stack in stacks}
    flows: Counter[str] = Counter()
    for stack, count in zip(stacks, np.bincount(chosen, minlength=len(stacks)).tolist(), strict=True):
        flows[stack.law.kind] += count
    return tuple(caution for kind, caution in laws.items() if caution and flows[kind] > 1)


def _warnings(
    lossless: Lossless,
    settings: list[Switch],
    switches: list[str],
    entering: list[list[int]],
    neighbours: list[str],
    links: Links,
    sizes: Sizes | None,
    silent: list[tuple[str, int]],
    most: npt.NDArray[np.int64],
) -> tuple[str, ...]:
    """What may make a lossless class lose packets. most: bytes beyond the headroom set aside, by switch."""
    return (
        *shortfalls(lossless, settings, switches, entering, neighbours, links, sizes, most),
        *unmarkable(lossless, settings, switches, silent),
    )
