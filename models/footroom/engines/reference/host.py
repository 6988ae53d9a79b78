"""The transmit queues of a host: one, or one for each class where switches may pause a class."""

from __future__ import annotations

from collections.abc import Callable

from footroom.engines.plan import Plan
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.queue import Queue
from footroom.engines.reference.scheduler import scheduler_of


class HostQueues:
    """First in, first out, or by class in the order of ``switch.scheduling``; there is room for everything."""

    def __init__(self, plan: Plan) -> None:
        classes = 1 if plan.lossless is None else plan.classes
        self.queues = [Queue(klass=klass) for klass in range(classes)]
        self._scheduler = scheduler_of(plan.scenario.switch.scheduling, classes)

    def queue(self, klass: int) -> Queue:
        """The queue that packets of ``klass`` wait in."""
        return self.queues[klass if len(self.queues) > 1 else 0]

    def release(self, held: Callable[[int], bool]) -> Packet | None:
        """The packet that is sent next, None where all that wait belong to classes that are ``held``."""
        heads = [
            queue.waiting[0].size if queue.waiting and not held(queue.waiting[0].klass) else None
            for queue in self.queues
        ]
        if not any(heads):
            return None
        klass = self._scheduler.choose(heads)
        packet = self.queues[klass].waiting.popleft()
        self.queues[klass].free(packet.size)
        if not self.queues[klass].waiting:
            self._scheduler.emptied(klass)
        return packet
