"""Metrics of the measured window from the engine's tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.completed import Transfers
from footroom.engines.packet.pause_metrics import PauseWindow
from footroom.engines.packet.series import port_name
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.steps import payload_received
from footroom.engines.packet.tables import BINS, SUB_BITS
from footroom.engines.plan import SECOND
from footroom.result.completions import Completed
from footroom.result.fct import completion_metrics, fairness, query_metrics
from footroom.result.queues import ALL, QueueDistribution, distribution
from footroom.result.recorded import FlowsDocument
from footroom.result.transfer import Transfers as Probes

Floats = npt.NDArray[np.float64]

_PORTS = ("offered", "dropped", "marked", "sent", "sent_bytes", "area")
_FLOWS = ("timeouts", "retransmissions", "probes", "setup_retries")


def _edges() -> Floats:
    """Smallest queue length of every histogram bin, and one past the last."""
    size = 1 << SUB_BITS
    bins = np.arange(BINS + 1)
    exponent = np.maximum(bins // size - 1, 0)
    return np.where(bins < size, bins, (size + bins % size) * 2.0**exponent).astype(np.float64)


_EDGES = _edges()


def quantile(histogram: npt.NDArray[np.int64], level: float) -> float:
    """Time-weighted quantile [B] of a queue histogram, interpolated within a bin."""
    total = int(histogram.sum())
    if total == 0:
        return 0.0
    cumulative = np.cumsum(histogram)
    target = level * total
    i = int(np.searchsorted(cumulative, target, side="left"))
    low, high = _EDGES[i], _EDGES[i + 1]
    if high - low <= 1.0:
        return float(low)
    share = (target - (cumulative[i] - histogram[i])) / histogram[i]
    return float(low + share * (high - low))


def _share(sent: float, capacity: float, packets: int, span: float, fastest: int, edge: float) -> float:
    """Bits sent over bits that could be sent; a share beyond 1 by more than rounding is a bug and raises.

    A transmission takes a whole number of picoseconds, rounded down, so ``packets`` in ``span`` [ps] may gain one each.
    The time of a byte is rounded as well, to a whole number, of which the fastest link has ``fastest``. What was sent
    by fluid is known at the edges of the window to within ``edge`` [ps] of time.
    """
    share = sent / capacity
    if share > 1.0 + 1e-9 + (packets + edge) / span + 0.5 / fastest:
        raise RuntimeError(f"a link sent {share:.12g} of what it can")
    return min(share, 1.0)


class Window:
    """The measured window: opened when the warm-up ends, read when the run ends.

    The engine's counters run on from the beginning; what they showed when the window opened is subtracted. Its
    high-water marks (``largest``) start again.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._opened = simulation.now
        self._load = ~simulation.plan.probing
        t = simulation.tables
        self._residue = self._in_transmission()
        self._settle()
        self._ports = {name: t.ports[name][simulation.plan.watched].copy() for name in _PORTS}
        self._flows = {name: int(t.flows[name][self._load].sum()) for name in _FLOWS}
        self._histogram = t.histogram.copy()
        t.ports["largest"] = t.ports["bytes"]
        t.switches["largest"] = t.switches["used"]
        self.pauses = None if simulation.plan.lossless is None else PauseWindow(simulation)
        self._delivered = payload_received(self._simulation)

    def _since(self, name: str) -> npt.NDArray[Any]:
        """How far the counter ``name`` of every watched port went since the window opened."""
        s = self._simulation
        since: npt.NDArray[Any] = s.tables.ports[name][s.plan.watched] - self._ports[name]
        return since

    def _in_transmission(self) -> Floats:
        """Bytes still to be sent of the packets under way at the watched ports."""
        s = self._simulation
        ports = s.tables.ports[s.plan.watched]
        frame = ports["frame_until"] == ports["busy_until"]  # a pause frame, which is no packet
        left = np.where(frame, 0, np.maximum(0, ports["busy_until"] - s.now)) / SECOND
        return np.array(left * [s.sending_rate(int(port)) for port in s.plan.watched] / 8.0)

    def _settle(self) -> None:
        s = self._simulation
        t = s.tables
        for port in s.plan.watched:
            row = t.ports[port]
            span = s.now - row["changed"]
            row["area"] += float(row["bytes"]) * float(span)
            size = int(row["bytes"])
            t.histogram[row["histogram"], int(np.searchsorted(_EDGES, size, side="right")) - 1] += span
            row["changed"] = s.now

    def metrics(self) -> dict[str, float]:
        """Metrics over the window up to now; see footroom.result.METRICS."""
        s = self._simulation
        span = (s.now - self._opened) / SECOND
        plan, t = s.plan, s.tables
        self._settle()
        ports = t.ports[plan.watched]
        sent = float((self._since("sent_bytes") + self._residue - self._in_transmission()).sum() * 8.0)
        capacity, edge = s.capacity_bits(plan.watched, self._opened), s.fluid_edge()
        histogram, largest = (t.histogram - self._histogram).sum(axis=0), float(ports["largest"].max())
        flows = {name: float(int(t.flows[name][self._load].sum()) - before) for name, before in self._flows.items()}
        packets = int(self._since("sent").sum())
        metrics = {
            "utilisation": _share(sent, capacity, packets, s.now - self._opened, int(ports["rate"].min()), edge),
            "throughput": (min(sent, capacity) if edge > 0.0 else sent) / span,
            "queue_mean": float(self._since("area").sum() / (s.now - self._opened) / len(ports)),
            "queue_p50": min(quantile(histogram, 0.50), largest),
            "queue_p99": min(quantile(histogram, 0.99), largest),
            "queue_max": largest,
            "timeouts": flows["timeouts"],
            "retransmissions": flows["retransmissions"],
        }
        if any(stack.tail_loss_probe for stack in plan.stacks):
            metrics["tail_loss_probes"] = flows["probes"]
        if plan.flow_setup.any():
            metrics["setup_retries"] = flows["setup_retries"]
        if any(setting.marking.mark() is not None for setting in plan.settings):
            metrics["marks"] = float(self._since("marked").sum())
        if self.pauses is not None:
            metrics.update(self.pauses.metrics())
        if self.offered:
            metrics["drop_rate"] = float((self._since("dropped").sum() - self._probes("dropped")) / self.offered)
        delivered = payload_received(self._simulation) - self._delivered
        metrics["goodput"] = float(delivered.sum() * 8.0 / span)
        long_lived = plan.flow_bytes < 0
        if delivered[long_lived].any():
            metrics["fairness"] = fairness(delivered[long_lived])
        finite = ~long_lived & self._load
        self._complete()
        if finite.any() or len(self._queries.flow):
            metrics.update(self._completion(finite))
        return metrics

    def transfers(self) -> Probes | None:
        """What the probes found; None where there are none."""
        if self._load.all():
            return None
        plan, end = self._simulation.plan, self._simulation.tables.flows["end"][~self._load]
        times = (end - plan.flow_start[~self._load])[end >= 0] / SECOND
        return Probes(plan.scenario.run.transfer, tuple(times.tolist()), int((end < 0).sum()))

    @property
    def offered(self) -> int:
        """Packets of the load offered to the watched ports since the window opened."""
        return int(self._since("offered").sum()) - self._probes("top", "retransmissions")

    def _probes(self, *counters: str) -> int:
        """Sum of counters of all probe transfers; they begin when the window has opened."""
        flows = self._simulation.tables.flows
        return sum(int(flows[name][~self._load].sum()) for name in counters)

    def flows(self) -> FlowsDocument:
        """Every transfer that completed in the window."""
        plan, found = self._simulation.plan, self._transfers
        names = [plan.names[node] for node in plan.flow_source[found.flow]]
        told: FlowsDocument = {
            "entry": plan.flow_stack[found.flow].tolist(),
            "size": found.size.tolist(),
            "start": found.start.tolist(),
            "fct": found.time.tolist(),
            "source": names,
        }
        if self._ideal is not None:
            told["slowdown"] = (found.time / self._ideal).tolist()
        return told

    def completed(self) -> Completed:
        """Completion times of every transfer that completed in the window."""
        return self._transfers.completed(self._simulation, self._ideal)

    def queues(self) -> QueueDistribution:
        """How long the watched queues were: all together, and the port with the longest mean queue."""
        s = self._simulation
        counted = s.tables.histogram - self._histogram
        ports = s.tables.ports[s.plan.watched]
        found = {ALL: _quantiles(counted.sum(axis=0), float(ports["largest"].max()))}
        if len(counted) == len(ports) > 1:
            busiest = int(np.argmax(self._since("area")))
            found[port_name(s, int(s.plan.watched[busiest]))] = _quantiles(
                counted[busiest], float(ports["largest"][busiest])
            )
        return distribution(found)

    def _complete(self) -> None:
        """Find what completed in the window, once."""
        s = self._simulation
        flows = Transfers.of_flows(s, self._opened)
        self._queries = Transfers.of_queries(s, self._opened)
        self._transfers = flows + self._queries
        asked = len(self._transfers.flow) and s.plan.scenario.run.slowdown
        self._ideal = self._transfers.ideal(s) if asked else None

    def _completion(self, finite: npt.NDArray[np.bool_]) -> dict[str, float]:
        s = self._simulation
        plan, flows = s.plan, s.tables.flows
        started = finite & (flows["start"] <= s.now)
        streams = np.array([stack.outstanding for stack in plan.stacks])[plan.flow_stack] * (flows["start"] <= s.now)
        unfinished = int((started & (flows["end"] < 0)).sum() + streams.sum())
        metrics = completion_metrics(self._transfers.time, unfinished, self._ideal)
        end = np.where(flows["end"] < 0, np.inf, flows["end"] / SECOND)
        return metrics | query_metrics(
            plan.flow_event,
            plan.event_start / SECOND,
            end,
            self._opened / SECOND,
            s.now / SECOND,
            self._queries.time,
            int(streams.sum()),
            after=plan.event_after,
            pause=plan.event_pause / SECOND,
        )


def _quantiles(histogram: npt.NDArray[np.int64], largest: float) -> Callable[[float], float]:
    """Bytes by share of time."""
    return lambda share: largest if share == 1.0 else min(quantile(histogram, share), largest)
