"""Step by step around an event: the length and limit of every queue, and packets marked and dropped."""

from __future__ import annotations

import numpy as np

from footroom.base.compile_cache import entry
from footroom.engines.packet.group_timeline import GroupTimeline
from footroom.engines.packet.peaks import Peaks
from footroom.engines.packet.series import port_name
from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.tables import u
from footroom.engines.plan import SECOND
from footroom.kernel.calls import call_policy
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.memory import MEMORY_SIZE, QUEUE_SIZE
from footroom.kernel.tables import NEVER, PACKET
from footroom.result.recorded import TimelineDocument, TimelineQueue

#: Queues reported: those that were longest; and points of each.
_MOST_QUEUES, _MOST_POINTS = 12, 2000


@entry
def _limits(t, rows, flow, packet, found):
    """The sharing policy's limit for each queue in ``rows`` and a new flow's packet of no size."""
    s = t.state[0]
    for i in range(len(rows)):
        q = t.queues[u(rows[i])]
        m = t.switches[u(q.memory)]
        switch, queue = s.memory_base + q.memory * MEMORY_SIZE, s.queue_base + rows[i] * QUEUE_SIZE
        found[i] = q.reserved + call_policy(m.policy, switch, queue, m.params, flow, packet, 0, s.now)
    return 0


class Timeline:
    """Every queue of the watched ports, from ``start`` to ``end`` in steps of ``step``, all in ps.

    Per step: the queue [B] at its end and its largest; the limit [B] that the sharing policy set at its end, the
    reserved part included, all memory for a lossless class, whose egress queue has none; the memory's free shared bytes
    at its end and their least; packets marked and dropped.
    """

    def __init__(self, simulation: Simulation, start: int, end: int, step: int, peaks: Peaks) -> None:
        self._simulation, self._end, self._step = simulation, end, step
        self._peaks, self._reader = peaks, peaks.reader()
        self.due = start
        ports = [int(p) for p in simulation.plan.watched if simulation.plan.port_switch[p] >= 0]
        self._queues = [
            (p, row)
            for p in ports
            for row in range(*simulation.queues_of_port(p).indices(len(simulation.tables.queues)))
        ]
        self._index = np.array([row for _, row in self._queues], dtype=np.int64)
        lossless, classes = simulation.tables.ports["lossless"], simulation.tables.queues["klass"]
        self._lossless = np.array([(int(lossless[p]) >> int(classes[row])) & 1 for p, row in self._queues], np.bool_)
        self._blank_flow, self._blank_packet = np.zeros(1, FLOW), np.zeros(1, PACKET)
        self._blank_packet["flow"] = simulation.plan.flows  # a flow that no policy knows
        self._groups = GroupTimeline(simulation)
        self._times: list[int] = []
        self._rows: dict[str, list[np.ndarray]] = {
            name: [] for name in ("queue", "queue_max", "threshold", "free", "free_min", "marked", "dropped")
        }

    def look(self) -> None:
        """Record the step that ends now."""
        s = self._simulation
        queues = s.tables.queues[self._index]
        memories = s.tables.switches[queues["memory"]]
        limits = np.zeros(len(self._index), np.int64)
        _limits(s.tables, self._index, self._blank_flow.ctypes.data, self._blank_packet.ctypes.data, limits)
        limits[self._lossless] = NEVER  # the policy does not ask of them
        self._times.append(s.now)
        for name, values in (
            ("queue", queues["bytes"]),
            ("queue_max", self._peaks.take(self._reader)[self._index]),
            ("threshold", np.minimum(np.minimum(limits, queues["limit_bytes"]), memories["buffer"])),
            ("free", memories["pool"] - memories["shared"]),
            ("free_min", memories["pool"] - memories["peak"]),
            ("marked", queues["marked"]),
            ("dropped", queues["dropped"]),
        ):
            self._rows[name].append(values.copy())
        self._groups.look()
        s.tables.switches["peak"] = s.tables.switches["shared"]
        self.due = self.due + self._step if self.due < self._end else 2**62

    def to_dict(self) -> TimelineDocument:
        """Plain data, the longest queues first.

        Steps are joined where there are very many; extremes and counts are kept.
        """
        s = self._simulation
        count = max(len(self._times) - 1, 0)
        shape = (len(self._times), len(self._queues))
        rows = {name: np.array(values).reshape(shape) for name, values in self._rows.items()}
        join = max(1, -(-count // _MOST_POINTS))
        ends = np.minimum(np.arange(join, count + join, join), count)
        starts = np.concatenate([[0], ends[:-1]])
        spans = list(zip(starts + 1, ends + 1, strict=True))
        longest = np.argsort(-rows["queue_max"][1:].max(axis=0, initial=0), kind="stable")[:_MOST_QUEUES]
        found: list[TimelineQueue] = []
        for i in longest:
            port, row = self._queues[i]
            place = row - s.queues_of_port(port).start
            classes = int(s.tables.ports["classes"][port])
            last = {name: [int(rows[name][b - 1, i]) for _, b in spans] for name in ("queue", "threshold", "free")}
            since = {
                name: [int(rows[name][b - 1, i] - rows[name][a - 1, i]) for a, b in spans]
                for name in ("marked", "dropped")
            }
            found.append(
                {
                    "port": port_name(s, port),
                    "class": place % classes,
                    "card": place // classes,
                    "queue": last["queue"],
                    "threshold": last["threshold"],
                    "free": last["free"],
                    "queue_max": [int(rows["queue_max"][a:b, i].max()) for a, b in spans],
                    "free_min": [int(rows["free_min"][a:b, i].min()) for a, b in spans],
                    "marked": since["marked"],
                    "dropped": since["dropped"],
                }
            )
        return {
            "step": join * self._step / SECOND,
            "time": [self._times[e] / SECOND for e in ends],
            "queues": found,
            "groups": self._groups.to_list(spans, join * self._step),
        }
