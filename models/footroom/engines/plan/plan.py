"""The plan: a scenario turned into flat arrays of picoseconds and bytes, the same for every packet engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from footroom.base.framing import FRAMINGS, Framing
from footroom.engines.plan.cycles import Graph
from footroom.engines.plan.lossless import Lossless
from footroom.kernel.tables import ACK_SIZE
from footroom.parts.congestion import Law
from footroom.scenario import HEADER, Scenario
from footroom.scenario.switch import Switch

Ints = npt.NDArray[np.int64]

#: Picoseconds in a second.
SECOND = 10**12


@dataclass(frozen=True)
class Stack:
    """One traffic entry's host stack, in engine units: times in ps, windows in segments, sizes in bytes on the wire.

    segment: full packet.  payload: its payload.  recovery: of ``host.recovery``.  law: congestion control.
    receive_window: most that the receiver takes beyond what it has acknowledged.  spacing: least time between bursts of
    one flow, 0 for none.  ecn: whether both ends understand marks.  persistent: whether a connection may carry several
    flows.  query: segments of a query where a connection carries a stream of them, 0 for none; query_bytes: their
    payload; outstanding: how many of them are under way at most.  rdma: whether recovery is one of RDMA. Only then:
    receive_window is the most that may be outstanding.
    cnp_interval: least time between two congestion notifications to one flow, 0 for none at all.

    telemetry: what carries it: "none", "data", or "probe", once per round trip over TCP.  overhead: bytes that it takes
    of each data packet and acknowledgement.  base_rtt: the longest round trip in
    the network without queueing, of a full packet and its acknowledgement; 0 where no congestion control needs it.

    options: all others of the host, as ``footroom.parts.traffic.option.values`` gives them; each is an attribute too.
    """

    segment: int
    payload: int
    recovery: str
    receive_window: int
    spacing: int
    ecn: bool
    law: Law
    long_lived: bool
    persistent: bool
    query: int = 0
    query_bytes: int = 0
    outstanding: int = 0
    rdma: bool = False
    cnp_interval: int = 0
    telemetry: str = "none"
    overhead: int = 0
    base_rtt: int = 0
    options: Mapping[str, int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.__dict__.update(self.options)

    def payload_of(self, segments: int) -> int:
        """Payload [B] of the first ``segments`` of a flow whose end lies beyond them."""
        if self.query == 0:
            return segments * self.payload
        queries, rest = divmod(segments, self.query)
        return queries * self.query_bytes + rest * self.payload

    def is_short(self, segment: int, segments: int) -> bool:
        """Whether ``segment`` of a flow of so many is its last, or the last of a query: it is short, and answered."""
        return (segment + 1) % self.query == 0 if self.query > 0 else segment == segments - 1

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """An option of the host."""


@dataclass(frozen=True)
class Plan:
    """Everything a packet engine needs.

    Ports are numbered; port p sends from ``port_from[p]`` to ``port_to[p]``. ``picoseconds_per_byte`` carries 16
    fractional bits: a packet of s bytes takes (s · value) >> 16 ps. ``port_jitter``: an extra delay uniform in
    [0, jitter] is drawn per packet from a splitmix64 generator seeded with ``port_seed`` (its upper 53 bits as a
    fraction, times jitter + 1), order kept; it is already
    taken out of ``port_delay`` on average where the cable is long enough. ``port_switch``: switch whose memory the
    port's queue shares, -1 at a host. Routes are runs of port numbers ended by -1 in ``routes``; ``flow_forward`` and
    ``flow_reverse`` say where a flow's begin. Flows are sorted by start. ``flow_segments`` is 2^62 for
    unlimited data. ``flow_last_size``: of a flow's last packet, or of the last of every query in a stream of them.

    ``settings``: one per switch.  ``port_card``: line card of the switch at the far end that packets of this port come
    in by.  ``flow_next``: the flow that starts its own ``flow_gap`` after this one's last acknowledgement, -1 for none;
    such a flow has flow_start NEVER and comes after all others.  ``flow_stop``: when a flow is given no more data,
    NEVER for
    never.  ``flow_lead``: connection set-up between a flow's start and
    its first data.  ``flow_window``: segments it starts with in congestion avoidance, 0 for slow start.
    ``flow_setup``: 1 where packets set up its connection (``host.setup``), 0 where none do.
    ``flow_continues``: the flow before it on the same connection and path, -1 for a new connection; it begins when that
    one has ended, at ``flow_start`` at the earliest.  ``flow_rto``: timeout until data has measured a
    round trip.  ``flow_handshake``: round trip that setting up the connection measures on the idle path, 0 for none.
    ``flow_clock``: for how long the flow's host ran at time 0, in 65536ths of a tick of its clock.
    ``flow_priority``: class of a flow's data, ``flow_ack_priority``: of what its receiver sends.
    ``lossless``: classes that pause instead of dropping, None where there are none; a module of its own says what the
    engines do with it.  ``dependencies``: which pauses each pause may wait for, empty where they close no cycle.
    ``flow_event``: the query that a flow answers, -1 for none; ``event_start``: when each query begins, NEVER for one
    that begins ``event_pause`` after the last answer of the query ``event_after``, -1 for none. Its flows, all in a
    row, start their own ``flow_gap`` after that end.  ``steps``: when flows of a staircase join and leave, in order.
    ``framing``: what packets take of links; sizes of packets are those of their frames.
    """

    scenario: Scenario
    seed: int
    names: list[str]
    duration: int
    warmup: int
    port_from: Ints
    port_to: Ints
    picoseconds_per_byte: Ints
    port_rate: npt.NDArray[np.float64]
    port_delay: Ints
    port_jitter: Ints
    port_seed: Ints
    port_switch: Ints
    watched: Ints
    switches: int
    settings: list[Switch]
    port_card: Ints
    stacks: list[Stack]
    routes: Ints
    flow_stack: Ints
    flow_start: Ints
    flow_segments: Ints
    flow_last_size: Ints
    flow_bytes: Ints
    flow_source: Ints
    flow_destination: Ints
    flow_forward: Ints
    flow_reverse: Ints
    flow_rtt: Ints
    flow_rto: Ints
    flow_handshake: Ints
    flow_clock: Ints
    flow_priority: Ints
    flow_ack_priority: Ints
    flow_next: Ints
    flow_gap: Ints
    flow_lead: Ints
    flow_window: npt.NDArray[np.float64]
    flow_setup: Ints
    flow_continues: Ints
    flow_stop: Ints
    flow_event: Ints
    event_start: Ints
    event_after: Ints
    event_pause: Ints
    steps: tuple[int, ...]
    lossless: Lossless | None = None
    dependencies: Graph = field(default_factory=dict)
    framing: Framing = FRAMINGS["ip"]
    notes: tuple[str, ...] = ()

    @property
    def acknowledgement(self) -> int:
        """Size of a pure acknowledgement without telemetry [B]."""
        return self.sized(0)

    def sized(self, payload: int) -> int:
        """Size of a packet with so much payload or telemetry [B]: of its frame, or of an IP packet; at least 64."""
        return max(ACK_SIZE, self.framing.frame(payload + HEADER))

    @property
    def flows(self) -> int:
        """Number of flows."""
        return len(self.flow_start)

    def entry_names(self) -> list[str]:
        """Names of the entries of the traffic, of their congestion control where they have none; then of the probes."""
        return [entry.name or entry.congestion.kind for entry in self.scenario.traffic] + ["probes"]

    @property
    def probing(self) -> npt.NDArray[np.bool_]:
        """Which flows are probe transfers: they belong to no entry of the traffic."""
        return np.asarray(self.flow_stack >= len(self.scenario.traffic))

    @property
    def ports(self) -> int:
        """Number of ports."""
        return len(self.port_from)

    @property
    def classes(self) -> int:
        """Queues of a switch port, per line card."""
        return self.scenario.switch.queues

    def queues_of(self, switch: int) -> int:
        """Number of queues that share one memory of ``switch``."""
        return int(np.count_nonzero(self.port_switch == switch)) * self.classes
