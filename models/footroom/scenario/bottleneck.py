"""A scenario seen as one congested queue: what closed forms and fluid models can answer for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from footroom.base.errors import Unsupported
from footroom.kernel.tables import ACK_SIZE
from footroom.parts.marking import NoMarking, Red, Step
from footroom.parts.topology.network import SingleBottleneck
from footroom.parts.traffic import LongLived, Poisson
from footroom.scenario.document import HEADER, Scenario, switch_at
from footroom.scenario.switch import Switch
from footroom.scenario.traffic import check_traffic, is_open_loop, lasting_flows

_NO_PROBES = (
    "Completion times are those of hosts that wait for the timeout when a tail is lost; "
    "host.tail_loss_probe, which spares most of that, is left out."
)
_NO_QUICK_ACKS = (
    "Slow start grows as with delayed acknowledgements from the first segment on; host.quick_acks, which "
    "lets short flows begin faster, is left out."
)


@dataclass(frozen=True)
class Bottleneck:
    """One queue and what runs through it.

    capacity [bit/s].  buffer: most bytes the queue can hold alone under the sharing policy.  propagation [s]: of a
    round trip.  rtt [s]: that plus the transmission of a full packet and its acknowledgement on every link.
    spread: RTTs lie in rtt·(1 ± spread).
    access: rate of a sender [bit/s].  mtu, mss [B] of the first entry.  switch: settings of the queue's switch.
    """

    capacity: float
    buffer: float
    propagation: float
    rtt: float
    spread: float
    access: float
    mtu: float
    mss: float
    long_lived: tuple[LongLived, ...]
    poisson: tuple[Poisson, ...]
    switch: Switch

    @property
    def flows(self) -> int:
        """Long-lived flows."""
        return sum(entry.flows for entry in self.long_lived)

    @property
    def left(self) -> float:
        """Share of the capacity that arriving flows, headers included, leave to the long-lived ones."""
        return max(0.0, 1.0 - sum(entry.load for entry in self.poisson) * self.mtu / self.mss)


def caveats(scenario: Scenario) -> tuple[str, ...]:
    """What closed forms and fluid models leave out of the hosts of ``scenario``, where that changes their answer."""
    short = [entry.host for entry in scenario.traffic if entry.open_loop()]
    notes = []
    if any(host.tail_loss_probe for host in short):
        notes.append(_NO_PROBES)
    if any(host.quick_acks > 0 and host.ack_every > 1 for host in short):
        notes.append(_NO_QUICK_ACKS)
    return tuple(notes)


def without_idle_marks(seen: Bottleneck) -> Bottleneck:
    """``seen`` without its marking where the buffer is full before anything is marked; ``seen`` elsewhere."""
    marking = seen.switch.marking
    begins = {Step: "threshold", Red: "kmin"}.get(type(marking), "")
    if not begins or getattr(marking, begins) < seen.buffer:
        return seen
    return replace(seen, switch=seen.switch.model_copy(update={"marking": NoMarking()}))


def bottleneck_of(scenario: Scenario, engine: str) -> Bottleneck:
    """The single congested queue of ``scenario``. Raises Unsupported, for ``engine``, when there is none."""
    if scenario.run.framing != "ip":
        raise Unsupported(
            f"the {engine} engine counts bytes of IP packets, without what frames add to them",
            path="run.framing",
            given=scenario.run.framing,
            engines=("packet", "reference"),
        )
    long_lived = tuple(t for t in scenario.traffic if isinstance(t, LongLived))
    poisson = tuple(t for t in scenario.traffic if isinstance(t, Poisson))
    check_traffic(scenario, engine)
    for i, t in enumerate(scenario.traffic):
        if t.sources is not None or t.destinations is not None:
            raise Unsupported(
                f"the {engine} engine models one bottleneck that all flows share, not named hosts",
                path=f"traffic.{i}.sources",
                engines=("packet", "reference"),
            )
    seen = congested_queue(scenario)
    if seen is None:
        raise Unsupported(
            f"the {engine} engine describes one bottleneck that all flows share; this network has none",
            path="topology.kind",
            given=scenario.topology.kind,
            engines=("packet", "reference"),
        )
    switch, mtu = switch_at(scenario, seen.switch), scenario.run.mtu
    if switch.lossless():
        raise Unsupported(
            f"the {engine} engine does not model pauses between switches",
            path="switch.headroom.kind",
            given=switch.headroom.kind,
            engines=switch.headroom.engines,
        )
    if switch.cell_size is not None:
        raise Unsupported(
            f"the {engine} engine counts bytes of memory, not cells",
            path="switch.cell_size",
            given=switch.cell_size,
            engines=("packet", "reference"),
        )
    if switch.release != "start":
        raise Unsupported(
            f"the {engine} engine frees memory when a transmission begins",
            path="switch.release",
            given=switch.release,
            engines=("packet", "reference"),
        )
    if engine not in switch.sharing.engines:
        raise Unsupported(
            f"the {engine} engine has no model of {switch.sharing.about.title}",
            path="switch.sharing.kind",
            given=switch.sharing.kind,
            engines=switch.sharing.engines,
        )
    buffer = lone_queue(switch, switch.buffer, seen.queues)
    mss = scenario.traffic[0].host.mss or mtu - HEADER
    return Bottleneck(
        seen.capacity,
        buffer,
        seen.rtt,
        idle_round_trip(seen, mtu),
        seen.spread,
        seen.access,
        mss + HEADER,
        mss,
        long_lived,
        poisson,
        switch,
    )


def lone_queue(switch: Switch, memory: float, queues: int) -> float:
    """Most that one queue of ``queues`` may hold of ``memory`` [B], when the others are empty."""
    pool = memory - queues * switch.reserved
    return min(memory, switch.sharing.lone_limit(max(pool, 0.0), queues) + switch.reserved)


def queue_share(scenario: Scenario) -> float | None:
    """What the one congested queue may hold of the buffer while others are empty [B]; None without such a queue."""
    seen = congested_queue(scenario)
    if seen is None:
        return None
    switch = switch_at(scenario, seen.switch)
    return lone_queue(switch, switch.buffer, seen.queues)


def memory_for(scenario: Scenario, queue: float) -> float:
    """The memory [B] of which the congested queue may hold ``queue`` [B]; ``queue`` where no memory is large enough."""
    seen = congested_queue(scenario)
    if seen is None:
        return queue
    switch = switch_at(scenario, seen.switch)
    memory, before = queue, -1.0
    while (held := lone_queue(switch, memory, seen.queues)) < queue:
        if held == before > 0.0 or not math.isfinite(memory):
            return queue  # the policy names bytes, however much memory there is
        before = held
        memory = float(math.ceil(memory * (queue / held if held > 0.0 else 2.0)) + 1.0)
    return memory


def idle_round_trip(seen: SingleBottleneck, mtu: float) -> float:
    """Round trip of an idle path [s]: propagation, and a full packet of ``mtu`` [B] and its acknowledgement on every
    link.
    """
    return seen.rtt + (mtu + ACK_SIZE) * 8.0 * (1.0 / seen.capacity + 2.0 / seen.access)


def congested_queue(scenario: Scenario) -> SingleBottleneck | None:
    """The one queue that all flows of ``scenario`` share, whatever its switch does; None where there is none."""
    return scenario.topology.single_bottleneck(lasting_flows(scenario), is_open_loop(scenario))
