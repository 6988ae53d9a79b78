"""From a finished run to the metrics of ``footroom.result.METRICS``."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable

import numpy as np

from footroom.engines.plan import SECOND
from footroom.engines.reference.flow import Flow
from footroom.engines.reference.network import Network
from footroom.engines.reference.pause_metrics import pause_metrics
from footroom.kernel.tables import NEVER
from footroom.result.completions import Completed
from footroom.result.fct import completion_metrics, fairness, query_metrics
from footroom.result.queues import ALL, MOST_PORTS, QueueDistribution, distribution
from footroom.result.steps import StepDocument, mean_fairness, steps_of
from footroom.result.transfer import Transfers


def quantile(time_at: dict[int, int], share: float) -> int:
    """Smallest level that is not exceeded for at least ``share`` of the time; time_at: level to time spent there."""
    total, spent = sum(time_at.values()), 0
    for level in sorted(time_at):
        spent += time_at[level]
        if spent >= share * total:
            return level
    raise ValueError("no time was spent anywhere")


def metrics_of(network: Network) -> dict[str, float]:
    """Metrics over the measured window; one that does not apply is absent."""
    return {**_ports(network), **_flows(network), **pause_metrics(network), **_completions(network)}


def offered(network: Network) -> int:
    """Packets offered to the watched ports in the measured window."""
    return sum(meter.offered_packets for meter in network.meters.values())


def _ports(network: Network) -> dict[str, float]:
    plan = network.plan
    seconds = (plan.duration - plan.warmup) / SECOND
    time_at: defaultdict[int, int] = defaultdict(int)
    for meter in network.meters.values():
        meter.close()
        for level, time in meter.time_at.items():
            time_at[level] += time
    bits = sum(meter.sent_bits for meter in network.meters.values())
    capacity = sum(float(plan.port_rate[p]) for p in network.meters)
    metrics: dict[str, float] = {
        "utilisation": bits / seconds / capacity,
        "throughput": bits / seconds,
        "queue_mean": sum(level * time for level, time in time_at.items()) / sum(time_at.values()),
        "queue_p50": float(quantile(time_at, 0.5)),
        "queue_p99": float(quantile(time_at, 0.99)),
        "queue_max": float(max(meter.largest for meter in network.meters.values())),
    }
    if any(setting.marking.mark() is not None for setting in plan.settings):
        metrics["marks"] = float(sum(meter.marked_packets for meter in network.meters.values()))
    if (count := offered(network)) > 0:
        metrics["drop_rate"] = sum(meter.dropped_packets for meter in network.meters.values()) / count
    return metrics


def _flows(network: Network) -> dict[str, float]:
    plan = network.plan
    seconds = (plan.duration - plan.warmup) / SECOND
    flows = _split(network)[0]
    delivered = [flow.delivered_bytes() for flow in flows]
    metrics: dict[str, float] = {
        "goodput": 8.0 * sum(delivered) / seconds,
        "timeouts": float(sum(flow.sender.timeouts for flow in flows)),
        "retransmissions": float(sum(flow.sender.retransmissions for flow in flows)),
    }
    tails = [flow.sender.tail for flow in flows if flow.sender.tail is not None]
    if any(stack.tail_loss_probe for stack in plan.stacks):
        metrics["tail_loss_probes"] = float(sum(tail.count for tail in tails))
    if plan.flow_setup.any():
        metrics["setup_retries"] = float(sum(flow.setup.retries for flow in flows if flow.setup is not None))
    long_lived = [float(b) for flow, b in zip(flows, delivered, strict=True) if flow.stack.long_lived]
    if any(long_lived):
        metrics["fairness"] = fairness(np.array(long_lived))
    steps = steps_taken(network)
    if steps is not None and (index := mean_fairness(steps)) is not None:
        metrics["fairness"] = index
    return metrics


def steps_taken(network: Network) -> list[StepDocument] | None:
    """What every long-lived flow got between joins and leaves; None where no flows join and leave one by one."""
    plan = network.plan
    if not plan.steps:
        return None
    flows = [flow for flow in _split(network)[0] if flow.bytes < 0]
    inside = [at for at in plan.steps if plan.warmup < at < plan.duration]
    stop = [int(plan.flow_stop[flow.number]) for flow in flows]
    return steps_of(
        [at / SECOND for at in sorted({plan.warmup, *inside, plan.duration})],
        [np.array([row[flow.number] for flow in flows], np.float64) for row in network.received],
        np.array([flow.start_at / SECOND for flow in flows]),
        np.array([np.inf if at == NEVER else at / SECOND for at in stop]),
        [flow.entry for flow in flows],
    )


def _completions(network: Network) -> dict[str, float]:
    plan, flows = network.plan, _split(network)[0]
    streamed = [time for flow in flows for time in _stream(network, flow)]
    if all(flow.bytes < 0 for flow in flows) and not streamed:
        return {}
    begun = [flow for flow in flows if flow.start_at <= plan.duration]
    waiting = sum(flow.stack.outstanding for flow in begun)
    unfinished = sum(flow.sender.end is None for flow in begun if flow.bytes >= 0)
    end = np.array([np.inf if flow.sender.end is None else flow.sender.end / SECOND for flow in network.flows])
    return completion_metrics(completed_of(network).time, unfinished + waiting) | query_metrics(
        plan.flow_event,
        plan.event_start / SECOND,
        end,
        plan.warmup / SECOND,
        plan.duration / SECOND,
        np.array(streamed),
        waiting,
        plan.event_after,
        plan.event_pause / SECOND,
    )


def _stream(network: Network, flow: Flow) -> list[float]:
    """Completion times [s] of the queries of one connection that were answered in the measured window."""
    asked: deque[int] = deque([flow.start_at] * flow.stack.outstanding)
    times = []
    for answered in flow.answers:
        begin = asked.popleft()
        asked.append(answered)  # the next query begins
        if answered > network.plan.warmup:
            times.append((answered - begin) / SECOND)
    return times


def completed_of(network: Network) -> Completed:
    """Flows, then queries, that completed in the measured window."""
    entry, size, time = [], [], []
    flows = _split(network)[0]
    for flow in flows:
        if flow.bytes >= 0 and flow.sender.end is not None and flow.sender.end > network.plan.warmup:
            entry.append(flow.entry)
            size.append(flow.bytes)
            time.append((flow.sender.end - flow.start_at) / SECOND)
    for flow in flows:
        times = _stream(network, flow)
        entry += [flow.entry] * len(times)
        size += [flow.stack.query_bytes] * len(times)
        time += times
    return Completed(np.array(entry, np.int64), np.array(size, np.int64), np.array(time))


def queues_of(network: Network) -> QueueDistribution:
    """How long the watched queues were: all together, and the port with the longest mean queue."""
    plan = network.plan
    together: defaultdict[int, int] = defaultdict(int)
    area: dict[int, int] = {}
    for port, meter in network.meters.items():
        meter.close()
        area[port] = sum(level * time for level, time in meter.time_at.items())
        for level, time in meter.time_at.items():
            together[level] += time
    found: dict[str, Callable[[float], float]] = {ALL: lambda share: quantile(together, share)}
    if 1 < len(network.meters) <= MOST_PORTS:
        busiest = max(area, key=lambda port: area[port])
        name = f"{plan.names[plan.port_from[busiest]]}>{plan.names[plan.port_to[busiest]]}"
        found[name] = lambda share: quantile(network.meters[busiest].time_at, share)
    return distribution(found)


def _split(network: Network) -> tuple[list[Flow], list[Flow]]:
    """The flows of the load, and the probes."""
    probing = network.plan.probing.tolist()
    return (
        [flow for flow, probe in zip(network.flows, probing, strict=True) if not probe],
        [flow for flow, probe in zip(network.flows, probing, strict=True) if probe],
    )


def transfers_of(network: Network) -> Transfers | None:
    """What the probes found; None where there are none."""
    probes = _split(network)[1]
    if not probes:
        return None
    ends = [(flow.start_at, flow.sender.end) for flow in probes]
    times = tuple((end - start) / SECOND for start, end in ends if end is not None)
    return Transfers(network.plan.scenario.run.transfer, times, len(ends) - len(times))
