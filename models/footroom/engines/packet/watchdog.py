"""PFC watchdogs during a run: what they see at every poll, and what they would have dropped."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import SECOND
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import NEVER, PAUSES
from footroom.parts.headroom import Watchdog
from footroom.result.alarm import WatchdogAlarm
from footroom.result.deadlock import Deadlock

#: What part of an interval must be paused, by rule and by whether packets wait.
_EMPTY, _PAUSED = 0.8, 0.99
#: Percent of the detection time that rule "paused" takes for all of it (sonic-swss, pull request 4784).
_ENOUGH = 99


@dataclass(frozen=True)
class _Counters:
    """Of one queue, over the whole run. held: time paused [ps].  came: packets that came to it."""

    sent: int
    frames: int
    held: int
    came: int


@dataclass
class _Queue:
    """One egress queue of a lossless class. left: time until it is an alarm, or until the alarm ends [ps].

    last: what the look before saw. Forgotten when an alarm is raised and when it ends, as SONiC's scripts delete it or
    lack a part of it then, so that the next look has nothing to compare with.
    """

    port: int
    klass: int
    left: int
    last: _Counters | None = None
    alarm: WatchdogAlarm | None = None
    sent: int = 0  # when the alarm was raised
    came: int = 0


@dataclass
class _Dog:
    """The watchdog of one switch."""

    setting: Watchdog
    poll: int
    queues: list[_Queue]
    due: int = field(default=0)


class Watchdogs:
    """The watchdogs of all switches that have one. due: when the next one looks [ps].  alarms: as they were raised."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.alarms: list[WatchdogAlarm] = []
        self._raised: list[tuple[_Queue, int]] = []
        plan = simulation.plan
        self._dogs = []
        for s, setting in enumerate(plan.settings):
            if setting.watchdog is None or not setting.lossless():
                continue
            poll, detection = (
                max(1, round(time * SECOND)) for time in (setting.watchdog.poll, setting.watchdog.detection)
            )
            queues = [
                _Queue(int(port), klass, detection)
                for port in np.flatnonzero(plan.port_switch == s)
                for klass in setting.lossless()
            ]
            self._dogs.append(_Dog(setting.watchdog, poll, queues))

    @property
    def watching(self) -> bool:
        """Whether there is any."""
        return bool(self._dogs)

    @property
    def due(self) -> int:
        """When one of them looks next [ps]."""
        return min((dog.due for dog in self._dogs), default=int(NEVER))

    def look(self) -> None:
        """Poll the switches that are due."""
        now = self._simulation.now
        for dog in self._dogs:
            if dog.due <= now:
                for queue in dog.queues:
                    self._poll(dog, queue, now)
                dog.due = now + dog.poll

    def _poll(self, dog: _Dog, queue: _Queue, now: int) -> None:
        last, seen = queue.last, self._read(queue)
        queue.last = seen
        if last is None:
            return
        if queue.alarm is None:
            self._detect(dog, queue, last, seen, now)
        else:
            self._restore(dog, queue, last, seen, now)

    def _detect(self, dog: _Dog, queue: _Queue, last: _Counters, seen: _Counters, now: int) -> None:
        waiting, size = self._waiting(queue)
        share, frames = (seen.held - last.held) / dog.poll, seen.frames - last.frames
        if dog.setting.rule == "paused":
            storm = waiting > 0 and share > _PAUSED
        else:
            storm = frames > 0 if waiting > 0 else share > _EMPTY
        if not storm or seen.sent != last.sent:
            queue.left = round(dog.setting.detection * SECOND)
        elif not self._lasted(dog, queue):
            queue.left -= dog.poll
        else:
            plan = self._simulation.plan
            node, other = plan.names[int(plan.port_from[queue.port])], plan.names[int(plan.port_to[queue.port])]
            queue.alarm = WatchdogAlarm(
                node, f"{node}>{other}", queue.klass, now / SECOND, None, waiting, size, 0, None
            )
            queue.left, queue.sent, queue.came = round(dog.setting.restoration * SECOND), seen.sent, seen.came
            queue.last = None
            self.alarms.append(queue.alarm)
            self._raised.append((queue, seen.sent))

    def _restore(self, dog: _Dog, queue: _Queue, last: _Counters, seen: _Counters, now: int) -> None:
        assert queue.alarm is not None
        if seen.frames != last.frames:
            queue.left = round(dog.setting.restoration * SECOND)
        elif queue.left > dog.poll:
            queue.left -= dog.poll
        else:
            queue.alarm.restored, queue.alarm.arrived = now / SECOND, seen.came - queue.came
            queue.alarm, queue.last, queue.left = None, None, round(dog.setting.detection * SECOND)

    def _lasted(self, dog: _Dog, queue: _Queue) -> bool:
        """Whether the rule has held for the detection time, the interval before this look included."""
        if dog.setting.rule == "frames":
            return queue.left <= dog.poll
        detection = round(dog.setting.detection * SECOND)
        return 100 * (detection - queue.left + dog.poll) > _ENOUGH * detection

    def _waiting(self, queue: _Queue) -> tuple[int, int]:
        """Packets that wait, and their bytes of memory; the one that is being sent does not."""
        t, simulation = self._simulation.tables, self._simulation
        number = simulation.queues_of_port(queue.port).start + queue.klass
        row, port = t.queues[number], t.ports[queue.port]
        packets, size = int(row["packets"]), int(row["bytes"])
        if port["sending"] >= 0 and port["sending_of"] == number:
            packets -= 1
            setting = simulation.plan.settings[int(simulation.plan.port_switch[queue.port])]
            size -= setting.taken(int(t.packets["size"][port["sending"]]))
        return packets, size

    def _read(self, queue: _Queue) -> _Counters:
        simulation = self._simulation
        t = simulation.tables
        rows = t.pauses[[queue.port * PAUSES + queue.klass, queue.port * PAUSES + WHOLE]]
        held = rows["held"] + np.where(rows["held_at"] >= 0, simulation.now - rows["held_at"], 0)
        sent = int(t.ingresses["sent"][queue.port][queue.klass])
        number = simulation.queues_of_port(queue.port).start + queue.klass
        came = sent + self._waiting(queue)[0] + int(t.queues["dropped"][number])
        return _Counters(sent, int(rows["frames"].sum()), int(held.max()), came)

    def rows(self, deadlock: Deadlock | None) -> list[dict[str, object]]:
        """All alarms as they stand now."""
        sent = self._simulation.tables.ingresses["sent"]
        for alarm, (queue, before) in zip(self.alarms, self._raised, strict=True):
            if alarm.restored is None:
                alarm.arrived = self._read(queue).came - queue.came
            if int(sent[queue.port][queue.klass]) > before:
                alarm.false_alarm = True
            else:
                alarm.false_alarm = False if deadlock is not None else None
        return [alarm.to_dict() for alarm in self.alarms]

    def told(self, deadlock: Deadlock | None) -> tuple[str, ...]:
        """All alarms summed up in one sentence."""
        rows = self.rows(deadlock)
        if not rows:
            return ("The PFC watchdog would not have dropped anything.",)
        lost = sum(alarm.waiting + alarm.arrived for alarm in self.alarms)
        false = sum(alarm.false_alarm is True for alarm in self.alarms)
        first = self.alarms[0]
        note = (
            f"The PFC watchdog would have raised {len(rows)} alarm{'s' if len(rows) > 1 else ''}, the first at "
            f"{first.detected * 1e3:.6g} ms for class {first.traffic_class} of {first.port}, and dropped {lost} "
            f"packets that waited or arrived. {false} of them {'was' if false == 1 else 'were'} false: the queue "
            "sent again by itself. It drops nothing here; with drops the rest of the run would differ."
        )
        return (note,)


__all__ = ["Watchdogs"]
