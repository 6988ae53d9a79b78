"""Fluid that is modelled only as the mean of many flows, beside packets: marks, DCTCP, DCQCN, BBR."""

from __future__ import annotations

from collections.abc import Generator, Mapping

import numpy as np
import simpy

from footroom.base.errors import NotConverged
from footroom.engines.fluid import averaged_validity, history, layout, markings, step_validity
from footroom.engines.fluid.adapter import inputs_of
from footroom.engines.fluid.bottleneck import BOTTLENECK
from footroom.engines.fluid.laws import Group
from footroom.engines.fluid.laws.bbr_path import BbrFlows
from footroom.engines.fluid.link import Layout, Link, initial, parameters, path_of
from footroom.engines.fluid.markings import DropTail
from footroom.engines.fluid.system import System
from footroom.engines.hybrid import averaged_kernel as kernel
from footroom.engines.hybrid.cautions import QUANTILES
from footroom.engines.hybrid.check import check_kind, fluid_entries, of_fluid
from footroom.engines.hybrid.routes import ways
from footroom.engines.packet.environment import Environment
from footroom.engines.packet.loop_address import loop_for
from footroom.engines.packet.tables import Tables
from footroom.engines.plan import SECOND, Plan
from footroom.parts.marking.marker import Marker
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.lockout import bbr_beyond

Ints = np.ndarray[tuple[int], np.dtype[np.int64]]

_QUEUE = ("queue_mean", "queue_p50", "queue_p99", "queue_max")
BBR = (
    "As a fluid, BBR loses 0 to 1.4 times what the packet simulation loses and keeps a queue up to 0.12 of a deep "
    "buffer shorter; completion times beside it were 0.15 to 2.1 times those beside packets."
)
OVERFLOW = (
    "The buffer overflowed although the flows are marked. Bursts on top of the mean decide how often, which these "
    "equations leave out: the packet simulation lost up to 8 times as much."
)


class Averaged:
    """The fluid entries of a scenario in ``environment``, whose plan is without them, by the averaged equations.

    Their queue is that of the packets at the bottleneck.
    """

    def __init__(self, environment: Environment, plan: Plan, which: Ints) -> None:
        self._env, self._plan = environment, plan
        self._alone = of_fluid(plan.scenario)
        self._inputs = inputs = inputs_of(self._alone)
        self._packet, self._marked = inputs.mtu, not isinstance(inputs.marking, DropTail)
        link = Link(inputs.packets_per_second, inputs.buffer / inputs.mtu, packet=inputs.mtu)
        groups = tuple(Group(each.count, each.rtt, each.flows, each.drops) for each in inputs.groups)
        self._system = System(link, groups, inputs.marking)
        self._step = self._system.step
        found, _ = ways(plan, which)
        (port,) = {port for route in found for port in route.ports}
        paced = all(group.paced for group in inputs.groups)
        hosts = [entry.host for entry in self._alone.traffic]
        burst = 1.0 if paced else float(np.mean([host.ack_every for host in hosts]))
        self._fluids = environment.simulation.put_fluid([port], inputs.mtu, burst)
        self._clock = np.zeros(kernel.CLOCK_ROW)
        self._clock[[kernel.STEP, kernel.PACKET]] = self._step, inputs.mtu
        self._clock[kernel.SMOOTHED] = self._system.loop_delay
        marking = inputs.marking.followed(link.capacity, self._step)
        where = Layout.of(groups)
        self._params = params = np.array(parameters(link, groups, marking, where))
        params[layout.SMOOTH] = 0.0  # the queue jumps by packets
        self._states = rows = np.zeros((5, max(where.size, where.looked_up, where.signals) + 8))
        rows[0, : where.size] = initial(link, groups, marking, 0.0)
        self._past = self._history(link, groups, where)
        calls = BOTTLENECK.addresses

        def advance(tables: Tables, until: int) -> int:
            loop = loop_for(tables)
            status = int(kernel.run_averaged(tables, until, loop, self._clock, calls, params, rows, self._past))
            if status == kernel.BROKEN:
                raise NotConverged(f"the fluid beside packets broke off at {tables.state['now'][0] / SECOND:.6g} s")
            return status

        environment.simulation.advance = advance
        environment.simulation.on_mark.append(self._mark_anew)
        self._before = 0.0
        environment.process(self._open_window())

    def _mark_anew(self, switch: int, marker: Marker) -> None:
        """Let the equations follow a new marking at the bottleneck, whose memory is empty."""
        if switch != self._plan.port_switch[int(self._fluids["port"][0])]:
            return
        check_kind(marker, "marker")
        kind = marker.model_dump()["kind"]
        link, groups = self._system.link, self._system.groups
        marking = markings.BUILDERS[kind](marker, self._packet).followed(link.capacity, self._step)
        # Of the laws as well: DCTCP's equations know the threshold.
        found = np.array(parameters(link, groups, marking, Layout.of(groups)))
        kept = [layout.BACKGROUND, layout.SMOOTH]
        found[kept] = self._params[kept]
        self._params[:] = found
        self._states[0, layout.MARKING_STATE] = marking.start()
        self._marked = self._marked or kind != "none"

    def _history(self, link: Link, groups: tuple[Group, ...], where: Layout) -> np.ndarray:
        """A past as long as the longest delay, with any threshold that the marking may be given later."""
        system = self._system
        longest = max(
            group.flows.longest_delay(path_of(link, groups, n, system.marking), link.buffer)
            for n, group in enumerate(groups)
        )
        longest = max(longest, max(group.base for group in groups) + link.buffer / link.capacity)
        length = 4
        while length < longest / self._step + 8:
            length *= 2
        width = 2 * where.balance + layout.REMEMBERED_SIGNALS
        past = np.zeros(history.HEADER + length * width)
        past[history.STEP], past[history.INVERSE_STEP] = self._step, 1.0 / self._step
        past[history.MASK], past[history.WIDTH], past[history.REMEMBERED] = length - 1, width, where.balance
        return past

    def _open_window(self) -> Generator[simpy.Event, None, None]:
        """When the warm-up is over, what was sent before no longer counts."""
        yield self._env.timeout(self._plan.warmup / SECOND)
        self._before = self._sent()

    def _sent(self) -> float:
        return float(self._env.simulation.tables.fluids["sent"][0])

    @property
    def flows(self) -> int:
        """How many flows are fluid."""
        return self._inputs.flows

    @property
    def step(self) -> float:
        """Length of a step [s]."""
        return self._step

    def goodput(self) -> float:
        """Payload that the fluid has sent since the warm-up was over [bit/s]."""
        stack = self._plan.stacks[min(fluid_entries(self._plan.scenario))]
        span = (self._plan.duration - self._plan.warmup) / SECOND
        return (self._sent() - self._before) * stack.payload / self._packet * 8.0 / span

    def check_conservation(self) -> None:
        """Raise RuntimeError unless every byte that flows have sent is accounted for at the port."""
        x, clock = self._env.simulation.tables.fluids[0], self._clock
        found = float(x["lost"] + x["sent"] + x["inside"])
        if abs(float(x["offered"]) - found) > 1.0 + 1e-9 * found:
            raise RuntimeError(f"fluid is not conserved: {x['offered']} bytes came to a port, {found} are known of")
        left = clock[kernel.COUNT] * clock[kernel.STEP] - self._env.simulation.now / SECOND
        rate = float(x["rate"]) * SECOND
        coming = left * rate + clock[kernel.EARLY] * clock[kernel.STEP] * clock[kernel.PACKET]
        given = float(clock[kernel.GIVEN])
        if abs(given - coming - float(x["offered"])) > 1.0 + 1e-6 * given:
            raise RuntimeError(f"fluid is not conserved: flows sent {given} bytes, {x['offered']} came to a port")

    def _overflowed(self) -> bool:
        """Whether the queue lost packets that the marking had not picked."""
        tables = self._env.simulation.tables
        x = tables.fluids[0]
        if not any(group.drops for group in self._system.groups):
            return bool(tables.ports["dropped"][x["port"]] > 0)
        return float(x["lost"]) - float(self._clock[kernel.DROPPED]) > self._packet

    @property
    def marked(self) -> bool:
        """Whether the queue marks, or ever did."""
        return self._marked

    def outside(self, metrics: Mapping[str, float]) -> dict[str, str]:
        """Metric to reason, where the averaged equations do not hold."""
        inputs, system = self._inputs, self._system
        link, groups = system.link, system.groups
        found: dict[str, str] = {}
        if any(isinstance(group.flows, BbrFlows) for group in groups):
            deep = link.buffer > link.capacity * system.loop_delay
            found |= dict.fromkeys(("drop_rate", *QUANTILES, *(_QUEUE if deep else ())), BBR)
        elif not isinstance(inputs.marking, DropTail) and self._overflowed():
            found["drop_rate"] = OVERFLOW
        window = (link.capacity * system.loop_delay + metrics["queue_mean"] / self._packet) / inputs.flows
        seen = {"drop_rate": 0.0, **metrics}
        return (
            found
            | averaged_validity.outside(link, groups, inputs.marking, seen, window)
            | step_validity.outside(link, groups, inputs.marking, all(group.paced for group in inputs.groups))
            | bbr_beyond(bottleneck_of(self._alone, "fluid"))
        )
