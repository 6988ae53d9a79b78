"""One simulation: its tables, running it for a while, growing full tables, checking that nothing was lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.backlog import bring_up_all
from footroom.engines.packet.features import FLUID as FLUID_BESIDE
from footroom.engines.packet.features import variant
from footroom.engines.packet.fluid_holes import room_for_holes
from footroom.engines.packet.kept import Kept, address
from footroom.engines.packet.loop import TRACE_MARGIN, begin_at, run, schedule
from footroom.engines.packet.setup import build_tables, packets_table, telemetry_table, used
from footroom.engines.packet.tables import (
    GROW_PACKETS,
    GROW_QUERIES,
    GROW_SEGMENTS,
    PAUSED,
    TRACE_FULL,
    Ints,
    Table,
    Tables,
)
from footroom.engines.plan import SECOND, Plan
from footroom.kernel.engine_tables import QUERY
from footroom.kernel.flow_tables import OFFER, SAMPLE, SEGMENT
from footroom.kernel.tables import FLUID, FLUID_PART, HOLE, NEVER, PACKET, rows
from footroom.parts.marking.marker import Marker
from footroom.parts.sharing import Policy
from footroom.parts.sharing.force import put_in_force

#: Lines of the log of pauses that are kept, of 64 bytes each.
MOST_PAUSE_LINES = 500_000


class Simulation:
    """The compiled engine at work on one plan.

    ``run_until`` may be called any number of times: the state does not depend on how the time is sliced.
    """

    def __init__(self, plan: Plan, trace: bool = False) -> None:
        self.plan = plan
        self.tables, self._kept = build_tables(plan, 4 * TRACE_MARGIN if trace else 0)
        self._drained: list[Table] = []
        self._pause_lines: list[Table] = []
        self.pauses_until: int | None = None  # when the log of pauses was full; None while it is not
        self._pace = 0
        self._between: Callable[[int], None] | None = None
        self._stops = np.unique(plan.flow_stop[plan.flow_stop < NEVER]).tolist()
        self._rates: dict[int, list[tuple[int, float]]] = {}
        self._fluid = False
        #: Length [ps] of the steps in which the rates of fluid follow one another; 0 where they change at their time.
        self.fluid_step = 0.0
        #: Handles every event up to a time; a fluid beside the packets replaces it.
        self.advance: Callable[[Tables, int], int] = run
        #: Called with the switch and the new marking before a marking is replaced during a run; each may raise.
        self.on_mark: list[Callable[[int, Marker], None]] = []
        if plan.flows and plan.flow_start[0] < NEVER:
            schedule(self.tables, int(self.tables.state["flow_start"][0]), int(plan.flow_start[0]))

    def share(self, switch: int, policy: Policy) -> None:
        """Replace the sharing policy of ``switch``; the new one starts with empty state."""
        own = self.memories_of(switch)
        put_in_force(policy, self.tables.switches[own], self._kept, self.plan.flows)
        self.tables.state["passing"] = int((self.tables.switches["on_pass"] != 0).any())
        mine = (self.tables.queues["memory"] >= own.start) & (self.tables.queues["memory"] < own.stop)
        self.tables.queues["state"][mine] = 0.0

    def set_rate(self, port: int, rate: float) -> None:
        """Change a port's rate [bit/s] from now on; a packet already being sent keeps its speed."""
        since = max(self.now, int(self.tables.ports["busy_until"][port]))
        changes = self._rates.setdefault(port, [(0, float(self.plan.port_rate[port]))])
        while changes and changes[-1][0] >= since:  # changed twice during one packet
            changes.pop()
        changes.append((since, rate))
        self.tables.ports["rate"][port] = round(8.0 / rate * SECOND * 65536)

    def put_fluid(
        self, ports: Sequence[int], packet: float, burst: float, parts: Sequence[Sequence[int]] = ()
    ) -> Table:
        """Let fluid pass ``ports`` of switches beside their packets; its rates [B/ps] are set in the rows returned.

        packet: size of its packets on the link [B].  burst: packets that hosts send together.  A port must serve one
        class, first come, first served.  parts: of every port, those that its fluid comes in by, where lossless
        classes need to know.
        """
        fluids = rows(max(1, len(ports)), FLUID)
        fluids["port"], fluids["limit"], fluids["packet"], fluids["burst"] = -1, NEVER, packet, burst
        fluids["at"], fluids["gap_at"], fluids["stood_at"] = self.now, -1, -1
        of_ports = rows(max(1, sum(len(each) for each in parts)), FLUID_PART)
        of_ports["at"] = self.now
        of_ports["ingress"][: sum(len(each) for each in parts)] = [port for each in parts for port in each]
        ends = np.cumsum([0, *(len(each) for each in parts)])
        fluids["first_part"][: len(parts)], fluids["last_part"][: len(parts)] = ends[:-1], ends[1:]
        for row, port in zip(fluids, ports, strict=False):
            row["port"], row["queue"] = port, self.tables.ports["queue"][port]
        self.tables.ports["fluid"][list(ports)] = np.arange(len(ports))
        beside = variant(used(self.plan, self.tables.classes) | {FLUID_BESIDE})
        self.tables = beside(*self.tables)._replace(fluids=fluids, parts=of_ports)
        self._fluid = len(ports) > 0
        return fluids

    def keep_holes(self, row: int, kept: float, trip: float) -> None:
        """Keep holes of packets in fluid ``row`` for ``kept`` [ps]. They come back after ``trip`` [ps]; 0: never."""
        x = self.tables.fluids[row]
        least = max(1.0, 0.5 * x["packet"] * self.tables.ports["rate"][x["port"]] / 65536.0)
        x["hole_trip"], x["hole_least"] = trip, least
        x["first_hole"], more = len(self.tables.holes), room_for_holes(kept + trip, least)
        x["hole_mask"] = more - 1
        self.tables = self.tables._replace(holes=np.concatenate([self.tables.holes, rows(more, HOLE)]))

    def add_fluid(self, port: int, packet: float, burst: float) -> int:
        """Let one more fluid pass ``port``, as ``put_fluid`` does. Returns its row in the table of fluids."""
        before = self.tables.fluids[self.tables.fluids["port"] >= 0]
        rows_of_all = self.put_fluid([*before["port"].tolist(), port], packet, burst)
        rows_of_all[: len(before)] = before
        bring_up_all(self.tables, self.now)  # finds how much may wait
        return len(before)

    def mark(self, switch: int, marker: Marker) -> None:
        """Replace the marking at the ports of ``switch``."""
        for told in self.on_mark:
            told(switch, marker)
        kept = Kept(self._kept)
        mine = self.plan.port_switch == switch
        self.tables.ports["marker"][mine] = address(marker.mark())
        self.tables.ports["marker_params"][mine] = kept.parameters(marker.parameters())
        self.tables.ports["marks_late"][mine] = marker.late()

    def begin(self, flow: int) -> None:
        """Start a flow that waits to be started."""
        begin_at(self.tables, flow, self.now)

    def memories_of(self, switch: int) -> slice:
        """Rows of the memories of ``switch``: one, or one per line card."""
        first = sum(setting.architecture.line_cards() for setting in self.plan.settings[:switch])
        return slice(first, first + self.plan.settings[switch].architecture.line_cards())

    def scratch(self, memory: int) -> npt.NDArray[np.float64]:
        """The policy's own state in that row of memories, at present; empty where it has none."""
        address = int(self.tables.switches["scratch"][memory])
        return next((array for array in self._kept if array.ctypes.data == address), np.zeros(0))

    def law_words(self, flow: int) -> npt.NDArray[np.float64]:
        """The own state of the law of ``flow``, at present; empty where it has none."""
        t = self.tables
        first = (int(t.flows["scratch"][flow]) - t.scratch.ctypes.data) // t.scratch.itemsize
        return t.scratch[first : first + int(t.classes["scratch"][t.flows["entry"][flow]])]

    def queues_of_port(self, port: int) -> slice:
        """Rows of the queues of ``port``: all classes of line card 0, then of card 1 ..."""
        row = self.tables.ports[port]
        return slice(int(row["queue"]), int(row["queue"] + row["classes"] * row["cards"]))

    def capacity_bits(self, ports: Sequence[int] | Ints, since: int) -> float:
        """Bits that ``ports`` together could have sent between ``since`` [ps] and now, rate changes included."""
        total = 0.0
        for port in ports:
            changes = self._rates.get(int(port), [(0, float(self.plan.port_rate[port]))])
            for (start, rate), (end, _) in zip(changes, [*changes[1:], (self.now, 0.0)], strict=True):
                total += rate * max(0, min(end, self.now) - max(start, since)) / SECOND
        return total

    def sending_rate(self, port: int) -> float:
        """Rate [bit/s] of the packet that ``port`` is sending, which a change since then has not affected."""
        changes = self._rates.get(port, [(0, float(self.plan.port_rate[port]))])
        return next(rate for start, rate in reversed(changes) if start <= self.now)

    def fluid_edge(self) -> float:
        """Time [ps] by which bytes of fluid are counted late: a step, and a packet on the slowest link with any."""
        fluids = self.tables.fluids[self.tables.fluids["port"] >= 0]
        if not len(fluids):
            return 0.0
        times = fluids["packet"] * self.tables.ports["rate"][fluids["port"]] / 65536.0
        return self.fluid_step + float(times.max())

    @property
    def now(self) -> int:
        """Simulated time [ps]."""
        return int(self.tables.state["now"][0])

    @property
    def events(self) -> int:
        """Events handled so far."""
        return int(self.tables.state["events"][0])

    def run_until(self, until: int) -> bool:
        """Handle every event up to and including ``until`` [ps].

        True when it stopped earlier because a flow ended while ends are awaited.
        """
        while self._stops and self._stops[0] <= until:
            if self._run_until(self._stops[0]):
                return True
            self._stop(self._stops.pop(0))
        ended = self._run_until(until)
        if self._fluid:
            bring_up_all(self.tables, self.now)
        return ended

    def _stop(self, now: int) -> None:
        """The flows that stop now get no more data; those with nothing under way have ended."""
        flows, state = self.tables.flows, self.tables.state
        mine = self.plan.flow_stop == now
        flows["segments"][mine] = flows["ready"][mine] = flows["top"][mine]
        idle = mine & (flows["una"] == flows["top"]) & (flows["end"] < 0)
        flows["end"][idle] = now
        for name in ("rto_at", "wake_at", "probe_at"):
            flows[name][idle] = NEVER
        state["active"] -= np.count_nonzero(idle)
        state["finished"] += np.count_nonzero(idle)

    def _run_until(self, until: int) -> bool:
        while (status := self.advance(self.tables, until)) != 0:
            self._grow_queries()
            if status == GROW_PACKETS:
                self._grow_packets()
            elif status == GROW_SEGMENTS:
                old = self.tables.segments
                larger = rows(2 * len(old), SEGMENT)
                larger[: len(old)] = old
                self._replace(segments=larger)
                samples = self.tables.samples
                if len(samples) > 1:
                    more = rows(len(larger), SAMPLE)
                    more[: len(samples)] = samples
                    self._replace(samples=more)
            elif status == TRACE_FULL:
                self._drain()
            elif status == PAUSED:
                if self._between is not None:
                    self._between(self.now)
                self._keep_pause_lines()
                self._pause()
            elif status != GROW_QUERIES:
                return True
        return False

    def pause_between(self, events: int, look: Callable[[int], None]) -> None:
        """Call ``look`` with the time [ps] after every so many events, in the midst of ``run_until``; it may raise."""
        self._pace, self._between = events, look
        self._pause()

    def _pause(self) -> None:
        self.tables.state["pause_at"] = self.events + self._pace if self._between is not None else NEVER

    def trace(self) -> Table:
        """All lines of the trace so far, in the order they were written."""
        self._drain()
        return np.concatenate(self._drained) if self._drained else self.tables.trace[:0]

    def pause_lines(self) -> Table:
        """The log of pauses so far, in the order it was written; ``pauses_until`` says up to when it is complete."""
        self._keep_pause_lines()
        return np.concatenate(self._pause_lines) if self._pause_lines else self.tables.pause_log[:0]

    def _keep_pause_lines(self) -> None:
        """Empty the table of the log; when ``MOST_PAUSE_LINES`` are kept, logging ends."""
        state = self.tables.state
        lines = int(state["logged"][0])
        if lines == 0:
            return
        self._pause_lines.append(self.tables.pause_log[:lines].copy())
        state["logged"] = 0
        if state["log_lost"][0] or sum(len(part) for part in self._pause_lines) > MOST_PAUSE_LINES:
            state["logging"] = 0
            self.pauses_until = int(self._pause_lines[-1]["at"][-1])

    def _replace(self, **arrays: np.ndarray) -> None:
        self.tables = self.tables._replace(**arrays)

    def _grow_queries(self) -> None:
        state, old = self.tables.state, self.tables.queries
        if state["queries"][0] > state["query_room"][0]:
            self._replace(queries=np.concatenate([old, np.zeros(len(old), QUERY)]))
            state["query_room"] += len(old)

    def _grow_packets(self) -> None:
        old = self.tables.packets
        count = len(old)
        larger = rows(2 * count, PACKET)
        larger[:count], larger[count:] = old, packets_table(count, count)
        self._replace(packets=larger)
        state = self.tables.state
        self.tables.packets["next"][-1] = state["free"][0]  # the few still free come after the new ones
        state["free"], state["packet_base"] = count, self.tables.packets.ctypes.data
        state["free_count"] += count
        if len(self.tables.offers) > 1:
            more = rows(2 * count, OFFER)
            more[:count] = self.tables.offers
            self._replace(offers=more)
        if len(self.tables.telemetry) > 1:
            wider = telemetry_table(2 * count)
            wider[:count] = self.tables.telemetry
            self._replace(telemetry=wider)
            state["telemetry_base"] = wider.ctypes.data

    def _drain(self) -> None:
        state, trace = self.tables.state, self.tables.trace
        lines = int(state["traced"][0])
        if lines > len(trace):
            raise RuntimeError(f"the trace overflowed: {lines} lines between two drains, room for {len(trace)}")
        if lines:
            self._drained.append(trace[:lines].copy())
            state["traced"] = 0

    def packets_in_network(self) -> int:
        """Packets found by walking every queue and wire."""
        following = self.tables.packets["next"]
        count = 0
        for heads in (self.tables.ports["line_head"], self.tables.ports["frame_head"], self.tables.queues["head"]):
            for head in heads[heads >= 0]:
                k = head
                while k >= 0:
                    count += 1
                    k = following[k]
        return count

    def check_conservation(self) -> None:
        """Raise RuntimeError unless every packet and every byte of memory is accounted for."""
        s, t = self.tables.state[0], self.tables
        inside = self.packets_in_network()
        if s["created"] != s["arrived"] + s["dropped"] + inside or inside != len(t.packets) - s["free_count"]:
            raise RuntimeError(
                f"packets are not conserved: {s['created']} created, {s['arrived']} arrived, {s['dropped']} dropped, "
                f"{inside} inside, {len(t.packets) - s['free_count']} in use"
            )
        self._check_memories()
        ports = t.ports[t.ports["switch"] >= 0]
        if ports["bytes"].sum() != t.queues["bytes"].sum():
            at_ports, in_queues = ports["bytes"].sum(), t.queues["bytes"].sum()
            raise RuntimeError(f"bytes are not conserved: {at_ports} at ports, {in_queues} in queues")

    def _check_memories(self) -> None:
        """Raise RuntimeError unless all that memories, ports and priority groups are charged waits in queues."""
        t = self.tables
        lossless = np.zeros(len(t.queues), np.bool_)
        shared = np.zeros(len(t.switches), np.int64)
        if self.plan.lossless is not None:
            port_of = np.repeat(np.arange(len(t.ports)), t.ports["classes"].astype(np.int64) * t.ports["cards"])
            lossless = (t.ports["lossless"][port_of].astype(np.int64) >> t.queues["klass"]) & 1 != 0
            held = {
                name: t.groups[name].reshape(len(t.ports), -1).sum(axis=1) for name in ("own", "shared", "headroom")
            }
            np.add.at(shared, t.ingresses["pool"], held["shared"])
            if (held["shared"] != t.ingresses["shared"]).any() or (held["headroom"] != t.ingresses["headroom"]).any():
                raise RuntimeError("bytes are not conserved: a port's priority groups do not add up to what it holds")
            grouped, waiting = sum(int(part.sum()) for part in held.values()), int(t.queues["bytes"][lossless].sum())
            if grouped != waiting:
                raise RuntimeError(f"bytes are not conserved: {grouped} in priority groups, {waiting} waiting")
        for i in range(len(t.switches)):
            mine = t.queues["memory"] == i
            queues = t.queues[mine & ~lossless]
            shared[i] += np.maximum(0, queues["bytes"] - queues["reserved"]).sum()
            used, waiting = int(t.switches["used"][i]), int(t.queues["bytes"][mine].sum())
            if used != waiting or t.switches["shared"][i] != shared[i]:
                raise RuntimeError(f"bytes are not conserved in memory {i}: {used} charged, {waiting} waiting")
