"""Flows paced by a rate, as fluid beside packets: RDMA hosts under DCQCN."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import simpy

from footroom.base.errors import Unsupported
from footroom.base.rng import word
from footroom.engines.hybrid import cautions
from footroom.engines.hybrid import paced_kernel as kernel
from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.paced_lossless import by_ingress, check_lossless, dividing, hops, lay_wires
from footroom.engines.hybrid.routes import Route, in_pairs, ways
from footroom.engines.packet.environment import Environment
from footroom.engines.packet.kept import Kept, address
from footroom.engines.packet.loop_address import loop_for
from footroom.engines.packet.tables import Tables
from footroom.engines.plan import SECOND, Plan, Stack
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.tables import NEVER, rows
from footroom.parts.marking.red import Red
from footroom.parts.marking.step import Step

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Steps in the shortest of round trip, interval of notifications and timer: four times as many moved utilisation by
#: half a point, half as many by two. But a step has so many packets at least.
PER_DELAY, FEWEST_PACKETS = 16.0, 1.0
#: Drop rate above which losses in phase decide it: with 34 % among packets the fluid lost less than half as many.
MOST_LOST = 0.1
#: Spells of losses below which their number is chance: of ten, each as long as chance has it, the sum varies by 45 %.
FEWEST_SPELLS = 10.0


class Paced:
    """The flows ``which`` of ``plan`` as fluid in ``environment``, whose own plan is without them."""

    def __init__(self, environment: Environment, plan: Plan, which: Ints) -> None:
        self._env, self._plan = environment, plan
        self._which = which = which[np.argsort(plan.flow_start[which] + plan.flow_lead[which], kind="stable")]
        self._lossless = plan.lossless is not None
        if plan.dependencies:
            raise Unsupported(
                "pauses may lock one another in this network, which is found from packets alone: fluid waits there too",
                path="switch.headroom.kind",
                given=plan.scenario.switch.headroom.kind,
                engines=("packet",),
            )
        self._shared = self._lossless or not in_pairs(plan)
        found, number = ways(plan, which, every_port=self._shared)
        entries = plan.flow_stack[which]
        stacks = [plan.stacks[entry] for entry in entries]
        self._packet = float(np.mean([stack.segment + plan.framing.gap for stack in stacks]))
        ports = sorted({port for route in found for port in (*route.ports, *route.returns)})
        self._clock = clock = np.zeros(layout.CLOCK_ROW)
        clock[layout.PACKET], clock[layout.ANSWER_SIZE] = self._packet, plan.acknowledgement + plan.framing.gap
        clock[layout.STEP] = self._step_of(found, entries, ports)
        clock[layout.APART] = max(route.trip for route in found)
        self._routes, self._passes, self._port_of = self._ways(found, ports, number, stacks)
        parts: list[list[int]] = []
        self._wires = np.zeros(1)
        if self._lossless:
            parts = by_ingress(plan, found, ports, self._port_of, self._passes)
            self._wires = lay_wires(plan, found, self._packet, float(clock[layout.STEP]), self._passes)
        self._flows, self._rows, hosts = self._senders(which, number, found, ports)
        self._ports, listed = self._at_ports(self._port_of, len(ports))
        members = np.argsort(number, kind="stable").astype(np.int64)
        environment.simulation.put_fluid(ports, self._packet, 1.0, parts)
        if self._lossless:  # in one step all ports may send frames, each one of its class and one of the whole port
            environment.simulation.tables.state["spare"] += 2 * len(plan.port_rate)
        slots = np.full(self._slots(found), -1, dtype=np.int64)
        ring = self._ring(len(slots))
        kept, laws = Kept([self._rows, self._flows]), np.zeros((len(which), layout.LAW_ROW), dtype=np.int64)
        self._kept = kept
        for i, stack in enumerate(stacks):
            hooks = stack.law.hooks()
            laws[i] = (
                kept.parameters(stack.law.parameters()),
                *(address(hook) for hook in (hooks.on_start, hooks.on_notice, hooks.on_timer, hooks.on_sent)),
            )
            self._rows["scratch"][i] = kept.array(np.zeros(max(1, stack.law.scratch())))
        random = np.array([np.uint64(word(plan.seed, "fluid") & (2**64 - 1))], dtype=np.uint64)
        wires = self._wires
        before = (
            clock,
            self._flows,
            hosts,
            self._ports,
            self._port_of,
            listed,
            self._passes,
            self._routes,
            members,
            ring,
        )

        def advance(tables: Tables, until: int) -> int:
            addresses = np.array(
                [
                    self._rows.ctypes.data,
                    int(tables.state["report_base"][0]),
                    address(Red(kmin=0.0, kmax=1.0).mark()),
                    address(Step(threshold=0.0).mark()),
                ],
                dtype=np.int64,
            )
            loop = loop_for(tables)
            return int(
                kernel.run_paced(tables, until, loop, *before, slots, laws, addresses, self._rows, random, wires)
            )

        environment.simulation.advance = advance
        self._opened = np.zeros(len(which)), 0.0, 0.0
        self._halfway = 0.0
        environment.process(self._open_window())

    def _step_of(self, found: list[Route], entries: Ints, ports: list[int]) -> float:
        plan = self._plan
        fastest = self._packet * 8.0 / float(plan.port_rate[ports].max())
        delays = [min(route.trip for route in found)]
        for entry in np.unique(entries).tolist():
            law = plan.scenario.traffic[entry].congestion
            delays += [plan.stacks[entry].cnp_interval / SECOND, float(getattr(law, "rate_timer", np.inf))]
        step = max(min(delays) / PER_DELAY, FEWEST_PACKETS * fastest)
        if not self._lossless:
            return step
        return max(
            dividing(step, min(min(hops(plan, route, self._packet)) for route in found)), FEWEST_PACKETS * fastest
        )

    def _ways(
        self, found: list[Route], ports: list[int], number: Ints, stacks: Sequence[Stack]
    ) -> tuple[Floats, Floats, Ints]:
        """Rows of routes and of their passes, and the port of each pass."""
        plan, row_of = self._plan, {port: n for n, port in enumerate(ports)}
        routes = np.zeros((len(found), layout.ROUTE_ROW))
        port_of = [row_of[port] for route in found for port in (*route.ports, *route.returns)]
        passes = np.zeros((len(port_of), layout.PASS_ROW))
        at = 0
        for r, route in enumerate(found):
            last = at + len(route.ports) + len(route.returns)
            routes[r, [layout.FIRST, layout.THERE, layout.LAST]] = at, at + len(route.ports), last
            routes[r, layout.TRIP] = route.trip
            passes[at:last, layout.OF] = r
            passes[at:last, layout.LAG] = 1.0
            passes[at:last, layout.ELAPSED] = np.arange(last - at) * self._clock[layout.STEP]
            at = last
        passes[:, layout.PART] = -1.0
        counts = np.bincount(number, minlength=len(found))
        routes[:, layout.MEMBERS_END] = np.cumsum(counts)
        routes[:, layout.MEMBERS] = routes[:, layout.MEMBERS_END] - counts
        answer = plan.acknowledgement + plan.framing.gap
        for i, stack in enumerate(stacks):
            routes[number[i], layout.ANSWER] = answer / self._packet / float(stack.ack_every)
        return routes, passes, np.array(port_of, dtype=np.int64)

    def _senders(
        self, which: Ints, number: Ints, found: list[Route], ports: list[int]
    ) -> tuple[Floats, np.ndarray, Floats]:
        """Rows of flows, the rows that their laws see, and rows of hosts."""
        plan = self._plan
        flows, seen = np.zeros((len(which), layout.ROW)), rows(len(which), FLOW)
        flows[:, layout.START] = (plan.flow_start[which] + plan.flow_lead[which]) / SECOND
        flows[:, layout.ROUTE] = number
        flows[:, layout.INTERVAL] = [plan.stacks[entry].cnp_interval / SECOND for entry in plan.flow_stack[which]]
        first = plan.routes[plan.flow_forward[which]]
        senders, host = np.unique(first, return_inverse=True)
        hosts = np.zeros((len(senders), layout.HOST_ROW))
        hosts[:, layout.LINE], hosts[:, layout.FIRST_FLOW] = plan.port_rate[senders] / 8.0, -1.0
        hosts[:, layout.PORT] = [ports.index(port) if port in ports else -1 for port in senders.tolist()]
        flows[:, layout.HOST] = host
        for i, h in enumerate(host.tolist()):
            flows[i, layout.FOLLOWING] = hosts[h, layout.FIRST_FLOW]
            hosts[h, layout.FIRST_FLOW] = i
        seen["rate"], seen["law_at"] = plan.port_rate[first], NEVER
        return flows, seen, hosts

    def _at_ports(self, port_of: Ints, count: int) -> tuple[Floats, Ints]:
        """Rows of ports, and the passes of each in one list."""
        ports = np.zeros((count, layout.PORT_ROW))
        each = np.bincount(port_of, minlength=count)
        ports[:, layout.ENDS] = np.cumsum(each)
        ports[:, layout.BEGINS] = ports[:, layout.ENDS] - each
        ports[:, layout.LOST_AT] = -np.inf
        ports[:, layout.UNTIL_MARK] = [
            -np.log1p(-(word(self._plan.seed, "marks", n) % 2**53) / 2**53) for n in range(count)
        ]
        return ports, np.argsort(port_of, kind="stable").astype(np.int64)

    def _slots(self, found: list[Route]) -> int:
        """Length of the ring in steps: the longest round trip with every queue on its way full, or the whole run."""
        plan, longest = self._plan, float(self._routes[:, layout.TRIP].max())
        hold = np.array([float(setting.buffer) for setting in plan.settings])[plan.port_switch] * 8.0 / plan.port_rate
        hold[plan.port_switch < 0] = 0.0  # a host holds little
        waits = max(float(hold[list(route.ports if self._lossless else route.waits)].sum()) for route in found)
        return int(min(longest + waits, plan.duration / SECOND) / self._clock[layout.STEP]) + 16

    def _ring(self, slots: int) -> Ints:
        """Free entries for every notification and timer that can be under way."""
        reach = slots * self._clock[layout.STEP]
        often = float((reach / self._flows[:, layout.INTERVAL] + 4.0).sum())
        ring = np.zeros((int(often) + 16, 3), dtype=np.int64)
        ring[:, 2] = np.arange(1, len(ring) + 1)
        ring[-1, 2] = -1
        return ring

    def _open_window(self) -> Generator[simpy.Event, None, None]:
        """When the warm-up is over, what was sent and lost before no longer counts; half of the rest is noted."""
        yield self._env.timeout(self._plan.warmup / SECOND)
        self._opened = self._sent(), self._lost(), self._spells()
        yield self._env.timeout(0.5 * (self._plan.duration - self._plan.warmup) / SECOND)
        self._halfway = float(self._sent().sum())

    def _sent(self) -> Floats:
        """Bytes that every flow has sent up to now."""
        flows, now = self._flows, self._env.simulation.now / SECOND
        sent: Floats = flows[:, layout.SENT] + flows[:, layout.SENDS] * (now - flows[:, layout.ACCOUNTED])
        return sent

    def _lost(self) -> float:
        return float(self._env.simulation.tables.fluids["lost"].sum())

    def _spells(self) -> float:
        """Of losses of the fluid, up to now, at all ports."""
        return float(self._ports[:, layout.SPELLS].sum())

    @property
    def flows(self) -> int:
        """How many flows are fluid."""
        return len(self._flows)

    @property
    def step(self) -> float:
        """Length of a step [s]."""
        return float(self._clock[layout.STEP])

    @property
    def rates(self) -> Floats:
        """What every flow sends now [bit/s], in the order of their start."""
        sends: Floats = self._flows[:, layout.SENDS] * 8.0
        return sends

    def goodput(self) -> float:
        """Payload that the fluid has sent and that was not lost since the warm-up was over [bit/s]."""
        sent, lost, _ = self._opened
        payload = np.array([self._plan.stacks[entry].payload for entry in self._plan.flow_stack[self._which]])
        span = (self._plan.duration - self._plan.warmup) / SECOND
        arrived = float(((self._sent() - sent) * payload).sum()) - (self._lost() - lost) * float(payload.mean())
        return max(0.0, arrived) / self._packet * 8.0 / span

    def growth(self) -> float:
        """What flows sent in the second half of the measured time, less what in the first, over their sum; 0 before."""
        if self._halfway == 0.0:
            return 0.0
        before, after = self._halfway - float(self._opened[0].sum()), float(self._sent().sum()) - self._halfway
        return (after - before) / max(1.0, after + before)

    def _path_each(self) -> float:
        """Packets of path for each flow that passes a watched port on its way there, at the port with the fewest."""
        of = self._passes[:, layout.OF].astype(np.int64)
        flows = (self._routes[:, layout.MEMBERS_END] - self._routes[:, layout.MEMBERS])[of]
        flows[np.arange(len(of)) >= self._routes[of, layout.THERE]] = 0.0
        ports = self._env.simulation.tables.fluids["port"]
        count = np.bincount(self._port_of, flows, len(ports))
        trips = np.bincount(self._port_of, flows * self._routes[of, layout.TRIP], len(ports))
        passed = np.isin(ports, self._plan.watched) & (count > 0.0)
        path = self._plan.port_rate[ports] / 8.0 / self._packet * trips / np.maximum(count, 1.0)
        return float(np.min((path / np.maximum(count, 1.0))[passed], initial=np.inf))

    def waits_unmarked(self) -> tuple[float, float]:
        """Longest wait [s] at switches that mark nothing, before a port that marks, and the shortest interval of
        notifications.
        """
        ports = self._env.simulation.tables.ports[self._env.simulation.tables.fluids["port"]]
        marks, wait = (ports["marker"] != 0)[self._port_of], self._ports[:, layout.LONGEST] * (ports["switch"] >= 0)
        longest = 0.0
        for first, there in self._routes[:, [layout.FIRST, layout.THERE]].astype(np.int64).tolist():
            if marks[first:there].any():
                before = first + int(np.argmax(marks[first:there]))
                longest = max(longest, float(wait[self._port_of[first:before]].sum()))
        return longest, float(self._flows[:, layout.INTERVAL].min())

    def check_conservation(self) -> None:
        """Raise RuntimeError unless every byte is accounted for: at every port, by route, and what flows have sent."""
        fluids, clock = self._env.simulation.tables.fluids, self._clock
        ahead = clock[layout.COUNT] * clock[layout.STEP] - self._env.simulation.now / SECOND
        for n, x in enumerate(fluids):
            found = float(x["lost"] + x["sent"] + x["inside"])
            if abs(float(x["offered"]) - found) > 1.0 + 1e-9 * found:
                raise RuntimeError(f"fluid is not conserved: {x['offered']} bytes came to a port, {found} are known of")
            mine = self._passes[self._port_of == n]
            held, comes = float(mine[:, layout.HELD].sum()), float(mine[:, layout.COMES].sum())
            since = comes * (clock[layout.STEP] - ahead) - (x["sent"] - self._ports[n, layout.LEFT_BEFORE])
            there = held + since - (x["lost"] - self._ports[n, layout.GONE])
            if abs(there - float(x["inside"])) > 1.0 + 1e-6 * float(x["offered"]):
                raise RuntimeError(f"fluid is not conserved: routes hold {there} bytes at a port of {x['inside']}")
        if self._lossless:
            check_lossless(self._env.simulation.tables, self._passes, self._wires, float(clock[layout.STEP]))
        coming = max(0.0, ahead) * float(self._routes[:, layout.RATE_NOW].sum())
        sent, given = float(self._sent().sum()), float(clock[layout.GIVEN])
        if abs(given - coming - sent) > 1.0 + 1e-6 * given:
            raise RuntimeError(f"fluid is not conserved: flows sent {sent} bytes, {given - coming} came to a port")

    def outside(self, metrics: Mapping[str, float]) -> dict[str, str]:
        """Metric to reason, where this model does not hold."""
        found = {}
        if self._lost() - self._opened[1] >= self._packet:
            found["goodput"] = (
                "Hosts send again all that came beyond a gap (go-back-N). This fluid counts that as delivered."
            )
        spells = self._spells() - self._opened[2]
        if 0.0 < spells < FEWEST_SPELLS:
            several = "one spell" if spells == 1.0 else f"{spells:.0f} spells"
            found["drop_rate"] = f"The losses came in {several}. With so few the drop rate depends on the seed."
        found = cautions.recovering(metrics, self.growth()) | cautions.crowded(metrics, self._path_each()) | found
        found |= cautions.mixed(metrics, *self.waits_unmarked())
        if self._lossless:
            found |= cautions.paused(metrics, (self._plan.duration - self._plan.warmup) / SECOND)
        if metrics.get("drop_rate", 0.0) > MOST_LOST:
            why = (
                f"Over {100.0 * MOST_LOST:.0f} % of the packets are lost. Paced flows are lost in phase then: one that "
                "loses all its packets has none that can be marked and does not slow down. This fluid loses evenly."
            )
            found |= dict.fromkeys(("drop_rate", *cautions.QUANTILES), why)
        return {name: why for name, why in found.items() if name in metrics}
