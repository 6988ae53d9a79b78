"""From a plan to the tables of the compiled engine."""

from __future__ import annotations

import numpy as np

from footroom.kernel.tables import CLASS, FLOW, NEVER, PACKET, PORT, QUEUE, SEGMENT, STATE, SWITCH, TRACE
from footroom.packet.tables import BINS, BUCKETS, NEWRENO, PRR, SACK, Tables
from footroom.plan import SECOND, Plan

_RECOVERY = {"newreno": NEWRENO, "sack": SACK, "prr": PRR}


def packets_table(count: int, start: int = 0) -> np.ndarray:
    """``count`` free packets numbered from ``start``, chained in order."""
    packets = np.zeros(count, PACKET)
    packets["next"] = np.arange(start + 1, start + count + 1)
    packets["next"][-1] = -1
    return packets


def _bucket_shift(plan: Plan) -> int:
    """Width of a bucket as a power of two: below the mean gap between events, of which a packet causes about eight.

    Narrower than needed costs little, wider costs a search through the bucket.
    """
    hosts = float(plan.port_rate[plan.port_switch < 0].sum()) / 2.0
    busy = min(hosts, float(plan.port_rate[plan.watched].sum())) if len(plan.watched) else hosts
    gap = plan.scenario.run.mtu * 8.0 / busy / 8.0 * SECOND
    return max(4, int(np.log2(max(gap, 16.0))))


def build_tables(plan: Plan, trace: int = 0) -> tuple[Tables, list[np.ndarray]]:
    """Tables for ``plan`` with room for ``trace`` lines, and the parameter arrays that must outlive them."""
    ports = np.zeros(plan.ports, PORT)
    ports["rate"], ports["delay"], ports["jitter"] = plan.picoseconds_per_byte, plan.port_delay, plan.port_jitter
    ports["random"] = plan.port_seed.astype(np.uint64)
    ports["queue"], ports["queues"], ports["switch"] = np.arange(plan.ports), 1, plan.port_switch
    ports["line_head"] = ports["line_tail"] = -1
    ports["histogram"] = -1
    ports["histogram"][plan.watched] = np.arange(len(plan.watched))

    queues = np.zeros(plan.ports, QUEUE)
    queues["head"] = queues["tail"] = -1
    queues["reserved"] = np.where(plan.port_switch >= 0, plan.reserved, 0)

    kept: list[np.ndarray] = []

    def parameters(values: tuple[float, ...]) -> int:
        kept.append(np.array(values, dtype=np.float64))
        return int(kept[-1].ctypes.data)

    switches = np.zeros(max(1, plan.switches), SWITCH)
    policy = parameters(plan.policy.parameters())
    for s in range(plan.switches):
        count = plan.queues_of(s)
        switches[s]["buffer"] = plan.buffer
        switches[s]["pool"] = plan.buffer - count * plan.reserved
        switches[s]["queues"] = count
        switches[s]["policy"], switches[s]["params"] = plan.policy.limit().address, policy

    classes = np.zeros(len(plan.stacks), CLASS)
    for i, stack in enumerate(plan.stacks):
        hooks = stack.law.hooks()
        classes[i] = (stack.segment, _RECOVERY[stack.recovery], stack.ack_every, stack.ack_delay, stack.min_rto,
                      stack.variance_floor,
                      stack.initial_window, stack.receive_window, stack.pacing, stack.burst, hooks.on_start.address,
                      hooks.on_ack.address, hooks.on_loss.address, hooks.on_timeout.address,
                      parameters(stack.law.parameters()))

    flows = np.zeros(plan.flows, FLOW)
    flows["klass"], flows["start"], flows["segments"] = plan.flow_stack, plan.flow_start, plan.flow_segments
    flows["last_size"], flows["forward"], flows["reverse"] = plan.flow_last_size, plan.flow_forward, plan.flow_reverse
    flows["rto"] = SECOND
    flows["min_rtt"] = NEVER
    for name in ("rto_at", "wake_at", "timer_at", "ack_at"):
        flows[name] = NEVER
    for name in ("end", "recover", "tried", "high1", "high2", "high3", "resent_head", "resent_tail"):
        flows[name] = -1

    components = 2 * plan.ports + plan.flows + 1
    packets = packets_table(max(4096, 16 * plan.flows if plan.flows < 4096 else 65536))
    state = np.zeros(1, STATE)
    state["free_count"] = len(packets)
    state["shift"] = _bucket_shift(plan)
    state["ring_free"] = -1
    state["ports"], state["flows"], state["tracing"] = plan.ports, plan.flows, int(trace > 0)
    state["flow_base"], state["queue_base"] = flows.ctypes.data, queues.ctypes.data
    state["switch_base"] = switches.ctypes.data
    tables = Tables(
        state=state, ports=ports, queues=queues, switches=switches, classes=classes, flows=flows, packets=packets,
        segments=np.zeros(len(packets), SEGMENT), routes=plan.routes,
        when=np.zeros(components, np.int64), following=np.full(components, -1), place=np.full(components, -1),
        heads=np.full(BUCKETS, -1), bits=np.zeros(BUCKETS // 64, np.int64), heap=np.zeros(components, np.int64),
        histogram=np.zeros((max(1, len(plan.watched)), BINS), np.int64),
        trace=np.zeros(max(1, trace), TRACE))
    return tables, kept
