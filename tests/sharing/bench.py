"""One memory whose hooks a test calls one by one."""

from __future__ import annotations

import ctypes

import numpy as np

from footroom.kernel.flow_tables import FLOW
from footroom.kernel.hooks import Hook
from footroom.kernel.tables import MEMORY, PACKET, QUEUE
from footroom.parts.sharing import Policy
from footroom.parts.sharing.force import put_in_force

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 5, ctypes.c_int64, ctypes.c_int64)
#: One byte takes 1000 ps.
RATE = 8e9
US = 10**6
MS = 10**9


class Bench:
    """``queues`` ports of 8 Gb/s share ``buffer`` bytes under ``policy``. Times in ps."""

    def __init__(self, policy: Policy, buffer: int = 1_000_000, queues: int = 4) -> None:
        self.policy = policy
        self.switch = np.zeros(1, MEMORY)
        self.switch["buffer"] = self.switch["pool"] = buffer
        self.switch["queues"] = queues
        self.kept: list[np.ndarray] = []
        self.scratch = put_in_force(policy, self.switch, self.kept, 8)[0]
        self.queues = np.zeros(queues, QUEUE)
        self.rate = np.array([1000 << 16])
        self.queues["index"], self.queues["rate_at"] = np.arange(queues), self.rate.ctypes.data
        self.flows, self.packet = np.zeros(8, FLOW), np.zeros(1, PACKET)

    def _call(self, hook: Hook | None, queue: int, size: int, now: int, flow: int, seq: int) -> int:
        if hook is None:
            return 0
        self.packet["size"], self.packet["flow"], self.packet["seq"] = size, flow, seq
        return int(
            _CALL(hook.address)(
                self.switch.ctypes.data,
                self.queues[queue:].ctypes.data,
                int(self.switch["params"][0]),
                self.flows[flow:].ctypes.data,
                self.packet.ctypes.data,
                size,
                now,
            )
        )

    def limit(self, queue: int = 0, size: int = 1500, now: int = 0, flow: int = 0, seq: int = 0) -> int:
        return self._call(self.policy.limit(), queue, size, now, flow, seq)

    def enqueue(self, queue: int = 0, size: int = 1500, now: int = 0, flow: int = 0, seq: int = 0) -> None:
        self._charge(queue, size, 1)
        self._call(self.policy.on_enqueue(), queue, size, now, flow, seq)

    def dequeue(self, queue: int = 0, size: int = 1500, now: int = 0, flow: int = 0, seq: int = 0) -> None:
        self._charge(queue, -size, -1)
        self._call(self.policy.on_dequeue(), queue, size, now, flow, seq)

    def drop(self, queue: int = 0, size: int = 1500, now: int = 0, flow: int = 0, seq: int = 0) -> None:
        self._call(self.policy.on_drop(), queue, size, now, flow, seq)

    def passed(self, queue: int = 0, size: int = 1500, now: int = 0, flow: int = 0, seq: int = 0) -> None:
        self._call(self.policy.on_pass(), queue, size, now, flow, seq)

    def _charge(self, queue: int, size: int, packets: int) -> None:
        self.switch["shared"] += size
        self.switch["used"] += size
        self.queues["bytes"][queue] += size
        self.queues["packets"][queue] += packets

    def state(self, place: int, queue: int = 0) -> float:
        return float(self.queues["state"][queue, place])
