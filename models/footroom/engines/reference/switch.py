"""The part of a switch that serves one output port: its queues on every line card, and the order they send in."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from footroom.base.rng import word
from footroom.engines.plan import Plan
from footroom.engines.reference.groups import Groups
from footroom.engines.reference.marking import marker_of
from footroom.engines.reference.memory import Memory
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.queue import Queue
from footroom.engines.reference.scheduler import scheduler_of
from footroom.scenario.switch import Switch


def memories_of(plan: Plan) -> list[list[Memory]]:
    """The memories of every switch, one per line card."""
    return [
        [
            Memory(
                int(setting.buffer),
                int(setting.reserved),
                _governed(plan, s),
                setting.sharing,
                cell=int(setting.cell_size or 1),
                gap=plan.framing.gap,
                pool=_pool(plan, s),
                spare=_spare(plan, s),
            )
            for _ in range(setting.architecture.line_cards())
        ]
        for s, setting in enumerate(plan.settings)
    ]


def _governed(plan: Plan, switch: int) -> int:
    """Queues that the sharing policy governs: those of lossy classes."""
    if plan.lossless is None:
        return plan.queues_of(switch)
    return plan.queues_of(switch) // plan.classes * int((~plan.lossless.classes[switch]).sum())


def _pool(plan: Plan, switch: int) -> int | None:
    """Bytes they share, None for all that is not reserved."""
    if plan.lossless is None or not plan.lossless.classes[switch].any():
        return None
    return int(plan.lossless.pool_lossy[switch])


def _spare(plan: Plan, switch: int) -> int:
    """Bytes of the pool of lossy classes that stay free, where lossless classes share it."""
    if plan.lossless is None or not plan.lossless.one_pool[switch]:
        return 0
    return int(plan.lossless.spare[switch])


class Verdict(Enum):
    """What becomes of a packet that cannot be sent at once."""

    DROPPED = 0
    WAITS = 1
    WAITS_MARKED = 2


class Output:
    """Queues of port ``number`` of a switch by line card and class. memories: of the switch's line cards.

    groups: those that packets of lossless classes are counted against, None where there are none.

    keeps: whether memory is charged until the end of a transmission, from its beginning where the port was idle.
    Within the class that the scheduler chooses, the cards that have packets of it take turns.
    """

    def __init__(self, number: int, plan: Plan, memories: list[Memory], groups: Groups | None) -> None:
        setting = plan.settings[int(plan.port_switch[number])]
        self.memories, self.groups = memories, groups
        self.keeps = setting.release == "end"
        self._sending: tuple[Memory, Queue, Packet] | None = None  # whose memory is kept
        self._marks_late = setting.marking.late()
        self.just_marked = False  # the packet released last, as it left
        self._last_card = [0] * plan.classes
        self._scheduler = scheduler_of(setting.scheduling, plan.classes)
        self._architecture = setting.architecture
        self.queues = [
            [self._queue(number, plan, setting, card, klass) for klass in range(plan.classes)]
            for card in range(len(memories))
        ]

    def _queue(self, number: int, plan: Plan, setting: Switch, card: int, klass: int) -> Queue:
        packets, bytes_ = setting.architecture.queue_limits()
        return Queue(
            0 if self._is_lossless(klass) else int(setting.reserved),
            klass,
            int(plan.picoseconds_per_byte[number]),
            limit_packets=packets,
            limit_bytes=bytes_,
            marker=marker_of(setting.marking, word(plan.seed, "marking", number, card * plan.classes + klass)),
        )

    def admit(self, packet: Packet, card: int, now: int) -> Verdict:
        """Let ``packet``, come in by ``card``, wait unless there is no room, or it is to be marked and must not be."""
        queue, memory = self.queues[card][packet.klass], self.memories[card]
        packet_time = (packet.size + memory.gap) * queue.picoseconds_per_byte / 65536
        marked = not (self._marks_late and packet.ect) and queue.marker.marks(queue.bytes, packet_time, now)
        if marked and not packet.ect:
            self._refused(queue, memory, packet, now)
            return Verdict.DROPPED
        if self.groups is not None and self._is_lossless(packet.klass):
            size = memory.taken(packet)
            if not self.groups.admit(packet.ingress, packet.klass, size, now):
                return Verdict.DROPPED
            queue.put(packet, size)
        elif not memory.admit(queue, packet, now):
            memory.refused(queue, packet, now)
            return Verdict.DROPPED
        packet.marked = packet.marked or marked
        return Verdict.WAITS_MARKED if marked else Verdict.WAITS

    def passed(self, packet: Packet, card: int, now: int) -> None:
        """``packet``, come in by ``card``, found the port idle and is sent at once."""
        if not self._is_lossless(packet.klass):
            self.memories[card].passed(self.queues[card][packet.klass], packet, now)

    def waits(self, klass: int) -> bool:
        """Whether any packet of ``klass`` waits."""
        return any(card[klass].waiting for card in self.queues)

    def ahead_of(self, klass: int) -> list[Queue]:
        """Queues whose packets may go before one of ``klass``."""
        return [queue for card in self.queues for queue in card if self._scheduler.may_precede(queue.klass, klass)]

    def begin(self, packet: Packet, card: int) -> None:
        """``packet``, just admitted, is sent at once and keeps its memory."""
        queue = self.queues[card][packet.klass]
        queue.waiting.pop()
        self._sending = self.memories[card], queue, packet

    def end(self, now: int) -> int:
        """The packet being sent has left. Returns the bytes of memory released, if it was one that keeps memory."""
        if self._sending is None:  # it was a pause frame
            return 0
        memory, queue, packet = self._sending
        self._free(queue, memory, packet, now)
        self._sending = None
        return memory.taken(packet)

    def release(self, now: int, held: Callable[[int], bool]) -> tuple[Packet | None, int]:
        """The packet that is sent next, and the bytes of memory that this releases; something must be waiting.

        None and 0 where all packets that wait are of classes that are ``held``.
        """
        cards = [None if held(klass) else self._next_card(klass) for klass in range(len(self._last_card))]
        heads = [None if card is None else self.queues[card][klass].waiting[0].size for klass, card in enumerate(cards)]
        if not any(heads):
            return None, 0
        klass = self._scheduler.choose(heads)
        card = cards[klass]
        assert card is not None
        self._last_card[klass] = card
        memory, queue = self.memories[card], self.queues[card][klass]
        packet = queue.waiting.popleft()
        if self.keeps:
            self._sending = memory, queue, packet
        else:
            self._free(queue, memory, packet, now)
        self.just_marked = (
            self._marks_late
            and packet.ect
            and queue.marker.marks(queue.bytes, (packet.size + memory.gap) * queue.picoseconds_per_byte / 65536, now)
        )
        packet.marked = packet.marked or self.just_marked
        if self._next_card(klass) is None:
            self._scheduler.emptied(klass)
        return packet, 0 if self.keeps else memory.taken(packet)

    def _free(self, queue: Queue, memory: Memory, packet: Packet, now: int) -> None:
        """Give back the memory of ``packet``, which has left ``queue``."""
        if self.groups is not None and self._is_lossless(packet.klass):
            size = memory.taken(packet)
            queue.free(size)
            self.groups.release(packet.ingress, packet.klass, size, now)
            self.groups.freed(now)
            return
        memory.free(queue, packet, now)
        if self.groups is not None and self.groups.one_pool:
            self.groups.freed(now)

    def _refused(self, queue: Queue, memory: Memory, packet: Packet, now: int) -> None:
        """``packet`` was to be marked and must not be."""
        if self.groups is not None and self._is_lossless(packet.klass):
            self.groups.refuse_unmarked(packet.ingress, packet.klass, now)
        else:
            memory.refused(queue, packet, now)

    def _is_lossless(self, klass: int) -> bool:
        return self.groups is not None and klass in self.groups.classes

    def _next_card(self, klass: int) -> int | None:
        count = len(self.queues)
        order = [(self._last_card[klass] + step) % count for step in range(1, count + 1)]
        return next((card for card in order if self.queues[card][klass].waiting), None)
