"""What a study will cost, before it starts: runs, packets times links, seconds and memory."""

from __future__ import annotations

import dataclasses
import functools
import os
from dataclasses import dataclass
from typing import Any

from footroom.plan.routes import Routes
from footroom.rng import stream
from footroom.scenario import HEADER, Scenario, is_open_loop, lasting_flows, switch_for
from footroom.studies.engines import engine_named
from footroom.studies.study import Study
from footroom.topology import Network

#: Served packets (data and acknowledgements, every link counts) per second and core, below what was measured.
RATES = {"packet": 4e6, "reference": 5e4}
#: Time of one run that has nothing to do [s], and of laying out one flow.
START, PER_FLOW = 0.02, 2e-5
#: An engine that answers at once [s per point], generously.
AT_ONCE = {"theory": 1e-3, "fluid": 0.05}
#: Bytes of memory per flow, per port and per packet in the network, generously; and of a run that has none of them.
FLOW_BYTES, PORT_BYTES, PACKET_BYTES, RUN_BYTES = 1000.0, 400.0, 160.0, 5e7


@dataclass(frozen=True)
class Cost:
    """points: points times engines.  runs: runs of an engine, replicas included.  packet_hops: data packets times links
    they cross.  cpu_seconds: of one core; seconds: on ``workers`` cores.  memory: bytes at any time.

    An upper bound of the work: long-lived flows are taken to fill their bottleneck. Seconds rest on a rate that is
    below the measured one, so a study is usually done sooner.
    """

    points: int
    runs: int
    packet_hops: float
    cpu_seconds: float
    seconds: float
    memory: float
    workers: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Work:
    """One run of a simulator. hops: data packets times links; served: with acknowledgements; memory: bytes."""

    hops: float
    served: float
    flows: float
    memory: float


def cores() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cost_of(study: Study, workers: int | None = None) -> Cost:
    """What ``study`` will cost on ``workers`` cores (all of this machine by default)."""
    workers = cores() if workers is None else workers
    runs, hops, seconds, memory = 0, 0.0, 0.0, 0.0
    for name in study.engines:
        if not engine_named(name).random:
            runs += len(study.points)
            seconds += AT_ONCE[name] * len(study.points)
            continue
        for point in study.points:
            work = work_of(point.scenario)
            runs += study.replicas
            hops += study.replicas * work.hops
            seconds += study.replicas * cell_seconds(name, point.scenario)
            memory = max(memory, work.memory)
    return Cost(len(study.points) * len(study.engines), runs, hops, seconds, seconds / max(1, min(workers, runs)),
                memory * workers, workers)


def cell_seconds(engine: str, scenario: Scenario) -> float:
    """Time of one run on one core [s]."""
    if engine in AT_ONCE:
        return AT_ONCE[engine]
    work = work_of(scenario)
    return START + PER_FLOW * work.flows + work.served / RATES[engine]


def work_of(scenario: Scenario) -> Work:
    """Work of one run of ``scenario``."""
    shape = path_of(scenario)
    mtu, duration = scenario.run.mtu, scenario.run.duration
    bits, answering, flows = 0.0, 0.0, 0.0
    for t in scenario.traffic:
        payload = t.host.mss if t.host.mss is not None else mtu - HEADER
        count, carried = t.work(shape.load_capacity, shape.rtt, duration)
        flows += count
        offered = 8.0 * carried / duration * (payload + HEADER) / payload
        if t.offered_load():
            bits += offered
        else:
            answering += offered
    # What waits for the network sends no more than what its bottleneck has left.
    bits = max(bits, min(bits + answering, shape.watched_capacity))
    packets = bits * duration / (8.0 * mtu)
    hops = packets * shape.links
    ack_every = min(t.host.ack_every for t in scenario.traffic)
    # In the network at once: what waits, and a bandwidth-delay product of data with its acknowledgements.
    inside = (_held(scenario) + 2.0 * bits / 8.0 * shape.rtt) / mtu
    memory = RUN_BYTES + FLOW_BYTES * flows + PORT_BYTES * shape.ports + PACKET_BYTES * min(inside, packets)
    return Work(hops, hops * (1.0 + 1.0 / ack_every), flows, memory)


def _held(scenario: Scenario) -> float:
    """Bytes that full switches hold; those whose memory the topology makes endless hold what is under way anyway."""
    topology = scenario.topology
    endless = topology.standing()
    return sum(switch_for(scenario, name, role).buffer for name, role in topology.switch_roles().items()
               if role not in endless)


def path_of(scenario: Scenario) -> Shape:
    """What the network of ``scenario`` is like."""
    return _shape(scenario.topology, lasting_flows(scenario), is_open_loop(scenario))


@dataclass(frozen=True)
class Shape:
    """links: on a typical path.  rtt: its propagation both ways [s].  capacities in bit/s; ``capacity`` of one watched
    link, ``watched_capacity`` of all of them, ``load_capacity`` what open-loop load refers to.
    """

    links: float
    rtt: float
    capacity: float
    watched_capacity: float
    load_capacity: float
    switches: int
    ports: int


@functools.lru_cache(maxsize=64)
def _shape(topology: Any, long_flows: int, open_loop: bool) -> Shape:
    network: Network = topology.build(long_flows, open_loop, stream(0, "cost"))
    ends = [(c.a, c.b) for c in network.cables] + [(c.b, c.a) for c in network.cables]
    delays = [c.delay for c in network.cables] * 2
    rates: dict[tuple[int, int], float] = dict(zip(ends, [c.rate for c in network.cables] * 2, strict=True))
    routes = Routes(len(network.names), [a for a, _ in ends], [b for _, b in ends])
    rng = stream(0, "cost", "paths")
    # Unlike several long-lived flows, one pair always exists; eight tell the mean well enough for an estimate.
    paths = [routes.path(a, b, rng) for a, b in network.place(8, rng)]
    found = [path for path in paths if path] or [[0]]
    return Shape(
        links=sum(len(path) for path in found) / len(found),
        rtt=2.0 * float(sum(sum(delays[p] for p in path) for path in found)) / len(found),
        capacity=topology.slowest_watched(), watched_capacity=sum(rates[pair] for pair in network.watched),
        load_capacity=network.load_capacity, switches=len(network.switches), ports=len(ends))
