"""What a study will cost, before it starts: runs, packets times links, seconds and memory.

By arithmetic alone: topologies and traffic kinds give their size, and no network is built.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from footroom.parts.congestion import TCP
from footroom.parts.topology import Shape
from footroom.parts.traffic import Traffic
from footroom.scenario import HEADER, Scenario, is_open_loop, lasting_flows, switch_at, switch_for
from footroom.studies.document import Cost as CostDocument
from footroom.studies.engines import engine_named

if TYPE_CHECKING:
    from footroom.studies.study import Study

#: Served packets (data and acknowledgements, every link counts) per second and core: two to three events each. 6 to 8
#: million were measured with 200 000 flows, and 12 to 24 million where the tables stay in the processor's cache.
RATES = {"packet": 6e6, "hybrid": 4e6, "reference": 5e4}
#: Time of one step of a fluid beside packets [s], and least packets in a step: four, and more where a flow has many on
#: the way.
FLUID_STEP, FEWEST_IN_STEP = 5e-7, 4.0
#: The same where the tables stay in the processor's cache, and how many hosts, switches, ports, queues and flows are
#: few enough for that.
QUICK_RATE, FEW_PARTS = 1.2e7, 3000
#: Time of a run with fluid of windows where classes are lossless, in that of packets alone: a step is of one or two
#: packets, at all ports. 1.4 to 10 times in 70 cases (``tests.validation.tools.compare_hybrid_pauses --windows``).
PAUSED_WINDOWS = 3.0
#: Time of one run that has nothing to do [s], of laying out one flow, and of setting up one port with its queues.
START, PER_FLOW, PER_PORT = 0.004, 5e-6, 4e-5
#: The reference of slowdown: most sizes of flows that are run alone, on the shortest and the longest path; time of one
#: such run without its packets [s], and for each port of the network [s].
ALONE, PER_ALONE, PER_ALONE_PORT = 80, 6e-4, 1e-5
#: An engine that answers at once [s per point], generously.
AT_ONCE = {"theory": 1e-3, "fluid": 0.05}
#: Bytes of memory per flow, per port, per queue and per packet in the network, above what was measured; per watched
#: port and window of a series, per watched queue and step of a timeline; and of a run that has none of them. Tables
#: double when they are full, and the old one is there until the new one is filled.
FLOW_BYTES, PORT_BYTES, QUEUE_BYTES, PACKET_BYTES = 1500.0, 900.0, 300.0, 250.0
WINDOW_BYTES, STEP_BYTES, RUN_BYTES = 500.0, 100.0, 5e7


@dataclass(frozen=True)
class Cost:
    """points: points times engines.  runs: runs of an engine, replicas included.  packet_hops: data packets times links
    they cross.  parts: hosts, switches, ports, queues and flows that all runs together set up.  cpu_seconds: of one
    core; seconds: on ``workers`` cores.  memory: peak, in bytes.

    Long-lived flows are assumed to fill their bottleneck, so the work is an upper bound where they do not. Seconds were
    within a factor of three of the measured time in nine of ten scenarios (``tests.validation.tools.cost_estimates``).
    """

    points: int
    runs: int
    packet_hops: float
    parts: float
    cpu_seconds: float
    seconds: float
    memory: float
    workers: int

    def to_dict(self) -> CostDocument:
        """Plain data."""
        return {
            "points": self.points,
            "runs": self.runs,
            "packet_hops": self.packet_hops,
            "parts": self.parts,
            "cpu_seconds": self.cpu_seconds,
            "seconds": self.seconds,
            "memory": self.memory,
            "workers": self.workers,
        }


@dataclass(frozen=True)
class Work:
    """One run of a simulator. hops: data packets times links; served: with acknowledgements.

    flows, ports: how many; parts: these with hosts, switches and queues; memory: bytes; alone: flows that are run
    alone, as the reference of slowdown.
    """

    hops: float
    served: float
    flows: float
    ports: int
    parts: float
    memory: float
    alone: float

    def seconds(self, engine: str) -> float:
        """Time of one run of ``engine`` on one core [s]."""
        quick = engine == "packet" and self.parts <= FEW_PARTS
        rate = QUICK_RATE if quick else RATES[engine]
        alone = self.alone * (PER_ALONE + PER_ALONE_PORT * self.ports)
        return START + PER_FLOW * self.flows + PER_PORT * self.ports + alone + self.served / rate


def cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Tally:
    """The cost of a study, added up point by point."""

    def __init__(self, engines: tuple[str, ...], replicas: int, workers: int | None = None) -> None:
        self._engines, self._replicas = engines, replicas
        self._workers = cores() if workers is None else workers
        self._points = 0
        self._hops = self._parts = self._seconds = self._memory = 0.0

    def add(self, scenario: Scenario) -> None:
        """Count one more point."""
        self._points += 1
        random = [name for name in self._engines if engine_named(name).random]
        self._seconds += sum(AT_ONCE[name] for name in self._engines if name not in random)
        if not random:
            return
        work = work_of(scenario)
        runs = self._replicas * len(random)
        self._hops += runs * work.hops
        self._parts += runs * work.parts
        self._seconds += self._replicas * sum(cell_seconds(name, scenario) for name in random)
        self._memory = max(self._memory, work.memory)

    def cost(self, points: int | None = None) -> Cost:
        """The cost of what was added, or of ``points`` points that are like those on average."""
        points = self._points if points is None else points
        more = points / max(1, self._points)
        runs = points * sum(self._replicas if engine_named(name).random else 1 for name in self._engines)
        seconds = more * self._seconds
        return Cost(
            points * len(self._engines),
            runs,
            more * self._hops,
            more * self._parts,
            seconds,
            seconds / max(1, min(self._workers, runs)),
            self._memory * max(1, min(self._workers, runs)),
            self._workers,
        )


def added(costs: Sequence[Cost], workers: int) -> Cost:
    """What several studies cost that run one after the other."""
    return Cost(
        sum(c.points for c in costs),
        sum(c.runs for c in costs),
        sum(c.packet_hops for c in costs),
        sum(c.parts for c in costs),
        sum(c.cpu_seconds for c in costs),
        sum(c.seconds for c in costs),
        max((c.memory for c in costs), default=0.0),
        workers,
    )


def cost_of(study: Study, workers: int | None = None) -> Cost:
    """What ``study`` will cost on ``workers`` cores (all of this machine by default)."""
    tally = Tally(study.engines, study.replicas, workers)
    for point in study.points:
        tally.add(point.scenario)
    return tally.cost()


def cell_seconds(engine: str, scenario: Scenario) -> float:
    """Time of one run on one core [s]."""
    if engine in AT_ONCE:
        return AT_ONCE[engine]
    return _beside_fluid(scenario) if engine == "hybrid" else work_of(scenario).seconds(engine)


def _beside_fluid(scenario: Scenario) -> float:
    """Time of one run of packets beside a fluid [s]: the packets that are left, and the fluid's steps."""
    packets = [entry for entry in scenario.traffic if not entry.fluid]
    if len(packets) in (0, len(scenario.traffic)):
        return work_of(scenario).seconds("hybrid") if packets else AT_ONCE["fluid"]
    left = work_of(scenario.model_copy(update={"traffic": tuple(packets)}))
    steps = shape_of(scenario).watched_capacity * scenario.run.duration / (8.0 * scenario.run.mtu * FEWEST_IN_STEP)
    whole = work_of(scenario)
    if _paused_windows(scenario):
        return PAUSED_WINDOWS * whole.seconds("packet")
    return left.seconds("hybrid") + PER_FLOW * (whole.flows - left.flows) + FLUID_STEP * steps


def _paused_windows(scenario: Scenario) -> bool:
    """Whether fluid of windows, not of rates, may wait in a switch with lossless classes."""
    roles = scenario.topology.switch_roles()
    return any(entry.fluid and entry.congestion.kind in TCP for entry in scenario.traffic) and any(
        switch_for(scenario, name, role).lossless() for name, role in roles.items()
    )


def shape_of(scenario: Scenario) -> Shape:
    """How large the network of ``scenario`` is."""
    return scenario.topology.shape(lasting_flows(scenario), is_open_loop(scenario))


def work_of(scenario: Scenario) -> Work:
    """Work of one run of ``scenario``."""
    shape = shape_of(scenario)
    mtu, duration = scenario.run.mtu, scenario.run.duration
    bits, answering, flows, first, pressed = 0.0, 0.0, 0.0, 0.0, 0.0
    for t in scenario.traffic:
        payload = t.host.mss if t.host.mss is not None else mtu - HEADER
        capacity = min(shape.load_capacity, shape.access) if t.converges() else shape.load_capacity
        count, carried = t.work(capacity, shape.rtt, duration)
        flows += count
        first += t.at_first() + _at_line_rate(scenario, t, shape)
        offered = 8.0 * carried / duration * (payload + HEADER) / payload
        if t.offered_load():
            bits += offered
        else:
            most = min(float(t.lasting()) or count, float(shape.hosts)) * shape.access
            answering += min(offered, most, _window_growth(scenario, t, shape))
            # Flows that end send what was dropped about once more.
            pressed += min(most, 2.0 * offered) * _share_at_line_rate(scenario, t, shape)
    # Traffic that waits for the network sends no more than its bottleneck has left.
    bits = max(bits, min(bits + answering, shape.watched_capacity))
    packets = bits * duration / (8.0 * mtu)
    # What is dropped at the first switch has crossed one link.
    hops = packets * shape.links + max(0.0, pressed - bits) * duration / (8.0 * mtu)
    ack_every = min(t.host.ack_every for t in scenario.traffic)
    # In the network at once: what waits, and a bandwidth-delay product of data with its acknowledgements; and whatever
    # flows that start together send at first, which waits at their hosts.
    inside = min((_held(scenario, shape) + 2.0 * bits / 8.0 * shape.rtt) / mtu, packets) + first
    queues = shape.ports * scenario.switch.queues * _line_cards(scenario)
    memory = (
        RUN_BYTES
        + FLOW_BYTES * flows
        + PORT_BYTES * shape.ports
        + QUEUE_BYTES * queues
        + PACKET_BYTES * inside
        + _recorded(scenario, shape)
    )
    parts = shape.hosts + sum(shape.switches.values()) + shape.ports + queues + flows
    alone = sum(_alone(t, flows) for t in scenario.traffic) if scenario.run.slowdown else 0.0
    return Work(hops, hops * (1.0 + 1.0 / ack_every), flows, shape.ports, parts, memory, alone)


def _window_growth(scenario: Scenario, entry: Traffic, shape: Shape) -> float:
    """Rate [bit/s] on average over the run that windows of TCP reach at most: they double in a round trip."""
    if entry.recovery_of() not in TCP or not entry.lasting() or shape.rtt <= 0.0:
        return math.inf
    duration = scenario.run.duration
    doubled: float = 2.0 ** min(duration / shape.rtt + 1.0, 60.0)
    return 8.0 * scenario.run.mtu * max(entry.at_first(), entry.lasting()) * doubled / duration


def _share_at_line_rate(scenario: Scenario, entry: Traffic, shape: Shape) -> float:
    """Share of the time in which hosts of RDMA send at line rate what a full switch drops."""
    switch, law = scenario.switch, entry.congestion
    if entry.recovery_of() in TCP or entry.priority in switch.lossless():
        return 0.0
    marker = switch.marking
    full = getattr(marker, "kmax", getattr(marker, "threshold", None))
    marked = marker.kind != "none" and not (isinstance(full, (int, float)) and full > switch.buffer)
    return law.at_line_rate(shape.access / 8.0 * shape.rtt, switch.buffer, marked)


def _alone(entry: Traffic, flows: float) -> float:
    """Flows that are run alone for the ideal completion times of slowdown."""
    sizes = getattr(entry, "sizes", getattr(entry, "size", None))
    several = ALONE if sizes is not None and getattr(sizes, "kind", "fixed") != "fixed" else 1
    return 2.0 * min(flows, several)


def _at_line_rate(scenario: Scenario, entry: Traffic, shape: Shape) -> float:
    """Packets that lasting RDMA flows have on the way before any feedback arrives: they start at line rate."""
    access: float | None = getattr(scenario.topology, "access", None)
    if access is None or entry.recovery_of() in TCP:
        return 0.0
    round_trip = min(shape.rtt, scenario.run.duration)
    hosts = min(float(entry.lasting()), float(shape.hosts))
    return hosts * access * round_trip / (8.0 * scenario.run.mtu)


def _held(scenario: Scenario, shape: Shape) -> float:
    """Bytes that full switches hold; those with endless memory count 0, as their packets count as under way."""
    endless = scenario.topology.standing()
    alike = Counter(shape.switches)
    held = 0.0
    named = scenario.switches.keys() - shape.switches.keys()
    roles = scenario.topology.switch_roles() if named else {}
    for name in named:
        alike[roles[name]] -= 1
        if roles[name] not in endless:
            held += switch_at(scenario, name).buffer
    return held + sum(
        number * switch_for(scenario, "", role).buffer for role, number in alike.items() if role not in endless
    )


def _line_cards(scenario: Scenario) -> int:
    """Line cards of the switch that has most of them."""
    switches = [scenario.switch, *(switch_at(scenario, key) for key in scenario.switches)]
    return max(switch.architecture.line_cards() for switch in switches)


def _recorded(scenario: Scenario, shape: Shape) -> float:
    """Bytes of what is recorded over time."""
    run, recorded = scenario.run, 0.0
    if run.series is not None:
        recorded += WINDOW_BYTES * shape.watched * (run.duration - run.warmup) / run.series
    if run.timeline is not None:
        queues = shape.watched * scenario.switch.queues * _line_cards(scenario)
        recorded += STEP_BYTES * queues * (run.timeline.end - run.timeline.start) / run.timeline.step
    return recorded
