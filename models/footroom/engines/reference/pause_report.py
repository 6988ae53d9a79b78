"""How pauses spread, from what the plain engine recorded: roots, tree, victims and single pauses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from footroom.engines.plan import SECOND, Plan
from footroom.engines.reference.pause_story import Pause, PauseStory, total
from footroom.result.pauses import PausedPort, PauseNode, PauseRoot, PauseRow, PauseSum, PauseVictim, Propagation

#: Rows reported at most, as docs/recording.md says.
_NODES, _PAUSES, _VICTIMS = 300, 2000, 200
#: Pauses of a whole port come after those of classes.
_WHOLE = 8


class _Window:
    """Pauses of which something lies after the warm-up, and sums over them up to ``now`` [ps]."""

    def __init__(self, plan: Plan, story: PauseStory, now: int) -> None:
        self.plan, self.now = plan, now
        self.pauses = [
            pause
            for pause in story.pauses
            if pause.ended is None
            or pause.ended > plan.warmup
            or any(hold.until(now) > plan.warmup for hold in pause.holds)
        ]

    def held(self, pause: Pause) -> list[tuple[int, int]]:
        """When it held its port back, as far as that was measured."""
        spans = [(max(hold.begin, self.plan.warmup), hold.until(self.now)) for hold in pause.holds]
        return [(begin, end) for begin, end in spans if end > self.plan.warmup]

    def time(self, pauses: Iterable[Pause]) -> int:
        """The sum of it over ``pauses``."""
        return sum(end - begin for pause in pauses for begin, end in self.held(pause))

    def lost(self, pauses: Iterable[Pause]) -> dict[int, int]:
        """Time for which each flow was stalled by any of ``pauses``."""
        spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for pause in pauses:
            for hold in pause.holds:
                for flow, since in hold.flows.items():
                    spans[flow].append((max(since, self.plan.warmup), hold.until(self.now)))
        return {flow: total(each) for flow, each in spans.items()}

    def name(self, port: int) -> str:
        """``from>to``."""
        return f"{self.plan.names[int(self.plan.port_from[port])]}>{self.plan.names[int(self.plan.port_to[port])]}"

    def crosses(self, flow: int, port: int) -> bool:
        """Whether the data of ``flow`` goes through ``port``."""
        hops = self.plan.routes[int(self.plan.flow_forward[flow]) :].tolist()
        return port in hops[: hops.index(-1)]

    def summary(self, pauses: list[Pause]) -> PauseSum:
        """pauses, time, longest and first [s]."""
        return {
            "pauses": len(pauses),
            "time": self.time(pauses) / SECOND,
            "longest": max((self.time([pause]) for pause in pauses), default=0) / SECOND,
            "first": min((pause.asked for pause in pauses), default=0) / SECOND if pauses else None,
        }


def _key(pause: Pause) -> tuple[int, int]:
    return pause.port, _WHOLE if pause.klass is None else pause.klass


def report(plan: Plan, story: PauseStory, now: int) -> Propagation:
    """``fabric.pauses`` of a result."""
    window = _Window(plan, story, now)
    by_root: defaultdict[int, list[Pause]] = defaultdict(list)
    for pause in window.pauses:
        by_root[pause.root].append(pause)
    return {
        "until": now / SECOND,
        "count": len(window.pauses),
        "roots": _roots(window, by_root),
        "tree": _tree(window),
        "by_port": _by_port(window),
        "victims": _victims(window, by_root),
        "pauses": _single(window),
    }


def _roots(window: _Window, by_root: dict[int, list[Pause]]) -> list[PauseRoot]:
    rows: list[PauseRoot] = []
    for root, pauses in by_root.items():
        lost = {flow: time for flow, time in window.lost(pauses).items() if time > 0}
        innocent = [time for flow, time in lost.items() if not window.crosses(flow, root)]
        rows.append(
            {
                "port": window.name(root),
                **window.summary(pauses),
                "ports": len({_key(pause) for pause in pauses}),
                "depth": max(len(pause.chain()) for pause in pauses),
                "flows": len(lost),
                "stalled": sum(lost.values()) / SECOND,
                "victims": len(innocent),
                "lost": sum(innocent) / SECOND,
            }
        )
    return sorted(rows, key=lambda row: (-row["time"], row["port"]))


def _tree(window: _Window) -> list[PauseNode]:
    """Every way from a root to a pause is a node; ways that only lead on have no pauses of their own."""
    at: defaultdict[tuple[Any, ...], list[Pause]] = defaultdict(list)
    weight: defaultdict[tuple[Any, ...], int] = defaultdict(int)
    for pause in window.pauses:
        way: tuple[Any, ...] = (pause.root,)
        for each in pause.chain():
            way = (*way, _key(each))
            at.setdefault(way, [])
            weight[way] += window.time([pause])
        at[way].append(pause)
    chosen = sorted(at, key=lambda way: (-weight[way], len(way)))[:_NODES]
    chosen.sort(key=lambda way: [(-weight[way[:length]], way[:length]) for length in range(2, len(way) + 1)])
    number = {way: i for i, way in enumerate(chosen)}
    return [
        {
            "id": i,
            "parent": number.get(way[:-1]),
            "root": window.name(way[0]),
            "port": window.name(way[-1][0]),
            "class": None if way[-1][1] == _WHOLE else way[-1][1],
            **window.summary(at[way]),
        }
        for way, i in number.items()
    ]


def _by_port(window: _Window) -> list[PausedPort]:
    groups: defaultdict[tuple[int, int], list[Pause]] = defaultdict(list)
    for pause in window.pauses:
        groups[_key(pause)].append(pause)
    rows: list[PausedPort] = [
        {
            "port": window.name(port),
            "class": None if which == _WHOLE else which,
            **window.summary(pauses),
            "roots": sorted({window.name(pause.root) for pause in pauses}),
        }
        for (port, which), pauses in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row["time"], -row["pauses"], row["port"]))


def _victims(window: _Window, by_root: dict[int, list[Pause]]) -> list[PauseVictim]:
    plan = window.plan
    rows: list[PauseVictim] = []
    lost = [
        (-time, root, flow)
        for root, pauses in by_root.items()
        for flow, time in window.lost(pauses).items()
        if time > 0 and not window.crosses(flow, root)
    ]
    for time, root, flow in sorted(lost)[:_VICTIMS]:
        where = {pause.port for pause in by_root[root]}
        there = {p: window.lost(pause for pause in by_root[root] if pause.port == p).get(flow, 0) for p in where}
        size = int(plan.flow_bytes[flow])
        rows.append(
            {
                "flow": flow,
                "entry": int(plan.flow_stack[flow]),
                "source": plan.names[int(plan.flow_source[flow])],
                "destination": plan.names[int(plan.flow_destination[flow])],
                "size": None if size < 0 else size,
                "root": window.name(root),
                "port": window.name(max(there, key=lambda port: (there[port], -port))),
                "lost": -time / SECOND,
            }
        )
    return rows


def _single(window: _Window) -> list[PauseRow]:
    longest = sorted(window.pauses, key=lambda pause: -window.time([pause]))[:_PAUSES]
    longest.sort(key=lambda pause: pause.asked)
    number = {id(pause): i for i, pause in enumerate(longest)}
    return [
        {
            "port": window.name(pause.port),
            "class": pause.klass,
            "asked": pause.asked / SECOND,
            "ended": None if pause.ended is None else pause.ended / SECOND,
            "held": [(begin / SECOND, end / SECOND) for begin, end in window.held(pause)],
            "outlet": window.name(pause.outlet),
            "waiting": pause.waiting,
            "cause": None if pause.cause is None else number.get(id(pause.cause)),
            "root": window.name(pause.root),
        }
        for pause in longest
    ]
