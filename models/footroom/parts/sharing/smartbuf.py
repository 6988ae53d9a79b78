"""Smartbuf: a burst is known by how steeply the queue rises, and gets what bursts like it have needed before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.kernel.hooks import Hook, integers, policy_hook, row, words
from footroom.parts.sharing.policy import Policy

# The queue's state: its entry of the temporary map and what goes with it.
_BEFORE, _THEN, _GRADIENT, _TOP, _KEY, _HELD, _LOST, _ASKED, _EDITION = 0, 1, 2, 3, 4, 5, 6, 7, 8
# Parameters.
_ALPHA, _BETA, _SIGMA, _NEAREST, _AGE, _LEARNING, _WEIGHT, _WIDTH, _FLOOR, _COUNTING, _EQUAL, _LISTED = range(12)
# The map, in the scratch memory: counters, then keys in ascending order, largest occupancies, times of writing.
_ENTRIES, _MOST, _VERSION, _BURSTS, _PREDICTED, _ERRORS, _WORST, _EVICTED, _TOLD, _NEEDED = range(10)
_ROOM = 512
_KEYS, _VALUES, _STAMPS, _WORDS = 16, 16 + _ROOM, 16 + 2 * _ROOM, 16 + 3 * _ROOM


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s = row(switch)
    dynamic = params[_ALPHA] * (s.pool - s.shared)
    held = row(queue).state[_HELD]
    if held <= 0.0 or (params[_FLOOR] != 0.0 and dynamic > held):
        return int(dynamic)
    return int(held)


@policy_hook
def _enqueued(switch, queue, params, flow, packet, size, now):
    q = row(queue)
    if q.packets == 1:
        q.state[_BEFORE], q.state[_THEN] = 0.0, float(now)
    return 0


@policy_hook
def _dropped(switch, queue, params, flow, packet, size, now):
    row(queue).state[_LOST] += float(size)
    return 0


@policy_hook
def _dequeued(switch, queue, params, flow, packet, size, now):
    s, q = row(switch), row(queue)
    length, time = float(q.bytes), float(now)
    span = time - q.state[_THEN]
    if span > 0.0:
        slope = (length - q.state[_BEFORE]) / span * (integers(q.rate_at)[0] / 65536.0)
        q.state[_GRADIENT] = params[_WEIGHT] * slope + (1.0 - params[_WEIGHT]) * q.state[_GRADIENT]
        q.state[_BEFORE], q.state[_THEN] = length, time
    key = math.floor(q.state[_GRADIENT] / params[_WIDTH] + 0.5)
    used = length + float(size)  # what the queue held until now; nothing has arrived since it was longest
    if used > q.state[_TOP]:
        q.state[_TOP], q.state[_KEY] = used, key
    burst = q.state[_TOP] * params[_SIGMA] > s.buffer
    over = length < params[_BETA] * q.state[_TOP]
    if not burst and not over:
        return 0
    m = words(s.scratch)
    entries = int(m[_ENTRIES])

    # Real phase. The same question to the same map has the same answer.
    sought = key if params[_LISTED] != 0.0 else q.state[_KEY]
    asked = sought == q.state[_ASKED] and m[_VERSION] == q.state[_EDITION]
    if burst and not asked and entries > 0 and time >= params[_LEARNING]:
        q.state[_ASKED], q.state[_EDITION] = sought, m[_VERSION]
        first, beyond = 0, entries
        while first < beyond:
            middle = (first + beyond) // 2
            if m[_KEYS + middle] > sought - params[_EQUAL]:
                beyond = middle
            else:
                first = middle + 1
        found, total, told = 0.0, 0.0, 0.0
        for i in range(first, entries):
            if time - m[_STAMPS + i] <= params[_AGE]:
                found += 1.0
                total += m[_VALUES + i]
                if found == params[_NEAREST]:
                    break
        if found > 0.0:
            told = total / found
        else:
            for i in range(entries):
                if time - m[_STAMPS + i] <= params[_AGE]:
                    told = max(told, m[_VALUES + i])
        q.state[_HELD] = told if params[_LISTED] != 0.0 else max(q.state[_HELD], told)
    if not over:
        return 0

    # The burst is over: the queue's entry goes into the map.
    if burst and q.state[_KEY] > 0.0:
        demand = q.state[_TOP] + q.state[_LOST]
        m[_BURSTS] += 1.0
        if q.state[_HELD] > 0.0:
            error = abs(q.state[_HELD] - demand) / demand
            m[_PREDICTED] += 1.0
            m[_ERRORS] += error
            m[_WORST] = max(m[_WORST], error)
            m[_TOLD] += q.state[_HELD]
            m[_NEEDED] += demand
        value = demand if params[_COUNTING] != 0.0 else q.state[_TOP]
        kept, oldest = 0, 0
        for i in range(entries):
            if time - m[_STAMPS + i] > params[_AGE]:
                continue
            if m[_KEYS + i] == q.state[_KEY]:
                value = max(value, m[_VALUES + i])
                continue
            m[_KEYS + kept], m[_VALUES + kept] = m[_KEYS + i], m[_VALUES + i]
            m[_STAMPS + kept] = m[_STAMPS + i]
            if m[_STAMPS + kept] < m[_STAMPS + oldest]:
                oldest = kept
            kept += 1
        if kept == _ROOM:
            kept -= 1
            m[_EVICTED] += 1.0
            for i in range(oldest, kept):
                m[_KEYS + i], m[_VALUES + i] = m[_KEYS + i + 1], m[_VALUES + i + 1]
                m[_STAMPS + i] = m[_STAMPS + i + 1]
        place = kept
        while place > 0 and m[_KEYS + place - 1] > q.state[_KEY]:
            m[_KEYS + place], m[_VALUES + place] = m[_KEYS + place - 1], m[_VALUES + place - 1]
            m[_STAMPS + place] = m[_STAMPS + place - 1]
            place -= 1
        m[_KEYS + place], m[_VALUES + place], m[_STAMPS + place] = q.state[_KEY], value, time
        m[_ENTRIES] = kept + 1.0
        m[_MOST] = max(m[_MOST], kept + 1.0)
        m[_VERSION] += 1.0
    q.state[_GRADIENT], q.state[_TOP], q.state[_KEY], q.state[_HELD], q.state[_LOST] = 0.0, 0.0, 0.0, 0.0, 0.0
    q.state[_EDITION] = 0.0
    return 0


class Smartbuf(Policy):
    """Learns what bursts need: smoothed gradient of the queue → its largest occupancy, one map for the whole memory.

    At every departure the gradient of what is left is smoothed, in units of the port's rate: n senders at line rate
    give n − 1. A queue whose largest length, the departing packet included, exceeds 1/``sigma`` of the memory is in a
    burst. The gradient at that largest length is the burst's key: it will be stored by it and is looked up by it. Its
    limit becomes the mean of the ``nearest`` known bursts with this key or steeper ones (of all there are, if fewer;
    the largest known, if none is as steep), and the largest such prediction is held until the queue has fallen below
    ``beta`` of its largest length. Then what the burst needed is written into the map. Outside a burst, and while
    nothing is known, the limit is DT's.

    The listing, taken literally, sets the limit only when the burst is over and sums one neighbour too few. Here the
    limit is set while the burst grows and the neighbours are counted in full. Besides, unless ``faithful``:
    a prediction never takes away what DT would give, and bytes dropped count as demand, else a limit that was too low
    is learnt as the demand; a known burst with the very key is one of the nearest, because keys are rounded here and of
    two gradients in one step either may be the larger; and a burst is looked up by its key, where the listing goes by
    the gradient at each departure and so withdraws what it promised as soon as the queue rises less steeply.
    """

    about: ClassVar[About] = About(
        title="Smartbuf",
        summary="The limit of a burst is what earlier bursts that grew as fast needed.",
        sources=("Rezaei, Almasi, Vamanan, IWQoS 2021, Algorithm 1",),
        holds="bursts repeat, and those with the same fan-in have the same size",
        departures="read from slides, not the paper: beta, sigma, K and the ageing time are choices; a queue is "
        "one port and class; keys are whole multiples of key_width; the current gradient, by which a "
        "burst is looked up, is read as that of its own entry, taken at its largest length, and the "
        "largest prediction is kept, unless faithful; an entry is renewed when a burst of its key "
        "ends; the map has 512 entries, and a new one replaces the oldest; packets that find their "
        "port idle are not seen; a prediction is renewed when the key or the map changes",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    counts: ClassVar[Mapping[str, tuple[str, str]]] = {
        "entries": ("1", "entries in the map"),
        "entries_max": ("1", "peak map entries"),
        "bursts": ("1", "bursts learnt"),
        "predictions": ("1", "bursts predicted"),
        "error_mean": ("1", "mean relative prediction error"),
        "error_max": ("1", "largest relative prediction error"),
        "predicted_bytes": ("B", "sum of the predictions"),
        "demand_bytes": ("B", "sum of the demands that were predicted"),
        "evictions": ("1", "map entries evicted"),
        "steepest": ("1", "steepest burst in port rates"),
        "largest": ("B", "largest burst"),
    }
    kind: Literal["smartbuf"] = "smartbuf"
    alpha: float = quantity(
        1.0, "1", "Limit of a queue outside bursts, as a multiple of the free shared memory.", gt=0, le=4096, symbol="α"
    )
    sigma: float = quantity(
        16.0, "1", "A queue above the memory divided by this is in a burst.", gt=1, le=1e6, symbol="σ"
    )
    beta: float = quantity(
        0.5, "1", "A burst ends when the queue falls below this fraction of its peak.", gt=0, lt=1, symbol="β"
    )
    nearest: int = quantity(3, "1", "Number of similar bursts averaged for a prediction.", ge=1, le=512, symbol="K")
    ageing: Time = quantity(0.1, "s", "Time after which an entry that was not updated is removed.", gt=0, le=1e6)
    learning_time: Time = quantity(
        0.0, "s", "Time at the start in which bursts are learnt but not predicted.", ge=0, le=1e6, advanced=True
    )
    weight: float = quantity(
        0.25,
        "1",
        "Weight of the newest gradient in the moving average.",
        gt=0,
        le=1,
        source="Algorithm 1, line 11",
        advanced=True,
    )
    key_width: float = quantity(
        0.001,
        "1",
        "Gradients this far apart have different keys, in units of the port's rate: 1.25 B/µs at 10 Gb/s.",
        gt=0,
        le=100,
        advanced=True,
    )
    or_equal: bool = quantity(True, "1", "Count a known burst with the same key among the nearest.", advanced=True)
    at_least_dynamic: bool = quantity(True, "1", "Never set a limit below that of dynamic thresholds.", advanced=True)
    count_drops: bool = quantity(
        True, "1", "Count the bytes dropped in a burst as part of what it needed.", advanced=True
    )
    faithful: bool = quantity(
        False,
        "1",
        "Follow the listing: drops do not count, a prediction may be below DT and is replaced by that for the "
        "gradient at every departure, only steeper bursts are near.",
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
        corrected = not self.faithful
        return (
            self.alpha,
            self.beta,
            self.sigma,
            float(self.nearest),
            self.ageing * 1e12,
            self.learning_time * 1e12,
            self.weight,
            self.key_width,
            float(self.at_least_dynamic and corrected),
            float(self.count_drops and corrected),
            float(self.or_equal and corrected),
            float(self.faithful),
        )

    def scratch(self, queues: int, flows: int) -> int:
        return _WORDS

    def observe(self, scratch: Any) -> dict[str, float]:
        """Entries of the map now and at most, bursts learnt, those predicted, mean and largest error of these.

        Error: |prediction − demand| / demand, demand being the largest length plus the bytes dropped in the burst.
        predicted_bytes, demand_bytes: sums over the bursts that were predicted [B].
        steepest: largest key in the map, in port rates; largest: largest occupancy in it [B].
        """
        entries = int(scratch[_ENTRIES])
        keys, values = scratch[_KEYS : _KEYS + entries], scratch[_VALUES : _VALUES + entries]
        predicted = float(scratch[_PREDICTED])
        return {
            "entries": float(entries),
            "entries_max": float(scratch[_MOST]),
            "bursts": float(scratch[_BURSTS]),
            "predictions": predicted,
            "error_mean": float(scratch[_ERRORS]) / predicted if predicted else 0.0,
            "error_max": float(scratch[_WORST]),
            "predicted_bytes": float(scratch[_TOLD]),
            "demand_bytes": float(scratch[_NEEDED]),
            "evictions": float(scratch[_EVICTED]),
            "steepest": float(keys[-1]) * self.key_width if entries else 0.0,
            "largest": float(values.max()) if entries else 0.0,
        }

    def count_anew(self, scratch: Any) -> None:
        scratch[_MOST] = scratch[_ENTRIES]
        scratch[[_BURSTS, _PREDICTED, _ERRORS, _WORST, _EVICTED, _TOLD, _NEEDED]] = 0.0

    def lone_limit(self, pool: float, queues: int) -> float:
        return pool
