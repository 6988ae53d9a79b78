"""From a plan to the tables of the compiled engine."""

from __future__ import annotations

import numpy as np

from footroom.base.rng import LAW_STEP, word
from footroom.engines.packet.classes import class_table
from footroom.engines.packet.components import lay_out
from footroom.engines.packet.features import ALLOTMENT, LOSSLESS, RDMA, SAMPLES, TELEMETRY, variant
from footroom.engines.packet.groups import lossless_side
from footroom.engines.packet.kept import Kept
from footroom.engines.packet.switching import switch_side
from footroom.engines.packet.tables import BINS, BUCKETS, FEWEST_FREE, FEWEST_QUERIES, PAUSE_LINES, Tables
from footroom.engines.plan import SECOND, Plan
from footroom.kernel.engine_tables import EVENT, PAUSE_LOG, QUERY, STATE, TRACE
from footroom.kernel.flow_tables import FLOW, OFFER, RECEIVER, REPORT, SAMPLE, SEGMENT
from footroom.kernel.tables import FLUID, FLUID_PART, HOLE, NEVER, PACKET, PORT, TELEMETRY_WORDS, rows
from footroom.result.queues import MOST_PORTS


def packets_table(count: int, start: int = 0) -> np.ndarray:
    """``count`` free packets numbered from ``start``, chained in order."""
    packets = rows(count, PACKET)
    packets["next"] = np.arange(start + 1, start + count + 1)
    packets["next"][-1] = -1
    return packets


def telemetry_table(count: int) -> np.ndarray:
    """``count`` rows of telemetry, each in whole cache lines."""
    row = np.dtype([("words", np.int64, (TELEMETRY_WORDS,))])
    return rows(count, row).view(np.int64).reshape(count, TELEMETRY_WORDS)


def _bucket_shift(plan: Plan) -> int:
    """Width of a bucket as a power of two: a quarter of the mean gap between events, eight for each packet.

    Narrower than needed costs little, wider costs a search through the bucket: events come in clusters.
    """
    hosts = float(plan.port_rate[plan.port_switch < 0].sum()) / 2.0
    busy = min(hosts, float(plan.port_rate[plan.watched].sum())) if len(plan.watched) else hosts
    gap = plan.scenario.run.mtu * 8.0 / busy / 8.0 * SECOND
    return max(4, int(np.log2(max(gap, 16.0))) - 2)


def _connect(flows: np.ndarray, plan: Plan, classes: np.ndarray) -> None:
    """Chain the flows of one connection: each is followed by the next and uses up its quick acknowledgements."""
    flows["continues"], flows["quick"] = plan.flow_continues, classes["quick_acks"][plan.flow_stack]
    for flow in np.flatnonzero(plan.flow_continues >= 0).tolist():  # those of a connection in their order
        before = int(plan.flow_continues[flow])
        flows["following"][before] = flow
        flows["quick"][flow] = max(0, int(flows["quick"][before]) - int(plan.flow_segments[before]))


def _follow_queries(flows: np.ndarray, plan: Plan) -> None:
    """Point every flow of a query to the first flow of the query that follows its last answer."""
    flows["barrier"] = -1
    answers = np.bincount(plan.flow_event[plan.flow_event >= 0], minlength=len(plan.event_start))
    first = np.full(len(plan.event_start), -1, np.int64)
    numbers = np.flatnonzero(plan.flow_event >= 0)[::-1]
    first[plan.flow_event[numbers]] = numbers
    for event in np.flatnonzero(plan.event_after >= 0).tolist():
        before = int(plan.event_after[event])
        flows["awaited"][first[event]], flows["together"][first[event]] = answers[before], answers[event]
    following = np.full(len(plan.event_start), -1, np.int64)
    chained = plan.event_after >= 0
    following[plan.event_after[chained]] = first[chained]
    answering = plan.flow_event >= 0
    flows["barrier"][answering] = following[plan.flow_event[answering]]


def used(plan: Plan, classes: np.ndarray) -> set[str]:
    """Features that ``plan`` uses, by the names in ``packet.features``; entries without flows do not count."""
    classes = classes[np.unique(plan.flow_stack)]
    found = {
        LOSSLESS: plan.lossless is not None,
        RDMA: (classes["rdma"] != 0) | (classes["on_timer"] != 0),
        TELEMETRY: (classes["telemetry"] != 0) | (classes["probe_size"] != 0),
        SAMPLES: classes["on_sample"] != 0,
        ALLOTMENT: classes["allots"] != 0,
    }
    return {name for name, there in found.items() if np.any(there)}


def _receivers(plan: Plan) -> np.ndarray:
    """A row for every node, with the rate of the link over which a host receives."""
    receivers = rows(len(plan.names), RECEIVER)
    for port in range(plan.ports):
        if plan.port_switch[port] >= 0:
            receivers["capacity"][plan.port_to[port]] += plan.port_rate[port] / SECOND
    return receivers


def build_tables(plan: Plan, trace: int = 0) -> tuple[Tables, list[np.ndarray]]:
    """Tables for ``plan`` with room for ``trace`` lines, and the parameter arrays that must outlive them."""
    ports = rows(plan.ports, PORT)
    ports["rate"], ports["delay"], ports["jitter"] = plan.picoseconds_per_byte, plan.port_delay, plan.port_jitter
    ports["random"] = plan.port_seed.astype(np.uint64)
    ports["switch"] = plan.port_switch
    ports["line_head"] = ports["line_tail"] = ports["frame_head"] = -1
    ports["histogram"] = ports["sending"] = ports["fluid"] = -1
    apart = len(plan.watched) if len(plan.watched) <= MOST_PORTS else 1
    ports["histogram"][plan.watched] = np.arange(len(plan.watched)) % max(1, apart)
    fluids = rows(1, FLUID)
    fluids["port"] = -1
    kept = Kept([])
    queues, switches = switch_side(plan, ports, kept)
    lossless = lossless_side(plan, ports, queues, switches)

    classes = class_table(plan, kept)
    flows = rows(plan.flows, FLOW)
    flows["entry"], flows["start"], flows["segments"] = plan.flow_stack, plan.flow_start, plan.flow_segments
    flows["last_size"], flows["forward"], flows["reverse"] = plan.flow_last_size, plan.flow_forward, plan.flow_reverse
    flows["ack_priority"] = plan.flow_ack_priority
    flows["priority"], flows["lead"], flows["window"] = plan.flow_priority, plan.flow_lead, plan.flow_window
    flows["host"] = plan.flow_destination
    flows["setup"] = plan.flow_setup
    flows["following"], flows["gap"] = plan.flow_next, plan.flow_gap
    _connect(flows, plan, classes)
    _follow_queries(flows, plan)
    flows["rto"] = plan.flow_rto
    query, outstanding = classes["query"][plan.flow_stack], classes["outstanding"][plan.flow_stack]
    flows["ready"] = np.where(query == 0, plan.flow_segments, query * outstanding)
    words = classes["scratch"][plan.flow_stack]
    scratch = np.zeros(int(words.sum()) + 1)
    flows["scratch"] = scratch.ctypes.data + 8 * (np.cumsum(words) - words)
    report = rows(1, REPORT)
    flows["handshake"], flows["timed"], flows["clock"] = plan.flow_handshake, 1, plan.flow_clock
    flows["min_rtt"] = NEVER
    flows["random"] = np.arange(plan.flows, dtype=np.uint64) * np.uint64(LAW_STEP) + np.uint64(word(plan.seed, "laws"))
    for name in ("rto_at", "wake_at", "timer_at", "ack_at", "probe_at", "law_at", "law_armed"):
        flows[name] = NEVER
    for name in (
        "end",
        "recover",
        "tried",
        "high1",
        "high2",
        "high3",
        "rescue",
        "resent_head",
        "resent_tail",
        "probe_end",
        "nacked",
        "asked_at",
    ):
        flows[name] = -1

    ranges = lay_out(plan, law_timers=bool((classes["on_timer"] != 0).any()))
    spare = FEWEST_FREE + lossless.most_frames
    packets = packets_table(max(4096, 2 * spare, 16 * plan.flows if plan.flows < 4096 else 65536))
    state = np.zeros(1, STATE)
    state["free_count"] = len(packets)
    state["shift"] = _bucket_shift(plan)
    state["ring_free"] = -1
    state["starters"] = np.count_nonzero(plan.flow_start < NEVER)
    state["gap"], state["spare"] = plan.framing.gap, spare
    state["route_end"] = np.flatnonzero(plan.routes < 0)[0] if len(plan.routes) else 0
    # One acknowledgement answers as many queries of a connection as may be under way.
    most_answers = int(classes["outstanding"].max(initial=0))
    state["query_room"] = FEWEST_QUERIES
    for name, first in ranges._asdict().items():
        state[name] = first
    state["tracing"] = int(trace > 0)
    state["flow_base"], state["queue_base"] = flows.ctypes.data, queues.ctypes.data
    state["memory_base"], state["packet_base"] = switches.ctypes.data, packets.ctypes.data
    state["port_base"] = ports.ctypes.data
    state["ingress_base"], state["group_base"] = lossless.ingresses.ctypes.data, lossless.groups.ctypes.data
    state["report_base"] = report.ctypes.data
    asked = bool(classes["telemetry"].any() or classes["probe_size"].any())
    telemetry = telemetry_table(len(packets) if asked else 1)
    echoes = bool((classes["telemetry"] & (classes["rdma"] == 0)).any())
    state["telemetry_base"] = telemetry.ctypes.data
    state["unsent"] = -1
    state["extra"], state["far_at"], state["pause_at"] = -1, NEVER, NEVER
    state["passing"] = int((switches["on_pass"] != 0).any())
    logs = plan.lossless is not None and plan.scenario.run.fabric is not None
    state["logging"] = int(logs)
    tables = variant(used(plan, classes))(
        state=state,
        ports=ports,
        queues=queues,
        switches=switches,
        ingresses=lossless.ingresses,
        groups=lossless.groups,
        pauses=lossless.pauses,
        pause_log=rows(PAUSE_LINES if logs else 1, PAUSE_LOG),
        stalled=np.zeros(plan.flows if logs else 1, np.int64),
        classes=classes,
        flows=flows,
        packets=packets,
        telemetry=telemetry,
        withheld=telemetry_table(plan.flows if echoes else 1),
        segments=rows(len(packets), SEGMENT),
        samples=rows(len(packets) if classes["on_sample"].any() else 1, SAMPLE),
        fluids=fluids,
        parts=rows(1, FLUID_PART),
        holes=rows(1, HOLE),
        routes=plan.routes,
        report=report,
        receivers=_receivers(plan),
        offers=rows(len(packets) if classes["allots"].any() else 1, OFFER),
        scratch=scratch,
        slots=rows(ranges.components, EVENT),
        heads=np.full(BUCKETS, -1),
        bits=np.zeros(BUCKETS // 64, np.int64),
        far_heads=np.full(BUCKETS, -1),
        far_bits=np.zeros(BUCKETS // 64, np.int64),
        heap=np.zeros(ranges.components, np.int64),
        histogram=np.zeros((max(1, apart), BINS), np.int64),
        queries=np.zeros(FEWEST_QUERIES + most_answers, QUERY),
        trace=np.zeros(max(1, trace), TRACE),
    )
    return tables, kept.arrays
