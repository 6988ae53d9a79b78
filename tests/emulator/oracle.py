"""The emulator once more, in plain Python over the plain engine's memory and rules."""

from __future__ import annotations

from dataclasses import dataclass

from footroom.calculators.emulator.arrivals import Arrivals
from footroom.calculators.emulator.question import Question
from footroom.engines.reference.memory import Memory
from footroom.engines.reference.packet import Packet
from footroom.engines.reference.queue import Queue
from footroom.parts.sharing import Policy


@dataclass
class Port:
    queue: Queue
    busy_until: int = 0
    peak: int = 0


@dataclass
class Seen:
    """dropped: numbers of the packets dropped.  peaks: longest queue of every port.  used: most memory in use."""

    dropped: list[int]
    peaks: list[int]
    used: int
    memory: Memory


def emulate(policy: Policy, question: Question, arrivals: Arrivals) -> Seen:
    """Every arrival, each after all departures due by then."""
    rate = round(8e12 / question.rate * 65536)
    overhead, gap = (18, 20) if question.framing == "ethernet" else (0, 0)
    memory = Memory(
        int(question.buffer), int(question.reserved), question.ports, policy, cell=int(question.cell_size or 1), gap=gap
    )
    ports = [Port(Queue(int(question.reserved), 0, rate)) for _ in range(question.ports)]
    seen = Seen([], [], 0, memory)

    def departures(until: float) -> None:
        while True:
            backlogged = [(port.busy_until, number) for number, port in enumerate(ports) if port.queue.waiting]
            if not backlogged or min(backlogged)[0] > until:
                return
            when, number = min(backlogged)
            packet = memory.release(ports[number].queue, when)
            ports[number].busy_until = when + (((packet.size + gap) * rate) >> 16)

    for k in range(len(arrivals.time)):
        now = int(arrivals.time[k])
        departures(now)
        port = ports[int(arrivals.port[k])]
        size = int(arrivals.size[k]) + overhead
        packet = Packet(int(arrivals.flow[k]), False, int(arrivals.seq[k]), max(size, 64 if overhead else 0), 0, now)
        if not port.queue.waiting and port.busy_until <= now:
            port.busy_until = now + (((packet.size + gap) * rate) >> 16)
            memory.passed(port.queue, packet, now)
        elif memory.admit(port.queue, packet, now):
            port.peak = max(port.peak, port.queue.bytes)
            seen.used = max(seen.used, sum(other.queue.bytes for other in ports))
        else:
            memory.refused(port.queue, packet, now)
            seen.dropped.append(k)
    departures(float("inf"))
    seen.peaks = [port.peak for port in ports]
    return seen
