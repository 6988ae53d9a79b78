"""The fluid as a SimPy process: it steps beside the packets of an environment and shares their ports."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt
import simpy

from footroom.base.rng import word
from footroom.engines.fluid import laws
from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW
from footroom.engines.fluid.per_flow import kernel as per_flow
from footroom.engines.hybrid import kernel, layout
from footroom.engines.hybrid.accounts import at_ports, at_senders, on_routes
from footroom.engines.hybrid.check import known_marks, no_marks
from footroom.engines.hybrid.holes import keep_holes
from footroom.engines.hybrid.kernel import GROW_BLOCKS
from footroom.engines.hybrid.marked import ALPHA
from footroom.engines.hybrid.routes import bout, in_pairs, may_fill, told_rates, ways, ways_apart
from footroom.engines.hybrid.sampled_layout import REPORT_BASE, STAMP
from footroom.engines.hybrid.sampled_senders import lay_out
from footroom.engines.hybrid.window_lossless import check_plan, check_wires, lay_wires, no_wires, step_between
from footroom.engines.packet.environment import Environment
from footroom.engines.packet.kept import address
from footroom.engines.packet.loop_address import loop_for
from footroom.engines.packet.tables import Tables
from footroom.engines.plan import SECOND, Plan
from footroom.kernel.tables import rows
from footroom.parts.congestion import Dctcp
from footroom.parts.marking.red import Red
from footroom.parts.marking.step import Step

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Steps per round trip without queueing, of the flow with the shortest.
PER_TRIP = 30
#: The same where senders are told delivery rates: with 30 drop rates were up to 1.6 times those with 60, which are
#: within 8 % of those with 120.
PER_TRIP_TOLD = 60
#: Steps of the fluid in the time in which a queue sends one flow's window, but no shorter than so many packets.
PER_BOUT, FEWEST_PACKETS = 8.0, 4.0
#: Most moves of windows that are joined into one while no queue can become full.
LONGEST = 2
#: Share of the run for which a host's link must be busy to count as full.
FULL = 0.9
#: Fewest bursts of a flow that may always wait at its host (Linux TCP small queues).
LEAST_BURSTS = 2.0


class Background:
    """The flows ``which`` of ``plan`` as fluid in ``environment``, whose own plan is without them.

    Every flow has a window of its own, which its congestion control moves; packets that are lost hit flows in
    proportion to what they send (the model of ``fluid.per_flow``). At every port of a switch on their way they
    wait in the queue of the packets. Acknowledgements of fluid take no time of links, and hosts' links delay no packet
    for it.
    """

    def __init__(self, environment: Environment, plan: Plan, which: Ints) -> None:
        self._env, self._plan, self._which = environment, plan, which
        entries = sorted(set(plan.flow_stack[which].tolist()))
        self._entry_of = {entry: g for g, entry in enumerate(entries)}
        self.lossless = plan.lossless is not None
        check_plan(plan)
        shared = self.lossless or not in_pairs(plan)
        found, number = ways(plan, which, every_port=shared) if shared else ways_apart(plan, which)
        ports = sorted({port for route in found for port in (*route.ports, *route.returns)})
        row_of = {port: n for n, port in enumerate(ports)}
        packet = float(np.mean([plan.stacks[entry].segment + plan.framing.gap for entry in entries]))
        longest = max(len(route.ports) + len(route.returns) for route in found)
        hops = np.full((len(found), longest), -1, dtype=np.int64)
        routes = layout.aligned(len(found), layout.ROUTE_ROW)
        for r, route in enumerate(found):
            way = (*route.ports, *route.returns)
            hops[r, : len(way)] = [row_of[port] for port in way]
            routes[r, layout.ENTRY] = hops[r, 0]
            routes[r, layout.THERE] = len(route.ports)
            # Queues send by themselves what waits in them.
            served = sum(packet * 8.0 / plan.port_rate[port] for port in route.waits)
            routes[r, layout.NIC], routes[r, layout.TRIP] = float(plan.port_rate[route.host]) / 8.0, route.trip - served
        self._trips, self._routes = routes[:, layout.TRIP], routes
        routes[:, layout.LEFT] = np.inf
        self._flows = self._flow_rows(which, number)
        shortest = float(routes[:, layout.TRIP].min())
        # A whole number of steps in the shortest round trip, and in each of those in which windows move.
        least = FEWEST_PACKETS * packet * 8.0 / float(plan.port_rate[ports].max())
        fine = max(bout(plan, found, number, which) / PER_BOUT, least)
        per_trip = PER_TRIP_TOLD if told_rates(plan, which).any() else PER_TRIP
        every = max(1, round(shortest / per_trip / fine))
        step = shortest / (every * per_trip)
        if self.lossless:
            step = step_between(plan, found, packet, step, least / FEWEST_PACKETS)
            every = max(1, round(shortest / per_trip / step))
        # What leaves a port is with the next one a step later.
        between = np.array([len(route.ports) + len(route.returns) - 1.0 for route in found])
        routes[:, layout.STEPS] = np.maximum(1.0, np.round(routes[:, layout.TRIP] / step) - between)
        own_flows = np.bincount(self._flows[:, layout.ROUTE].astype(np.int64), minlength=len(found))
        routes[:, [layout.ALONE, layout.FIRST_FLOW]] = -1.0
        first = self._flows[:, layout.ROUTE].astype(np.int64)
        alone = np.flatnonzero(own_flows[first] == 1)
        routes[first[alone], layout.ALONE] = alone
        routes[:, layout.PLACED] = -1.0
        self._limit_hosts(which, number)
        if shared:
            self._share_hosts(which, number)
        paced = [plan.stacks[entry].law.hooks().on_sample is not None for entry in entries]
        hosts = [plan.scenario.traffic[entry].host for entry in entries]
        burst = float(np.mean([host.burst if one else host.ack_every for one, host in zip(paced, hosts, strict=True)]))
        self._wires, parts = no_wires(), list[list[int]]()
        if self.lossless:
            self._wires, parts = lay_wires(plan, found, ports, packet, step, routes)
            # In one step all ports may send frames, each one of its class and one of the whole port.
            environment.simulation.tables.state["spare"] += 2 * len(plan.port_rate)
        environment.simulation.put_fluid(ports, packet, burst, parts)
        if not shared and longest == 1:
            clocked = not any(paced) and not routes[:, layout.SHAPED].any()
            keep_holes(environment.simulation, hops[:, 0], self._trips, step * every * LONGEST, clocked)
        self._clock = clock = np.zeros(layout.CLOCK_ROW)
        clock[[layout.STEP, layout.EVERY, layout.PACKET, layout.SPAN]] = step, every, packet, 1.0
        clock[layout.LONGEST] = every * LONGEST
        clock[layout.ANSWER_SIZE] = plan.acknowledgement + plan.framing.gap
        clock[layout.RED] = address(Red(kmin=0.0, kmax=1.0).mark())
        clock[layout.STEPS_AT] = address(Step(threshold=0.0).mark())
        self._blocks = rows(max(4096, 4 * len(found)), layout.BLOCK)
        self._blocks["following"] = np.arange(1, len(self._blocks) + 1)
        clock[layout.FREE_COUNT] = len(self._blocks) - 1
        random = np.array([np.uint64(word(plan.seed, "fluid") & (2**64 - 1))], dtype=np.uint64)
        self._ports = np.zeros((len(ports), layout.PORT_ROW))
        if shared and not self.lossless:  # fluid waits wherever a port is paused
            full = may_fill(plan)
            self._ports[[port not in full for port in ports], layout.PASSES] = 1.0
        self._lists = np.full((len(ports), layout.PORT_LISTS), -1, dtype=np.int64)
        self._back = rows(int(routes[:, layout.STEPS].max()) + 2, layout.SLOT)
        before = clock, self._flows, self._laws(entries), self._ports, self._lists
        alive = np.zeros((max(len(which), len(found)) + 1, 3), dtype=np.int64)
        self._hops = hops
        self._sampled, self._kept = lay_out(
            plan, which, number, self._flows, routes, np.array([route.trip for route in found]), len(self._blocks)
        )
        if self.told:
            clock[layout.LONGEST] = 0.0  # such senders are looked at in every step
        by_share = bool((self._flows[:, layout.BY_SHARE] > 0.0).any())
        clock[layout.BY_TURNS] = not (shared or self.told or by_share)
        after = self._back, hops, routes, np.zeros(len(found) + 1, dtype=np.int64), alive, random

        def advance(tables: Tables, until: int) -> int:
            loop = loop_for(tables)
            self._sampled.addresses[REPORT_BASE] = int(tables.state["report_base"][0])
            while True:
                rest = self._blocks, *after, self._sampled, self._wires
                status = int(kernel.run_both(tables, until, loop, *before, *rest))
                if status != GROW_BLOCKS:
                    return status
                self._grow()

        environment.simulation.advance = advance
        self.marked = bool((environment.simulation.tables.ports["marker"][ports] != 0).any())
        environment.simulation.on_mark.append(known_marks if self.marked else no_marks)
        self._opened: Floats | None = None
        self._cuts_before = self._flows[:, [layout.LOST, layout.HITS]]
        self._ports_before = environment.simulation.tables.ports[["dropped", "sent_bytes"]].copy()
        environment.process(self._open_window())

    def _grow(self) -> None:
        count = len(self._blocks)
        larger = rows(2 * count, layout.BLOCK)
        larger[:count] = self._blocks
        larger["following"][count:] = np.arange(count + 1, 2 * count + 1)
        larger["following"][-1] = int(self._clock[layout.FREE])
        self._clock[layout.FREE] = count
        self._clock[layout.FREE_COUNT] += count
        self._blocks = larger
        if len(self._sampled.stamps) > 1:
            stamps = rows(2 * count, STAMP)
            stamps[:count] = self._sampled.stamps
            self._sampled = self._sampled._replace(stamps=stamps)

    def _flow_rows(self, which: Ints, route: Ints) -> Floats:
        plan = self._plan
        flows = layout.aligned(len(which), layout.ROW)
        stacks = [plan.stacks[i] for i in plan.flow_stack[which]]
        scenario = plan.scenario
        first = np.array([float(scenario.traffic[i].host.initial_window) for i in plan.flow_stack[which]])
        warm = plan.flow_window[which]
        most = np.array([float(stack.receive_window) for stack in stacks])
        flows[:, WINDOW] = flows[:, NET] = np.minimum(most, np.where(warm > 0.0, warm, first))
        flows[:, THRESHOLD] = np.where(warm > 0.0, warm, 1e12)
        flows[:, per_flow.AGAIN] = np.inf
        flows[:, per_flow.GROUP] = [self._entry_of[i] for i in plan.flow_stack[which].tolist()]
        start = plan.flow_start[which] + plan.flow_lead[which]
        flows[:, layout.START] = start / SECOND
        flows[:, layout.ROUTE] = route
        flows[:, layout.MOST], flows[:, layout.PLACE] = most, -1.0
        laws_of = [scenario.traffic[i].congestion for i in plan.flow_stack[which].tolist()]
        for row, law in zip(flows, laws_of, strict=True):
            if isinstance(law, Dctcp):
                row[[layout.BY_SHARE, layout.LEAST_WINDOW, ALPHA]] = law.g, law.minimum_window, law.initial_alpha
        self._routes[route, layout.REFUSED] = [0.0 if law.accurate_echo else 1.0 for law in laws_of]
        self._bound(which, route)
        flows[:] = flows[np.argsort(flows[:, layout.START], kind="stable")]
        return flows

    def _bound(self, which: Ints, route: Ints) -> None:
        """Give routes what their flows have to send, and the limits of their hosts."""
        plan = self._plan
        size = np.array([float(stack.segment + plan.framing.gap) for stack in plan.stacks])[plan.flow_stack[which]]
        ends = plan.flow_bytes[which] >= 0
        self._routes[route[ends], layout.LEFT] = (
            (plan.flow_segments[which][ends] - 1.0) * size[ends] + plan.flow_last_size[which][ends] + plan.framing.gap
        )
        hosts = [plan.scenario.traffic[entry].host for entry in range(len(plan.scenario.traffic))]
        limit = np.array([host.rate_limit or 0.0 for host in hosts]) / 8.0
        burst = np.array([float(host.burst) for host in hosts])
        self._routes[route, layout.SHAPED] = limit[plan.flow_stack[which]]
        self._routes[route, layout.BURST] = burst[plan.flow_stack[which]] * size

    def _limit_hosts(self, which: Ints, route: Ints) -> None:
        """Give routes how much of a flow may wait at its host's link."""
        plan = self._plan
        hosts = [plan.scenario.traffic[entry].host for entry in plan.flow_stack[which]]
        size = np.array([float(plan.stacks[entry].segment + plan.framing.gap) for entry in plan.flow_stack[which]])
        burst = np.array([float(host.burst) for host in hosts])
        self._routes[route, layout.SMALL_QUEUE] = [
            np.inf if host.small_queue is None else host.small_queue for host in hosts
        ]
        np.add.at(self._routes[:, layout.LEAST_QUEUE], route, LEAST_BURSTS * burst * size)

    def _share_hosts(self, which: Ints, route: Ints) -> None:
        """Let routes wait at the links of their hosts, and acknowledgements use capacity on the way back."""
        plan = self._plan
        size = np.array([float(plan.stacks[entry].segment + plan.framing.gap) for entry in plan.flow_stack[which]])
        every = np.array([float(plan.scenario.traffic[entry].host.ack_every) for entry in plan.flow_stack[which]])
        answer = float(plan.acknowledgement + plan.framing.gap)
        self._routes[:, layout.QUEUES] = 1.0
        self._routes[route, layout.ANSWER] = answer / (size * every)
        self._routes[route, layout.TOGETHER] = size * every
        self._routes[:, layout.AT_MOST] = self._routes[:, layout.LEAST_QUEUE]

    def _laws(self, entries: list[int]) -> Floats:
        plan = self._plan
        groups = np.zeros((len(entries), per_flow.GROUP_ROW))
        for line, entry in zip(groups, entries, strict=True):
            mine = self._flows[self._flows[:, per_flow.GROUP] == self._entry_of[entry]]
            trips = self._trips[mine[:, layout.ROUTE].astype(np.int64)]
            traffic, stack = plan.scenario.traffic[entry], plan.stacks[entry]
            slowest = min(plan.port_rate[self._env.plan.watched]) if len(plan.watched) else plan.port_rate.min()
            access = float(plan.port_rate[plan.routes[plan.flow_forward[plan.flow_stack == entry][0]]])
            bits = 8.0 * stack.segment
            setting = laws.Setting(
                float(stack.segment),
                float(slowest) / bits,
                access / bits,
                float(trips.mean()),
                len(mine),
                False,
                float(trips.max()),
            )
            law: laws.Flows = laws.Reno(float(traffic.host.initial_window), 1.0, refined=True)
            # Senders that are told delivery rates have the law of packets.
            if traffic.congestion.hooks().on_sample is None:
                own = laws.BUILDERS[traffic.congestion.kind](traffic.congestion, traffic.host, setting)
                law = law if own.one_flow is None else own  # DCTCP grows and answers losses as Reno does
            assert law.one_flow is not None
            parameters = law.one_flow_parameters()
            line[: len(parameters)] = parameters
            grow, cut, _ = law.one_flow.addresses
            line[per_flow.BASE : per_flow.BASE + 5] = setting.rtt, 1.0, grow, cut, traffic.host.min_rto
        return groups

    def _open_window(self) -> Generator[simpy.Event, None, None]:
        """When the warm-up is over, what was sent before no longer counts."""
        yield self._env.timeout(self._plan.warmup / SECOND)
        self._opened = self._delivered()
        self._cuts_before = self._flows[:, [layout.LOST, layout.HITS]]
        self._ports_before = self._env.simulation.tables.ports[["dropped", "sent_bytes"]].copy()

    def lost_below(self, busy: float) -> float:
        """Part of the packets lost since the warm-up at ports of switches that were less ``busy`` since."""
        plan, ports, before = self._plan, self._env.simulation.tables.ports, self._ports_before
        lost = np.where(plan.port_switch >= 0, ports["dropped"] - before["dropped"], 0)
        span = max(self._env.simulation.now - plan.warmup, 1) / SECOND
        idle = (ports["sent_bytes"] - before["sent_bytes"]) * 8.0 < busy * plan.port_rate * span
        return float(lost[idle].sum()) / max(1, int(lost.sum()))

    def full_hosts(self, part: float = FULL) -> Ints:
        """Ports of hosts whose links were busy with fluid and packets, or paused, for more than ``part`` of the run."""
        plan, ports = self._plan, self._env.simulation.tables.ports
        busy = ports["sent_bytes"] * 8.0 / plan.port_rate + ports["held"] / SECOND
        return np.flatnonzero((busy > part * self._env.simulation.now / SECOND) & (plan.port_switch < 0))

    def halved_flows(self) -> int:
        """Lasting flows that a mark cuts as a loss does."""
        route = self._routes[self._flows[:, layout.ROUTE].astype(np.int64)]
        return int(((self._flows[:, layout.BY_SHARE] == 0.0) & np.isinf(route[:, layout.LEFT])).sum())

    def lasting_flows(self) -> int:
        """Flows without an end."""
        return int((self._plan.flow_bytes[self._which] < 0).sum())

    def part_behind(self, full: Ints) -> float:
        """Part of the lasting flows that start at the ports of hosts ``full``."""
        lasting = self._which[self._plan.flow_bytes[self._which] < 0]
        first = self._plan.routes[self._plan.flow_forward[lasting]]
        return float(np.isin(first, full).mean()) if len(lasting) else 0.0

    def refused(self) -> bool:
        """Whether acknowledgements of some flows understand no marks."""
        return bool((self._routes[:, layout.REFUSED] > 0.0).any())

    def part_without_loss(self) -> float:
        """Share without a loss or mark since the warm-up of lasting flows that only these would limit."""
        rows = self._flows
        route = self._routes[rows[:, layout.ROUTE].astype(np.int64)]
        lasting = np.isinf(route[:, layout.LEFT]) & (route[:, layout.SHAPED] == 0.0)
        at_host = (route[:, layout.QUEUES] > 0.0) & (route[:, layout.AT_NIC] > 0.5 * route[:, layout.AT_MOST])
        stopped = (rows[:, WINDOW] >= rows[:, layout.MOST] - 1.0) | at_host | (route[:, layout.HELD_UP] > 0.0)
        stopped |= rows[:, layout.LAW] >= 0.0
        if self.lossless:  # a pause ahead, or the queue of their host, holds them up
            row = route[:, layout.WINDOWS] * self.packet - route[:, layout.INSIDE]
            stopped |= row >= np.maximum(route[:, layout.TOGETHER], route[:, layout.BURST])
        quiet = lasting & ~stopped & (rows[:, [layout.LOST, layout.HITS]] == self._cuts_before).all(axis=1)
        return float(quiet.sum()) / max(1, int(lasting.sum()))

    def _delivered(self) -> Floats:
        """Payload [B] that every flow of the fluid has sent and that was not lost, by row."""
        payload = np.array([self._plan.stacks[entry].payload for entry in self._entry_of], dtype=np.float64)
        mine = payload[self._flows[:, per_flow.GROUP].astype(np.int64)]
        delivered: Floats = np.maximum(0.0, self._flows[:, layout.SENT] - self._flows[:, layout.LOST]) * mine
        return delivered

    def check_conservation(self) -> None:
        """Raise RuntimeError unless every byte of the fluid is accounted for, at its ports and on its routes."""
        fluids, clock = self._env.simulation.tables.fluids, self._clock
        since = self._env.simulation.now - (clock[layout.COUNT] - clock[layout.SPAN]) * clock[layout.STEP] * SECOND
        # Behind its own rows may stand those of ``Environment.fluid``.
        at_ports(fluids[: len(self._ports)], self._ports, self._lists, self._blocks, since)
        on_routes(self._routes, self._lists, self._blocks, self._back, self._wires.lists[:, 0])
        if self.lossless:
            check_wires(self._env.simulation.tables, self._lists, self._blocks, self._wires)
        at_senders(self._sampled, self._routes, self._lists, self._blocks, self._back, self.packet)

    @property
    def several_hops(self) -> bool:
        """Whether fluid passes all ports of its way, and its acknowledgements all of theirs."""
        return bool((self._routes[:, layout.QUEUES] > 0.0).any())

    @property
    def told(self) -> bool:
        """Whether senders are told delivery rates: BBR."""
        return bool((self._flows[:, layout.LAW] >= 0.0).any())

    def where_lost(self, told: bool) -> float:
        """Flows at a port that loses fluid, those told delivery rates or all that last, the mean over what is lost; inf
        where nothing is.
        """
        lost = self._env.simulation.tables.fluids["lost"][: len(self._ports)]
        mine = self._routes[:, layout.SAMPLED] >= 0.0 if told else np.isinf(self._routes[:, layout.LEFT])
        count = np.bincount(self._flows[:, layout.ROUTE].astype(np.int64), minlength=len(self._routes)) * mine
        there = (np.arange(self._hops.shape[1]) < self._routes[:, layout.THERE][:, None]) & (self._hops >= 0)
        each = np.broadcast_to(count[:, None], self._hops.shape)[there]
        counts = np.bincount(self._hops[there], weights=each, minlength=len(self._ports))
        return float((counts * lost).sum() / lost.sum()) if lost.sum() > 0.0 else float("inf")

    @property
    def flows(self) -> int:
        """How many flows are fluid."""
        return len(self._flows)

    @property
    def step(self) -> float:
        """Length of a step [s]."""
        return float(self._clock[layout.STEP])

    @property
    def packet(self) -> float:
        """Size of a packet on the link [B]."""
        return float(self._clock[layout.PACKET])

    @property
    def window(self) -> float:
        """Mean window of the flows now [packets]."""
        sending = self._flows[:, layout.PLACE] >= 0.0
        return float(self._flows[sending, WINDOW].mean()) if sending.any() else float("inf")

    @property
    def trips(self) -> Floats:
        """Round trips of the routes without queueing [s]."""
        return self._trips

    def goodput(self) -> float:
        """Payload that the fluid has sent and that was not lost since the warm-up was over [bit/s]."""
        opened = np.zeros(len(self._flows)) if self._opened is None else self._opened
        span = (self._plan.duration - self._plan.warmup) / SECOND
        return float((self._delivered() - opened).sum()) * 8.0 / span
