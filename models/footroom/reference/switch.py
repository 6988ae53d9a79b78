"""The part of a switch that serves one output port: its queues on every line card, and the order they send in."""

from __future__ import annotations

from enum import Enum

from footroom.plan import Plan
from footroom.reference.marking import marker_of
from footroom.reference.memory import Memory
from footroom.reference.packet import Packet
from footroom.reference.queue import Queue
from footroom.reference.scheduler import scheduler_of
from footroom.rng import word
from footroom.scenario.switch import Switch


def memories_of(plan: Plan) -> list[list[Memory]]:
    """The memories of every switch, one per line card."""
    return [[Memory(int(setting.buffer), int(setting.reserved), plan.queues_of(s), setting.sharing,
                    cell=int(setting.cell_size or 1), gap=plan.framing.gap)
             for _ in range(setting.architecture.line_cards())] for s, setting in enumerate(plan.settings)]


class Verdict(Enum):
    """What becomes of a packet that cannot be sent at once."""

    DROPPED = 0
    WAITS = 1
    WAITS_MARKED = 2


class Output:
    """Queues of port ``number`` of a switch by line card and class. memories: of the switch's line cards.

    keeps: whether memory is charged until the end of a transmission, from its beginning where the port was idle.
    Within the class that the scheduler chooses, the cards that have packets of it take turns.
    """

    def __init__(self, number: int, plan: Plan, memories: list[Memory]) -> None:
        setting = plan.settings[int(plan.port_switch[number])]
        self.memories = memories
        self.keeps = setting.release == "end"
        self._sending: tuple[Memory, Queue, Packet] | None = None  # whose memory is kept
        self._last_card = [0] * plan.classes
        self._scheduler = scheduler_of(setting.scheduling, plan.classes)
        self._architecture = setting.architecture
        self.queues = [[self._queue(number, plan, setting, card, klass) for klass in range(plan.classes)]
                       for card in range(len(memories))]

    def _queue(self, number: int, plan: Plan, setting: Switch, card: int, klass: int) -> Queue:
        packets, bytes_ = setting.architecture.queue_limits()
        return Queue(
            int(setting.reserved), klass, int(plan.picoseconds_per_byte[number]),
            limit_packets=packets, limit_bytes=bytes_,
            marker=marker_of(setting.marking, word(plan.seed, "marking", number, card * plan.classes + klass)))

    def admit(self, packet: Packet, card: int, now: int) -> Verdict:
        """Let ``packet``, come in by ``card``, wait unless there is no room, or it is to be marked and must not be."""
        queue, memory = self.queues[card][packet.klass], self.memories[card]
        packet_time = (packet.size + memory.gap) * queue.picoseconds_per_byte / 65536
        marked = queue.marker.marks(queue.bytes, packet_time, now)
        if (marked and not packet.ect) or not memory.admit(queue, packet, now):
            memory.refused(queue, packet, now)
            return Verdict.DROPPED
        packet.marked = packet.marked or marked
        return Verdict.WAITS_MARKED if marked else Verdict.WAITS

    def passed(self, packet: Packet, card: int, now: int) -> None:
        """``packet``, come in by ``card``, found the port idle and is sent at once."""
        self.memories[card].passed(self.queues[card][packet.klass], packet, now)

    def begin(self, packet: Packet, card: int) -> None:
        """``packet``, just admitted, is sent at once and keeps its memory."""
        queue = self.queues[card][packet.klass]
        queue.waiting.pop()
        self._sending = self.memories[card], queue, packet

    def end(self, now: int) -> int:
        """The packet being sent has left; the bytes of memory that gives back."""
        assert self._sending is not None
        memory, queue, packet = self._sending
        memory.free(queue, packet, now)
        self._sending = None
        return memory.taken(packet)

    def release(self, now: int) -> tuple[Packet, int]:
        """The packet that is sent next, and the bytes of memory that gives back; something must be waiting."""
        cards = [self._next_card(klass) for klass in range(len(self._last_card))]
        heads = [None if card is None else self.queues[card][klass].waiting[0].size for klass, card in enumerate(cards)]
        klass = self._scheduler.choose(heads)
        card = cards[klass]
        assert card is not None
        self._last_card[klass] = card
        memory, queue = self.memories[card], self.queues[card][klass]
        if self.keeps:
            packet = queue.waiting.popleft()
            self._sending = memory, queue, packet
        else:
            packet = memory.release(queue, now)
        if self._next_card(klass) is None:
            self._scheduler.emptied(klass)
        return packet, 0 if self.keeps else memory.taken(packet)

    def _next_card(self, klass: int) -> int | None:
        count = len(self.queues)
        order = [(self._last_card[klass] + step) % count for step in range(1, count + 1)]
        return next((card for card in order if self.queues[card][klass].waiting), None)
