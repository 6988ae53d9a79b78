"""How pauses spread: which port's congestion led to each pause, and whose packets waited behind it.

An engine hands over ``Event``s in the order of time.  They are evaluated in the same way for all engines:

* **Cause.** A switch asks for a pause because packets that came in by one port wait. Their *outlet* is the port and
  class where most of their bytes wait. If that port is itself held back at that moment, or has been, since the oldest
  packet there came, for at least half of the time that all bytes there take to be sent, then the latest of the pauses
  that held it is the cause; else the outlet is congested by itself, and is the *root*. A pause whose cause is another
  pause has that one's root. A cause begins to hold before its effect is asked for, so causes never form a circle.
* **Stalled** is a flow for as long as one of its packets waits in a queue that a pause holds back. Times at several
  ports at once count once for each root. At hosts only data waits.
* A **victim** of a root is a flow that was stalled by its pauses and whose data does not cross it.

Times before the warm-up's end are left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from footroom.engines.plan.plan import SECOND, Plan
from footroom.kernel.answers import WHOLE
from footroom.result.pauses import PausedPort, PauseNode, PauseRoot, PauseRow, PauseSum, PauseVictim
from footroom.result.pauses import Propagation as PropagationDocument

#: Rows reported at most: nodes of trees, pauses, victims.
MOST_NODES, MOST_PAUSES, MOST_VICTIMS = 300, 2000, 200

#: A pause: the port that is paused, and the class, WHOLE for all of them together.
Key = tuple[int, int]
Span = tuple[int, int]


class Asked(NamedTuple):
    """A switch asks for ``pause`` at ``at`` [ps].

    port, klass: the outlet.  bytes: that wait there.  since: when the oldest of them came [ps].
    """

    pause: Key
    at: int
    port: int
    klass: int
    bytes: int
    since: int


class Ended(NamedTuple):
    """It lets ``pause`` end at ``at`` [ps]."""

    pause: Key
    at: int


class Stopped(NamedTuple):
    """``pause`` held its port back from ``since`` to ``at`` [ps].

    stalled: flow to since when a packet of it waited.  asked: when what held was asked for; a pause that is asked for
    again soon may have two frames on the way, behind a packet that is being sent.
    """

    pause: Key
    since: int
    at: int
    stalled: dict[int, int]
    asked: int


Event = Asked | Ended | Stopped


@dataclass
class _Pause:
    """One pause from Xoff to Xon."""

    key: Key
    asked: Asked
    ended: int | None = None
    held: list[Span] = field(default_factory=list)
    stalled: list[tuple[int, int, int]] = field(default_factory=list)  # flow, since, until
    parent: _Pause | None = None
    path: tuple[Any, ...] = ()

    @property
    def root(self) -> int:
        """The port whose congestion it comes from."""
        return int(self.path[0])


def covered(spans: Iterable[Span]) -> int:
    """Length of the union of ``spans``."""
    total, reached = 0, -1
    for begin, end in sorted(spans):
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total


class Propagation:
    """All pauses of one run up to ``now`` [ps]; those that hold then end there."""

    def __init__(self, plan: Plan, events: Sequence[Event], now: int, until: int | None = None) -> None:
        self._plan, self._now = plan, now
        self._until = until
        self._pauses = self._collect(events)
        self._held: dict[Key, list[tuple[int, int, _Pause]]] = defaultdict(list)
        for pause in self._pauses:
            for begin, end in pause.held:
                self._held[pause.key].append((begin, end, pause))
        for spans in self._held.values():
            spans.sort(key=lambda span: span[0])
        for pause in self._pauses:  # in the order in which they were asked for, so causes come first
            self._find_cause(pause)

    def _collect(self, events: Sequence[Event]) -> list[_Pause]:
        found: list[_Pause] = []
        by_key: dict[Key, list[_Pause]] = defaultdict(list)
        for event in events:
            if isinstance(event, Asked):
                found.append(_Pause(event.pause, event))
                by_key[event.pause].append(found[-1])
            elif not by_key[event.pause]:
                continue
            elif isinstance(event, Ended):
                by_key[event.pause][-1].ended = event.at
            else:
                pause = self._asked_for(by_key[event.pause], event)
                pause.held.append((event.since, event.at))
                pause.stalled += [(flow, since, event.at) for flow, since in event.stalled.items()]
        return found

    @staticmethod
    def _asked_for(pauses: list[_Pause], event: Stopped) -> _Pause:
        """Which of the times that a pause was asked for this is."""
        place = bisect_right(pauses, event.asked, key=lambda pause: pause.asked.at)
        return pauses[max(0, place - 1)]

    def _find_cause(self, pause: _Pause) -> None:
        asked = pause.asked
        plan = self._plan
        spans: list[Span] = []
        latest: tuple[int, _Pause] | None = None
        for which in (asked.klass, WHOLE):
            rows = self._held.get((asked.port, which), [])
            # Spans of one pause do not overlap, so their ends are in order too.
            for begin, end, other in rows[bisect_right(rows, asked.since, key=lambda row: row[1]) :]:
                if begin >= asked.at:
                    break
                spans.append((max(begin, asked.since), min(end, asked.at)))
                if latest is None or begin > latest[0]:
                    latest = begin, other
        sending = (asked.bytes * int(plan.picoseconds_per_byte[asked.port])) >> 16
        held_now = any(end >= asked.at for _, end in spans)
        if latest is not None and asked.bytes > 0 and (held_now or 2 * covered(spans) >= sending):
            pause.parent = latest[1]
            pause.path = (*pause.parent.path, pause.key)
        else:
            pause.path = (asked.port, pause.key)

    # What is reported.

    def _name(self, port: int) -> str:
        plan = self._plan
        return f"{plan.names[int(plan.port_from[port])]}>{plan.names[int(plan.port_to[port])]}"

    def _clip(self, spans: Iterable[Span]) -> list[Span]:
        opens = self._plan.warmup
        return [(max(begin, opens), end) for begin, end in spans if end > opens]

    def _measured(self) -> list[_Pause]:
        """Pauses of which anything lies in the measured window."""
        opens = self._plan.warmup
        return [
            pause
            for pause in self._pauses
            if (pause.ended is None or pause.ended > opens) or any(end > opens for _, end in pause.held)
        ]

    def to_dict(self) -> PropagationDocument:
        """Plain data; see docs/recording.md."""
        measured = self._measured()
        return {
            "until": (self._now if self._until is None else self._until) / SECOND,
            "count": len(measured),
            "roots": self._roots(measured),
            "tree": self._tree(measured),
            "by_port": self._by_port(measured),
            "victims": self._victims(measured),
            "pauses": self._rows(measured),
        }

    def _time(self, pauses: Iterable[_Pause]) -> int:
        return sum(end - begin for pause in pauses for begin, end in self._clip(pause.held))

    def _summary(self, pauses: Sequence[_Pause]) -> PauseSum:
        """pauses, time, longest and first of several pauses [s]."""
        return {
            "pauses": len(pauses),
            "time": self._time(pauses) / SECOND,
            "longest": max(self._time([pause]) for pause in pauses) / SECOND,
            "first": min(pause.asked.at for pause in pauses) / SECOND,
        }

    @staticmethod
    def _class(key: Key) -> int | None:
        return None if key[1] == WHOLE else key[1]

    def _by_port(self, measured: Sequence[_Pause]) -> list[PausedPort]:
        """Every pause of a port and class, the longest first."""
        found: dict[Key, list[_Pause]] = defaultdict(list)
        for pause in measured:
            found[pause.key].append(pause)
        rows: list[PausedPort] = [
            {
                "port": self._name(key[0]),
                "class": self._class(key),
                **self._summary(pauses),
                "roots": sorted({self._name(pause.root) for pause in pauses}),
            }
            for key, pauses in found.items()
        ]
        return sorted(rows, key=lambda row: (-row["time"], -row["pauses"], row["port"]))

    def _tree(self, measured: Sequence[_Pause]) -> list[PauseNode]:
        """Nodes by their way from the root, parents before children; the longest where there are too many."""
        found: dict[tuple[Any, ...], list[_Pause]] = defaultdict(list)
        for pause in measured:
            found[pause.path].append(pause)
        for path in list(found):
            for length in range(2, len(path)):
                found.setdefault(path[:length], [])
        weight: dict[tuple[Any, ...], int] = defaultdict(int)
        for path, pauses in found.items():
            for length in range(2, len(path) + 1):
                weight[path[:length]] += self._time(pauses)
        chosen = sorted(found, key=lambda path: (-weight[path], len(path)))[:MOST_NODES]
        chosen.sort(key=lambda path: [(-weight[path[:length]], path[:length]) for length in range(2, len(path) + 1)])
        number = {path: i for i, path in enumerate(chosen)}
        rows: list[PauseNode] = []
        for path, i in number.items():
            pauses = found[path]
            none: PauseSum = {"pauses": 0, "time": 0.0, "longest": 0.0, "first": None}
            summary = self._summary(pauses) if pauses else none
            rows.append(
                {
                    "id": i,
                    "parent": number.get(path[:-1]),
                    "root": self._name(path[0]),
                    "port": self._name(path[-1][0]),
                    "class": self._class(path[-1]),
                    **summary,
                }
            )
        return rows

    def _roots(self, measured: Sequence[_Pause]) -> list[PauseRoot]:
        by_root: dict[int, list[_Pause]] = defaultdict(list)
        for pause in measured:
            by_root[pause.root].append(pause)
        lost = self._lost(measured)
        rows: list[PauseRoot] = []
        for root, pauses in by_root.items():
            mine = [(flow, time) for (of, flow), time in lost.items() if of == root and time > 0]
            innocent = [time for flow, time in mine if not self._crosses(flow, root)]
            rows.append(
                {
                    "port": self._name(root),
                    **self._summary(pauses),
                    "ports": len({p.key for p in pauses}),
                    "depth": max(len(pause.path) - 1 for pause in pauses),
                    "flows": len(mine),
                    "stalled": sum(time for _, time in mine) / SECOND,
                    "victims": len(innocent),
                    "lost": sum(innocent) / SECOND,
                }
            )
        return sorted(rows, key=lambda row: (-row["time"], row["port"]))

    def _lost(self, measured: Sequence[_Pause]) -> dict[tuple[int, int], int]:
        """Time [ps] for which each flow was stalled, by (root, flow)."""
        spans: dict[tuple[int, int], list[Span]] = defaultdict(list)
        for pause in measured:
            for flow, since, until in pause.stalled:
                spans[pause.root, flow].append((since, until))
        return {key: covered(self._clip(each)) for key, each in spans.items()}

    def _crosses(self, flow: int, port: int) -> bool:
        plan = self._plan
        place = int(plan.flow_forward[flow])
        while plan.routes[place] >= 0:
            if plan.routes[place] == port:
                return True
            place += 1
        return False

    def _victims(self, measured: Sequence[_Pause]) -> list[PauseVictim]:
        """Flows stalled by a root that they do not cross, those that lost most first."""
        at: dict[tuple[int, int], dict[int, list[Span]]] = defaultdict(lambda: defaultdict(list))
        for pause in measured:
            for flow, since, until in pause.stalled:
                at[pause.root, flow][pause.key[0]].append((since, until))
        plan = self._plan
        rows: list[PauseVictim] = []
        for (root, flow), time in sorted(self._lost(measured).items(), key=lambda item: (-item[1], item[0])):
            if time == 0 or self._crosses(flow, root):
                continue
            ports = at[root, flow]
            worst = max(ports, key=lambda port: (covered(self._clip(ports[port])), -port))
            size = int(plan.flow_bytes[flow])
            rows.append(
                {
                    "flow": flow,
                    "entry": int(plan.flow_stack[flow]),
                    "source": plan.names[int(plan.flow_source[flow])],
                    "destination": plan.names[int(plan.flow_destination[flow])],
                    "size": None if size < 0 else size,
                    "root": self._name(root),
                    "port": self._name(worst),
                    "lost": time / SECOND,
                }
            )
            if len(rows) == MOST_VICTIMS:
                break
        return rows

    def _rows(self, measured: Sequence[_Pause]) -> list[PauseRow]:
        """Single pauses in the order of time; where there are too many, those that held longest."""
        longest = sorted(measured, key=lambda pause: -self._time([pause]))[:MOST_PAUSES]
        longest.sort(key=lambda pause: pause.asked.at)
        number = {id(pause): i for i, pause in enumerate(longest)}
        return [
            {
                "port": self._name(pause.key[0]),
                "class": self._class(pause.key),
                "asked": pause.asked.at / SECOND,
                "ended": None if pause.ended is None else pause.ended / SECOND,
                "held": [(begin / SECOND, end / SECOND) for begin, end in self._clip(pause.held)],
                "outlet": self._name(pause.asked.port),
                "waiting": pause.asked.bytes,
                "cause": None if pause.parent is None else number.get(id(pause.parent)),
                "root": self._name(pause.root),
            }
            for pause in longest
        ]


def events_of(lines: np.ndarray) -> list[Event]:
    """The log of the compiled engine (``kernel.engine_tables.PAUSE_LOG``) as events."""
    from footroom.kernel.engine_tables import PAUSE_ASKED, PAUSE_ENDED, PAUSE_HELD
    from footroom.kernel.tables import PAUSES

    found: list[Event] = []
    for what, number, at, port, klass, size, flow, since in lines.tolist():
        key = divmod(number, PAUSES)
        if what == PAUSE_ASKED:
            found.append(Asked(key, at, port, klass, size, since))
        elif what == PAUSE_ENDED:
            found.append(Ended(key, at))
        elif what == PAUSE_HELD:
            found.append(Stopped(key, since, at, {}, size))
        elif found and isinstance(found[-1], Stopped):
            found[-1].stalled[flow] = since
    return found


__all__ = ["Asked", "Ended", "Event", "Propagation", "Stopped", "covered", "events_of"]
