"""EDT: a queue in which a micro-burst begins may take all of the memory until the burst is over."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.kernel.hooks import Hook, integers, policy_hook, row, words
from footroom.parts.sharing.policy import Policy

# The queue's state. The deadline of timer 2 is in the scratch memory, one word a queue, 0 while it is stopped: so a
# queue whose burst has timed out is known without waiting for its next packet.
_C1, _C2, _FLAG, _TIMER1 = 0, 1, 2, 3

#: Dequeues and enqueues published for 16 ports that share 175 packets of 1500 B.
_DEQUEUES, _ENQUEUES, _PORTS, _MEMORY = 3, 8, 16, 262_500
#: Timers at 1 Gb/s [ps].
_WITHIN = (5.56e9, 2.1e9)
_LONGEST = (10e9, 10e9)
#: Most queues for which the timer of a switch with 4 ports is used: half way (in octaves) from 4 to 16.
_FEW = 8
_GIGABIT = 8000.0 * 65536.0


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s = row(switch)
    until = words(s.scratch)
    if until[row(queue).index] <= now:
        return int(params[0] * (s.pool - s.shared))
    uncontrolled = 0
    for i in range(s.queues):
        if until[i] > now:
            uncontrolled += 1
    return s.pool // uncontrolled


def _machine(arriving: bool) -> Hook:
    """The state machine on an enqueue or a dequeue, timers first: they run lazily, when something happens."""

    @policy_hook
    def _step(switch, queue, params, flow, packet, size, now):
        s, q = row(switch), row(queue)
        until = words(s.scratch)
        slower, many = integers(q.rate_at)[0] / _GIGABIT, 0 if s.queues <= _FEW else 1
        whole = _MEMORY * s.queues  # in whole numbers, so that a half is rounded up everywhere
        over = params[1] if params[1] > 0.0 else max(1, (2 * _DEQUEUES * _PORTS * s.pool + whole) // (2 * whole))
        begins = params[2] if params[2] > 0.0 else max(1, (2 * _ENQUEUES * _PORTS * s.pool + whole) // (2 * whole))
        within = params[3] if params[3] > 0.0 else _WITHIN[many] * slower
        longest = params[4] if params[4] > 0.0 else _LONGEST[many] * slower
        time, deadline, i = float(now), until[q.index], q.index
        if deadline > 0.0 and time >= deadline:
            if q.state[_TIMER1] <= deadline:  # it ran out before timer 2, and runs again on its own
                q.state[_TIMER1] += (math.floor((deadline - q.state[_TIMER1]) / within) + 1.0) * within
                q.state[_C2] = 0.0
            q.state[_FLAG], deadline = 0.0, 0.0
        if time >= q.state[_TIMER1]:
            q.state[_C2], q.state[_FLAG] = 0.0, 1.0
        if arriving:
            q.state[_C1] = 0.0
            q.state[_C2] += 1.0
            if q.state[_C2] >= begins:
                q.state[_FLAG], deadline = 1.0, time + longest
        else:
            q.state[_C1] += 1.0
            q.state[_C2] = max(0.0, q.state[_C2] - 1.0)
            if q.state[_C1] >= over:
                q.state[_C2], q.state[_FLAG], deadline = 0.0, 0.0, 0.0
        if q.state[_FLAG] == 0.0:
            q.state[_C1] = 0.0
        else:
            q.state[_C2], q.state[_TIMER1] = 0.0, time + within
            q.state[_FLAG] = 1.0 if deadline > 0.0 else 0.0
        until[i] = deadline
        return 0

    return _step


_enqueued, _dequeued = _machine(True), _machine(False)


@policy_hook
def _dropped(switch, queue, params, flow, packet, size, now):
    s, q = row(switch), row(queue)
    q.state[_C2] = 0.0
    until = words(s.scratch)
    # A deadline that has passed is left for the next enqueue or dequeue, which clears the flag as the timer would.
    if s.shared + size > s.pool and until[q.index] > now:
        until[q.index] = 0.0
    return 0


class Edt(Policy):
    """Enhanced dynamic threshold: DT, except that a queue in which a burst begins may take the whole pool.

    ``enqueues`` net arrivals without a drop and without a pause longer than ``within`` begin a burst: the queue becomes
    uncontrolled, and all uncontrolled queues share the pool equally. ``dequeues`` departures in a row without an
    arrival, ``longest``, or a drop while the memory is full end it.

    Constants left out: 8 enqueues and 3 dequeues are published for 16 ports that share 175 packets, and both follow the
    shared memory per queue from there. ``within`` is published for 4 ports (taken up to 8 queues) and 16 (more) at
    1 Gb/s, ``longest`` for either; both are scaled by 1 Gb/s over the port's rate.
    """

    about: ClassVar[About] = About(
        title="EDT",
        summary="Dynamic threshold under which a micro-burst may take the whole memory.",
        sources=(
            "Shan, Jiang, Ren, INFOCOM 2015; IEEE TPDS 28(9), 2017",
            "state machine and constants: ns-3 code of TDT (Huang, Wang, Cui, INFOCOM 2021), scratch/EDT.cc",
        ),
        holds="few ports burst at a time; long flows that keep the memory full end every burst",
        departures="a queue is one port and class; packets that find their port idle are not counted; a drop ends a "
        "burst only when the memory is full, where the code published later does so at any; timers, "
        "published for 1 Gb/s, are scaled with the rate, and enqueues and dequeues with the memory per "
        "queue; the 20 and 10 published for 4 ports are not used, as their memory is not known; a queue idle for T₁ "
        "begins counting with its second packet",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["edt"] = "edt"
    alpha: float = quantity(
        1.0, "1", "Limit of a controlled queue, as a multiple of the free shared memory.", gt=0, le=4096, symbol="α"
    )
    enqueues: int | None = quantity(
        None,
        "1",
        "Net enqueues that begin a burst; none derives them from the shared memory per queue: 8 for 16.4 kB "
        "(175 packets of 1500 B over 16 ports) and in proportion, at least 1.",
        ge=1,
        le=10**6,
        symbol="C₂",
        source="ns-3 code of TDT, scratch/EDT.cc",
        advanced=True,
    )
    dequeues: int | None = quantity(
        None,
        "1",
        "Dequeues in a row that end a burst; none derives them from the shared memory per queue: 3 for 16.4 kB (175 "
        "packets of 1500 B over 16 ports) and in proportion, at least 1.",
        ge=1,
        le=10**6,
        symbol="C₁",
        source="ns-3 code of TDT, scratch/EDT.cc",
        advanced=True,
    )
    within: Time | None = quantity(
        None,
        "s",
        "Quiet time after which counting begins anew; none means 5.56 ms for up to 8 queues, 2.1 ms for "
        "more, at 1 Gb/s and in proportion at other rates.",
        ge=1e-9,
        le=1e3,
        symbol="T₁",
        advanced=True,
    )
    longest: Time | None = quantity(
        None,
        "s",
        "Longest burst; none means 10 ms at 1 Gb/s and in proportion at other rates.",
        ge=1e-9,
        le=1e3,
        symbol="T₂",
        advanced=True,
    )

    def limit(self) -> Hook:
        return _limit

    def on_enqueue(self) -> Hook:
        return _enqueued

    def on_dequeue(self) -> Hook:
        return _dequeued

    def on_drop(self) -> Hook:
        return _dropped

    def parameters(self) -> tuple[float, ...]:
        return (
            self.alpha,
            self.dequeues or 0.0,
            self.enqueues or 0.0,
            (self.within or 0.0) * 1e12,
            (self.longest or 0.0) * 1e12,
        )

    def scratch(self, queues: int, flows: int) -> int:
        return queues

    def lone_limit(self, pool: float, queues: int) -> float:
        return pool
