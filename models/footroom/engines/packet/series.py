"""Watched ports window by window: utilisation, drops and queues as a poller sees them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.base.compile_cache import entry
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.tables import u
from footroom.engines.plan import SECOND
from footroom.result.recorded import PathEstimates, SeriesDocument, SeriesFlow, SeriesPort

Floats = npt.NDArray[np.float64]

#: Most long-lived flows whose goodput is kept window by window.
MOST_FLOWS = 64

_COUNTERS = ("offered", "dropped", "marked", "sent_bytes")


@entry
def _on_link(t, found):
    """Byte times of a link that the packets of every queue will take."""
    for i in range(len(t.queues)):
        k = int(t.queues[u(i)].head)
        while k >= 0:
            packet = t.packets[u(k)]
            found[i] += packet.size + t.state[0].gap
            k = packet.next
    return 0


def port_name(simulation: Simulation, port: int) -> str:
    """``from>to`` of a port."""
    plan = simulation.plan
    return f"{plan.names[plan.port_from[port]]}>{plan.names[plan.port_to[port]]}"


class Series:
    """Counters of every watched port per window of ``window`` ps, from the end of the warm-up.

    Per window: utilisation; packets offered, dropped and marked; the queue [B] at the window's end and its largest; the
    time [s] a packet that arrived at the window's end would wait if nothing followed it, all classes before it; on line
    cards the mean over the cards. And the goodput [bit/s] of every long-lived flow, where there are at most 64, and
    its law's estimate of the path where it has one.
    """

    def __init__(self, simulation: Simulation, window: int) -> None:
        self._simulation, self._window = simulation, window
        self.due = simulation.plan.warmup
        plan = simulation.plan
        lasting = np.flatnonzero((plan.flow_bytes < 0) & ~plan.probing)
        self._flows = lasting if len(lasting) <= MOST_FLOWS else lasting[:0]
        self._payload = np.array([stack.payload for stack in plan.stacks])[plan.flow_stack[self._flows]]
        self._received: list[Floats] = []
        self._had = np.zeros(len(self._flows))
        self._estimates: list[list[tuple[float, float] | None]] = []
        self._rows: dict[str, list[Floats]] = {name: [] for name in (*_COUNTERS, "queue", "queue_max", "delay")}
        self._times: list[int] = []
        self._before: Floats | None = None
        self._capacity: list[Floats] = []
        # Where a packet takes different bytes of memory and link, queued packets have to be counted one by one.
        self._framed = simulation.plan.framing.gap > 0 or bool(
            (simulation.tables.switches["cell"] > 1).any() or simulation.tables.ports["keeps"].any()
        )

    def look(self) -> None:
        """Record the window that ends now."""
        s = self._simulation
        watched = s.plan.watched
        ports = s.tables.ports[watched]
        left = np.maximum(0, ports["busy_until"] - s.now) / SECOND
        rates = np.array([s.sending_rate(int(port)) for port in watched])
        counters = np.array([ports[name] for name in _COUNTERS], dtype=np.float64)
        frame = ports["frame_until"] == ports["busy_until"]
        counters[-1] -= np.where(frame, 0.0, left * rates / 8.0)  # what has not left yet; a pause frame does not count
        if self._before is not None:
            for name, values in zip(_COUNTERS, counters - self._before, strict=True):
                self._rows[name].append(values)
            self._rows["queue"].append(ports["bytes"].astype(np.float64))
            self._rows["queue_max"].append(ports["peak"].astype(np.float64))
            self._rows["delay"].append(left + self._ahead(ports) * 8.0 / rates)
            self._capacity.append(np.array([s.capacity_bits([p], s.now - self._window) for p in watched]))
            self._times.append(s.now)
            self._received.append(self._in_order() - self._had)
            self._estimates.append([self._estimate(int(flow)) for flow in self._flows])
        self._had = self._in_order()
        s.tables.ports["peak"][watched] = ports["bytes"]
        self._before = counters
        self.due += self._window

    def _in_order(self) -> Floats:
        """Payload bytes that each long-lived flow's receiver has in order."""
        return (self._simulation.tables.flows["rcv"][self._flows] * self._payload).astype(np.float64)

    def _estimate(self, flow: int) -> tuple[float, float] | None:
        plan = self._simulation.plan
        law = plan.stacks[plan.flow_stack[flow]].law
        return law.estimates(self._simulation.law_words(flow)) if law.scratch() else None

    def _path(self, number: int) -> PathEstimates | None:
        """Estimates of the flow of that number, window by window; none where its law makes none."""
        found = [row[number] for row in self._estimates]
        if not found or found[0] is None:
            return None
        bits = 8.0 * float(self._payload[number])
        known = [one for one in found if one is not None]
        return {
            "bandwidth": [rate * bits if rate > 0.0 else None for rate, _ in known],
            "min_rtt": [trip / SECOND if trip > 0.0 else None for _, trip in known],
            "rtt": int(self._simulation.plan.flow_rtt[self._flows[number]]) / SECOND,
        }

    def _ahead(self, ports: np.ndarray) -> Floats:
        """Byte times of the link before those of a packet arriving now at each port."""
        s = self._simulation
        queues, bytes_ = s.tables.queues["bytes"], ports["bytes"].astype(np.float64)
        if self._framed:
            queues = np.zeros(len(queues), np.int64)
            _on_link(s.tables, queues)
            bytes_ = np.array([queues[s.queues_of_port(int(port))].sum() for port in s.plan.watched], np.float64)
        for i in np.flatnonzero(ports["cards"] > 1):
            row = ports[i]
            shape = (int(row["cards"]), int(row["classes"]))
            cards = queues[s.queues_of_port(int(s.plan.watched[i]))].reshape(shape).sum(axis=1)
            # Cards take turns: until its own card is empty a packet sees at most as much from every other.
            bytes_[i] = np.minimum(cards[:, None], cards[None, :]).sum(axis=1).mean()
        return bytes_

    def to_dict(self) -> SeriesDocument:
        """Plain data."""
        s = self._simulation
        rows = {name: np.array(values).reshape(len(self._times), -1) for name, values in self._rows.items()}
        capacity = np.array(self._capacity).reshape(len(self._times), -1)
        ports: dict[str, SeriesPort] = {}
        for i, port in enumerate(s.plan.watched):
            count = {name: [int(v) for v in rows[name][:, i]] for name in rows}
            ports[port_name(s, int(port))] = {
                "utilisation": np.clip(rows["sent_bytes"][:, i] * 8.0 / capacity[:, i], 0.0, 1.0).tolist(),
                "offered": count["offered"],
                "dropped": count["dropped"],
                "marked": count["marked"],
                "queue": count["queue"],
                "queue_max": count["queue_max"],
                "delay": rows["delay"][:, i].tolist(),
            }
        received = np.array(self._received).reshape(len(self._times), -1) * 8.0 * SECOND / self._window
        flows: list[SeriesFlow] = []
        for i, flow in enumerate(self._flows):
            flows.append({"entry": int(s.plan.flow_stack[flow]), "goodput": received[:, i].tolist()})
            path = self._path(i)
            if path is not None:
                flows[-1]["path"] = path
        return {
            "window": self._window / SECOND,
            "time": [t / SECOND for t in self._times],
            "ports": ports,
            "flows": flows,
        }
