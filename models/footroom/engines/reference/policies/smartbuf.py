"""Smartbuf with its two maps as dicts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from footroom.engines.reference.packet import Packet
from footroom.engines.reference.policies.rule import Pool, Rule
from footroom.engines.reference.queue import Queue

_ROOM = 512


@dataclass
class _Burst:
    """What is known of a queue: the gradient and its last sample; largest length with its key, prediction, drops."""

    before: int = 0
    then: int = 0
    gradient: float = 0.0
    largest: int = 0
    key: int = 0
    held: float = 0.0
    lost: int = 0
    asked: tuple[int, int] | None = None

    def reset(self) -> None:
        """The burst is over; the last sample of the length stays."""
        self.gradient, self.largest, self.key, self.held, self.lost, self.asked = 0.0, 0, 0, 0.0, 0, None


class SmartbufRule(Rule):
    """Algorithm 1. The main map: key → largest length and when it was written [ps]."""

    def __init__(self, policy: Any, memory: Pool) -> None:
        super().__init__(policy, memory)
        self.map: dict[int, tuple[int, int]] = {}
        self._edition = 0
        self._bursts: dict[int, _Burst] = {}
        self._floor = policy.at_least_dynamic and not policy.faithful
        self._counting = policy.count_drops and not policy.faithful

    def _burst(self, queue: Queue) -> _Burst:
        return self._bursts.setdefault(id(queue), _Burst())

    def limit(self, queue: Queue, packet: Packet, now: int) -> int:
        dynamic = self.policy.alpha * (self.memory.pool - self.memory.shared)
        held = self._burst(queue).held
        if held == 0.0 or (self._floor and dynamic > held):
            return int(dynamic)
        return int(held)

    def enqueued(self, queue: Queue, packet: Packet, now: int) -> None:
        if queue.packets == 1:
            burst = self._burst(queue)
            burst.before, burst.then = 0, now

    def dropped(self, queue: Queue, packet: Packet, now: int) -> None:
        self._burst(queue).lost += self.memory.taken(packet)

    def dequeued(self, queue: Queue, packet: Packet, now: int) -> None:
        burst, policy = self._burst(queue), self.policy
        if now > burst.then:
            slope = (queue.bytes - burst.before) / (now - burst.then) * (queue.picoseconds_per_byte / 65536)
            burst.gradient = policy.weight * slope + (1.0 - policy.weight) * burst.gradient
            burst.before, burst.then = queue.bytes, now
        key = math.floor(burst.gradient / policy.key_width + 0.5)
        held = queue.bytes + self.memory.taken(packet)
        if held > burst.largest:
            burst.largest, burst.key = held, key
        bursting = burst.largest * policy.sigma > self.memory.buffer
        asked = key if policy.faithful else burst.key, self._edition
        if bursting and self.map and now >= policy.learning_time * 1e12 and burst.asked != asked:
            burst.asked = asked
            told = self._predict(asked[0], now)
            burst.held = told if policy.faithful else max(burst.held, told)
        if queue.bytes < policy.beta * burst.largest:
            if bursting and burst.key > 0:
                self._learn(burst.key, burst.largest + (burst.lost if self._counting else 0), now)
            burst.reset()

    def _predict(self, key: int, now: int) -> float:
        known = {k: value for k, (value, at) in sorted(self.map.items()) if now - at <= self.policy.ageing * 1e12}
        least = key if self.policy.or_equal and not self.policy.faithful else key + 1
        steeper = [value for k, value in known.items() if k >= least][: self.policy.nearest]
        if steeper:
            return sum(steeper) / len(steeper)
        return float(max(known.values(), default=0))

    def _learn(self, key: int, value: int, now: int) -> None:
        self.map = {k: entry for k, entry in self.map.items() if now - entry[1] <= self.policy.ageing * 1e12}
        old, _ = self.map.pop(key, (0, 0))
        if len(self.map) == _ROOM:
            del self.map[min(self.map, key=lambda k: (self.map[k][1], k))]
        self.map[key] = (max(old, value), now)
        self._edition += 1
