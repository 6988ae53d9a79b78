"""The whole fabric over time: queues and pauses of every port, rates of flows, and how pauses spread."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.peaks import Peaks
from footroom.engines.packet.series import port_name
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.tables import Ints
from footroom.engines.plan import SECOND
from footroom.engines.plan.propagation import Event, Propagation, Stopped, events_of
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import DATA, PAUSES
from footroom.result.fabric import FabricDocument, FabricQueue, FlowRates
from footroom.result.fct import fairness
from footroom.result.pauses import Propagation as PropagationDocument

#: Most frames reported (between this and half of it once a run has more looks), classes of ports, and flows.
MOST_FRAMES, MOST_QUEUES, MOST_FLOWS = 200, 2000, 64


class Fabric:
    """Every port from the end of the warm-up, look by look ``step`` ps apart; neighbouring looks are joined.

    Per frame: the most bytes that every class of every switch port held; the part of it for which every class was held
    back; payload that flows received in order.
    """

    def __init__(self, simulation: Simulation, step: int, peaks: Peaks) -> None:
        self._simulation, self._step = simulation, step
        self.due = simulation.plan.warmup
        self._peaks, self._reader = peaks, peaks.reader()
        self._ports, self._classes = self._pairs()
        self._rows = self._queue_rows()
        self._flows = self._chosen_flows()
        self._times: list[int] = []
        self._frames: list[tuple[Ints, Ints, Ints, npt.NDArray[np.bool_]]] = []  # queue, held, received, active
        self._before: tuple[Ints, Ints] | None = None

    def _pairs(self) -> tuple[Ints, Ints]:
        """Port and class of what is recorded: all classes at switches, lossless ones at hosts."""
        plan, t = self._simulation.plan, self._simulation.tables
        pairs = []
        for port in range(plan.ports):
            if plan.port_switch[port] >= 0:
                pairs += [(port, k) for k in range(plan.classes)]
            elif plan.lossless is not None:
                mask = int(t.ingresses["classes"][port])
                pairs += [(port, k) for k in range(plan.classes) if (mask >> k) & 1]
        found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def _queue_rows(self) -> tuple[Ints, Ints]:
        """Rows of queues, and the pair that each belongs to; hosts do not count theirs by class."""
        plan, ports = self._simulation.plan, self._simulation.tables.ports
        rows = [
            (int(ports["queue"][p]) + card * int(ports["classes"][p]) + k, i)
            for i, (p, k) in enumerate(zip(self._ports.tolist(), self._classes.tolist(), strict=True))
            if plan.port_switch[p] >= 0
            for card in range(int(ports["cards"][p]))
        ]
        found = np.array(rows, dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def _chosen_flows(self) -> Ints:
        """Flows without an end, some of every entry where there are many; the largest where all have an end."""
        plan = self._simulation.plan
        lasting = np.flatnonzero((plan.flow_bytes < 0) & ~plan.probing)
        if len(lasting):
            return lasting[np.unique(np.linspace(0, len(lasting) - 1, min(len(lasting), MOST_FLOWS)).astype(np.int64))]
        largest = np.argsort(-np.where(plan.probing, -1, plan.flow_bytes), kind="stable")[:MOST_FLOWS]
        return np.sort(largest[~plan.probing[largest]])

    def look(self) -> None:
        """Record the frame that ends now."""
        s, now = self._simulation, self._simulation.now
        peaks = self._peaks.take(self._reader)
        queue = np.zeros(len(self._ports), np.int64)
        np.add.at(queue, self._rows[1], peaks[self._rows[0]])
        held, received = self._held(), self._received()
        if self._before is not None:
            flows, begin = s.tables.flows[self._flows], self._times[-1]
            active = (flows["start"] <= begin) & ((flows["end"] < 0) | (flows["end"] >= now))
            self._frames.append((queue, held - self._before[0], received - self._before[1], active))
        self._times.append(now)
        self._before = held, received
        if len(self._frames) >= MOST_FRAMES:
            self._join()
        self.due = now + self._step

    def _join(self) -> None:
        """Make one frame of every two neighbours, and look half as often."""
        pairs = zip(self._frames[::2], self._frames[1::2], strict=True)
        self._frames = [(np.maximum(a[0], b[0]), a[1] + b[1], a[2] + b[2], a[3] & b[3]) for a, b in pairs]
        self._times = self._times[::2]
        self._step *= 2

    def _held(self) -> Ints:
        """Time [ps] for which every class has been held back so far, by its own pause and by that of its port."""
        s = self._simulation
        if s.plan.lossless is None:
            return np.zeros(len(self._ports), np.int64)
        pauses = s.tables.pauses
        total = pauses["held"] + np.where(pauses["held_at"] >= 0, s.now - pauses["held_at"], 0)
        of_port = (s.tables.ingresses["classes"][self._ports].astype(np.int64) >> self._classes) & 1
        found: Ints = total[self._ports * PAUSES + self._classes] + of_port * total[self._ports * PAUSES + WHOLE]
        return found

    def _received(self) -> Ints:
        """Payload [B] that the receiver of every chosen flow has in order."""
        s = self._simulation
        plan, rows = s.plan, s.tables.flows["rcv"][self._flows].tolist()
        found = []
        for flow, segments in zip(self._flows.tolist(), rows, strict=True):
            size = int(plan.flow_bytes[flow])
            have = int(plan.stacks[int(plan.flow_stack[flow])].payload_of(segments))
            found.append(have if size < 0 else min(have, size))
        return np.array(found, dtype=np.int64)

    # What is reported.

    def to_dict(self) -> FabricDocument:
        """Plain data; see docs/recording.md."""
        s = self._simulation
        plan = s.plan
        if self._times and s.now > self._times[-1]:
            self.look()
        spans = np.diff(self._times)
        queue, held, received, active = (
            np.array([frame[i] for frame in self._frames]).reshape(len(self._frames), -1) for i in range(4)
        )
        switches = sorted({int(node) for node in plan.port_from[plan.port_switch >= 0]})
        shown, left_out = self._queues(queue, held, spans)
        return {
            "step": self._step / SECOND,
            "start": self._times[0] / SECOND,
            "time": [time / SECOND for time in self._times[1:]],
            "nodes": [
                {"name": name, "kind": "switch" if i in set(switches) else "host"} for i, name in enumerate(plan.names)
            ],
            "ports": [
                {
                    "port": port_name(s, p),
                    "from": plan.names[int(plan.port_from[p])],
                    "to": plan.names[int(plan.port_to[p])],
                    "rate": float(plan.port_rate[p]),
                    "delay": int(plan.port_delay[p]) / SECOND,
                }
                for p in range(plan.ports)
            ],
            "queues": shown,
            "queues_left_out": left_out,
            "flows": self._rates(received, active, spans),
            "pauses": self._propagation() if plan.lossless is not None else None,
        }

    def _queues(self, queue: np.ndarray, held: np.ndarray, spans: np.ndarray) -> tuple[list[FabricQueue], int]:
        """Classes of ports that ever held a byte or were held back, and how many more there are than are listed."""
        used = np.flatnonzero(queue.any(axis=0) | held.any(axis=0)) if len(queue) else np.zeros(0, np.int64)
        longest = used[np.lexsort((-queue[:, used].max(axis=0, initial=0), -held[:, used].sum(axis=0)))]
        shown = np.sort(longest[:MOST_QUEUES])
        rows: list[FabricQueue] = [
            {
                "port": port_name(self._simulation, int(self._ports[i])),
                "class": int(self._classes[i]),
                "queue_max": queue[:, i].tolist(),
                "paused": np.round(np.clip(held[:, i] / spans, 0.0, 1.0), 4).tolist(),
            }
            for i in shown
        ]
        return rows, int(len(longest) - len(shown))

    def _rates(self, received: np.ndarray, active: np.ndarray, spans: np.ndarray) -> FlowRates:
        """Goodput [bit/s] of the chosen flows, and Jain's index over those under way for the whole frame."""
        plan = self._simulation.plan
        rates = received * 8.0 * SECOND / spans[:, None] if len(spans) else received.astype(np.float64)
        index = []
        for row, under_way in zip(received, active, strict=True):
            mine = row[under_way].astype(np.float64)
            index.append(fairness(mine) if len(mine) > 1 and mine.any() else None)
        lasting = bool((plan.flow_bytes[self._flows] < 0).any()) if len(self._flows) else False
        of = int(np.count_nonzero(((plan.flow_bytes < 0) if lasting else (plan.flow_bytes >= 0)) & ~plan.probing))
        return {
            "lasting": lasting,
            "of": of,
            "fairness": index,
            "rates": [
                {
                    "flow": int(flow),
                    "entry": int(plan.flow_stack[flow]),
                    "source": plan.names[int(plan.flow_source[flow])],
                    "destination": plan.names[int(plan.flow_destination[flow])],
                    "rate": np.round(rates[:, i], 1).tolist(),
                }
                for i, flow in enumerate(self._flows.tolist())
            ],
        }

    def _propagation(self) -> PropagationDocument:
        s = self._simulation
        events = events_of(s.pause_lines())
        if s.pauses_until is None:
            events += self._not_over()
        return Propagation(s.plan, events, s.now, s.pauses_until).to_dict()

    def _not_over(self) -> list[Event]:
        """The pauses that hold now, and the flows that wait behind them."""
        s = self._simulation
        t, found = s.tables, list[Event]()
        for number in np.flatnonzero(t.pauses["held_at"] >= 0).tolist():
            port, which = divmod(number, PAUSES)
            since, stalled = int(t.pauses["held_at"][number]), dict[int, int]()
            mask = int(t.ingresses["classes"][port]) if which == WHOLE else 1 << which
            first = int(t.ports["queue"][port])
            for klass in [k for k in range(int(t.ports["classes"][port])) if (mask >> k) & 1]:
                k = int(t.queues["head"][first + klass])
                while k >= 0:
                    packet = t.packets[k]
                    at_switch = s.plan.port_switch[port] >= 0
                    if at_switch or packet["sort"] == DATA:
                        came = int(packet["time"] if at_switch else packet["stamp"])
                        stalled.setdefault(int(packet["flow"]), max(since, came))
                    k = int(packet["next"])
            found.append(Stopped((port, which), since, s.now, stalled, int(t.pauses["of"][number])))
        return found
