"""How switches divide their memory, and at what levels lossless classes pause, before anything is run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from footroom.base.errors import InvalidInput
from footroom.engines.plan.lossless import Lossless, resolve
from footroom.engines.plan.plan import SECOND
from footroom.kernel.tables import NEVER
from footroom.parts.headroom import DynamicShared, Pausing, StaticIndependent
from footroom.parts.marking import Red, Step
from footroom.parts.topology import Network
from footroom.scenario import Scenario, is_open_loop, lasting_flows, network_of, switch_for
from footroom.scenario.kinds import set_field
from footroom.scenario.switch import Switch

if TYPE_CHECKING:
    from footroom.result.memory import MemoryLevel, MemoryLine, SwitchMemory

#: Most ports of a network; more would take too long for a user who edits a scenario.
MOST_PORTS = 100_000


@dataclass(frozen=True)
class Line:
    """A part of a switch's memory.

    name: of the part.  title: in words.  count: how many pieces.  least, most: size of the smallest and the largest
    piece [B].  size: all of them [B].  share: of the switch's memory.
    """

    name: str
    title: str
    count: int
    least: int
    most: int
    size: int
    share: float

    def to_dict(self) -> MemoryLine:
        """Plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "count": self.count,
            "least": self.least,
            "most": self.most,
            "bytes": self.size,
            "share": self.share,
        }


@dataclass(frozen=True)
class Level:
    """A level of memory at which something happens.

    name: of the level.  title: in words.  size: its bytes.  of: whose bytes those are: a priority group's, reserved
    bytes left out, a port's, or an egress queue's.  formula: how the number comes about.
    """

    name: str
    title: str
    size: int
    of: Literal["group", "port", "queue"]
    formula: str

    def to_dict(self) -> MemoryLevel:
        """Plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "bytes": self.size,
            "of": self.of,
            "formula": self.formula,
        }


@dataclass(frozen=True)
class Race:
    """What comes first while ``sources`` ports fill one egress queue evenly and nothing else waits.

    queue: length of that queue when the ports are paused [B].  first: ``marking``, ``pause``, or empty without marking.
    """

    sources: int
    queue: int
    first: Literal["marking", "pause", ""]


@dataclass(frozen=True)
class Memory:
    """One switch, or several that divide their memory in the same way.

    switches: their names.  buffer: memory of each [B].  ports: of each.  lossless: classes that pause.
    """

    switches: tuple[str, ...]
    buffer: int
    ports: int
    lossless: tuple[int, ...]
    lines: tuple[Line, ...]
    levels: tuple[Level, ...]
    races: tuple[Race, ...]

    def to_dict(self) -> SwitchMemory:
        """Plain data, bare numbers in SI base units; sizes under the key ``bytes``."""
        return {
            "switches": list(self.switches),
            "buffer": self.buffer,
            "ports": self.ports,
            "lossless": list(self.lossless),
            "lines": [line.to_dict() for line in self.lines],
            "levels": [level.to_dict() for level in self.levels],
            "races": [{"sources": race.sources, "queue": race.queue, "first": race.first} for race in self.races],
        }


def memory(scenario: Scenario | dict[str, Any]) -> list[Memory]:
    """How each switch of ``scenario`` divides its memory; switches that do alike are one entry.

    Raises InvalidInput with the path of what does not fit, also where the network has more than ``MOST_PORTS`` ports.
    """
    if not isinstance(scenario, Scenario):
        scenario = Scenario.parse(scenario)
    flows, open_loop = lasting_flows(scenario), is_open_loop(scenario)
    ports = scenario.topology.shape(flows, open_loop).ports
    if ports > MOST_PORTS:
        raise InvalidInput.at("topology", ports, f"the network has {ports} ports; at most {MOST_PORTS} are looked at")
    network = network_of(scenario, scenario.run.seed)
    settings, entering, lossless = _resolved(scenario, network)
    found: dict[Memory, list[str]] = {}
    for s, (setting, ports_in) in enumerate(zip(settings, entering, strict=True)):
        one = _of_switch(s, setting, ports_in, lossless, scenario)
        found.setdefault(one, []).append(network.names[network.switches[s]])
    return [replace(one, switches=tuple(names)) for one, names in found.items()]


def check_memory(scenario: Scenario) -> None:
    """Raise InvalidInput where the memory of a switch does not hold what its lossless classes ask for.

    Does nothing for scenarios without headroom, or with more than ``MOST_PORTS`` ports, for which it takes long.
    """
    if _has_headroom(scenario):
        _resolved(scenario, network_of(scenario, scenario.run.seed))


def least_buffer(scenario: Scenario) -> int:
    """The smallest ``switch.buffer`` [B] that leaves every switch one full packet of shared memory beside its headroom.

    0 where no switch has headroom. Raises InvalidInput for settings that are wrong with any buffer.
    """
    if not _has_headroom(scenario):
        return 0
    roomy = Scenario.parse(set_field(scenario.to_dict(), "switch.buffer", _ROOMY))
    settings, _, lossless = _resolved(roomy, network_of(roomy, roomy.run.seed))
    assert lossless is not None
    frame, least = roomy.run.frames.frame(int(roomy.run.mtu)), 0
    for s, setting in enumerate(settings):
        headroom = setting.headroom
        if not isinstance(headroom, Pausing):
            continue
        shared = int(lossless.pool_lossless[s]) + (0 if lossless.one_pool[s] else int(lossless.pool_lossy[s]))
        part = headroom.lossless_share or 1.0
        smallest = min(part, 1.0 - part) if part < 1.0 else 1.0
        least = max(least, int(setting.buffer) - shared + math.ceil(setting.taken(frame) / smallest))
    return least


#: A memory that any headroom fits in [B].
_ROOMY = 1e12


def _has_headroom(scenario: Scenario) -> bool:
    """Whether a switch has lossless classes, in a network that is small enough to check."""
    return (
        scenario.has_headroom()
        and scenario.topology.shape(lasting_flows(scenario), is_open_loop(scenario)).ports <= MOST_PORTS
    )


def _resolved(scenario: Scenario, network: Network) -> tuple[list[Switch], list[list[int]], Lossless | None]:
    """Of every switch its settings and the ports that packets come in by, and what the plan makes of them."""
    ends = [(b, cable) for cable in network.cables for b in (cable.b, cable.a)]
    names = [network.names[node] for node in network.switches]
    settings = [switch_for(scenario, name, role) for name, role in zip(names, network.roles, strict=True)]
    at: dict[int, list[int]] = {node: [] for node in network.switches}
    for port, (node, _) in enumerate(ends):
        if node in at:
            at[node].append(port)
    rates = [cable.rate for _, cable in ends]
    pace = np.array([round(8.0 / rate * SECOND * 65536) for rate in rates], dtype=np.int64)
    entering = list(at.values())
    return (
        settings,
        entering,
        resolve(scenario, settings, names, entering, rates, [cable.delay for _, cable in ends], pace),
    )


def _of_switch(
    s: int, setting: Switch, entering: Sequence[int], lossless: Lossless | None, scenario: Scenario
) -> Memory:
    buffer, classes = int(setting.buffer), setting.lossless()
    lossy = len(entering) * (setting.queues - len(classes))
    lines: list[Line] = []

    def part(name: str, title: str, sizes: Sequence[int], total: int | None = None) -> None:
        size = sum(sizes) if total is None else total
        if size:
            lines.append(Line(name, title, len(sizes), min(sizes), max(sizes), size, size / buffer))

    levels: list[Level] = []
    races: list[Race] = []
    part(
        "reserved_queues",
        "Reserved, lossy queues" if classes else "Reserved for queues",
        [int(setting.reserved)] * lossy or [0],
    )
    if lossless is None or not classes:
        left = buffer - sum(line.size for line in lines)
        part("shared", "Shared", [left])
    else:
        groups = [(q, k) for q in entering for k in classes]
        part("reserved_groups", "Reserved, lossless groups", [int(lossless.group_reserved[group]) for group in groups])
        pool = int(lossless.headroom_pool[s])
        if lossless.insured[s]:
            part("headroom", "Headroom of ports", [int(lossless.insurance[q]) for q in entering])
        elif pool < NEVER:
            part("headroom", "Headroom pool", [pool])
        else:
            part("headroom", "Headroom", [int(lossless.group_headroom[group]) for group in groups])
        if lossless.one_pool[s]:
            part("shared", "Shared", [int(lossless.pool_lossless[s])])
        else:
            part("shared_lossless", "Shared by lossless classes", [int(lossless.pool_lossless[s])])
            part("shared_lossy", "Shared by lossy classes", [int(lossless.pool_lossy[s])])
        levels = _pauses(s, setting.headroom, lossless, groups, len(entering))
        races = _races(setting, _Group(s, setting.headroom, lossless, groups), len(entering), scenario)
    return Memory((), buffer, len(entering), classes, tuple(lines), (*levels, *_marks(setting)), tuple(races))


class _Group:
    """The priority group of a switch that pauses first: that of the lowest alpha, with DSH of the largest headroom."""

    def __init__(self, s: int, pausing: Any, lossless: Lossless, groups: Sequence[tuple[int, int]]) -> None:
        self.shared = int(lossless.pool_lossless[s])
        self.alpha = float(min(lossless.group_alpha[group] for group in groups))
        self.insurance = max(int(lossless.insurance[q]) for q, _ in groups) if lossless.insured[s] else 0
        self.reserved = int(pausing.reserved)

    def xoff(self, busy: int) -> int:
        """Shared bytes at which it pauses while ``busy`` groups hold as much and nothing else waits.

        From x = α·(S − n·x) − η, where η is 0 but for DSH's queue level.
        """
        return max(0, math.floor((self.alpha * self.shared - self.insurance) / (1.0 + self.alpha * busy)))


def _pauses(s: int, pausing: Any, lossless: Lossless, groups: Sequence[tuple[int, int]], ports: int) -> list[Level]:
    group = _Group(s, pausing, lossless, groups)
    less = f" − {group.insurance} B of insurance" if group.insurance else ""
    found = []
    for name, title, busy in (
        ("xoff_one", "Xoff, one group", 1),
        ("xoff_ports", "Xoff, one of each port", ports),
        ("xoff_all", "Xoff, all groups", len(groups)),
    ):
        if name == "xoff_all" and len(groups) == ports:
            continue
        found.append(
            Level(
                name,
                title,
                group.xoff(busy),
                "group",
                f"(α·shared{less}) / (1 + α·{busy}), α = {group.alpha:g}, shared = {group.shared} B",
            )
        )
    alone = found[0].size
    if isinstance(pausing, StaticIndependent):
        xon = max(int(pausing.xon), alone - int(pausing.xon_offset), 0)
        found.insert(1, Level("xon_one", "Xon, one group", xon, "group", "max(xon, Xoff − xon_offset)"))
    elif isinstance(pausing, DynamicShared):
        xon = max(0, alone - int(pausing.xon_offset))
        found.insert(1, Level("xon_one", "Xon, one group", xon, "group", "Xoff − xon_offset"))
        classes = len(groups) // ports
        size = math.floor(classes * group.alpha * group.shared / (1.0 + classes * group.alpha))
        found.append(Level("xoff_port", "Xoff of a port", size, "port", f"Nq·α·shared / (1 + Nq·α), Nq = {classes}"))
    return found


def _marks(setting: Switch) -> list[Level]:
    marking = setting.marking
    if isinstance(marking, Step):
        return [Level("mark", "All marked", int(marking.threshold), "queue", "switch.marking.threshold")]
    if isinstance(marking, Red):
        return [
            Level("kmin", "Kmin, marking begins", int(marking.kmin), "queue", "switch.marking.kmin"),
            Level("kmax", "Kmax, all marked", int(marking.kmax), "queue", "switch.marking.kmax"),
        ]
    return []


def _races(setting: Switch, group: _Group, ports: int, scenario: Scenario) -> list[Race]:
    """For two sources, as many as an incast has workers or an entry has long flows, and all other ports.

    One source alone never fills a queue.
    """
    most = max(ports - 1, 1)
    counts = [getattr(entry, name, None) for entry in scenario.traffic for name in ("degree", "flows")]
    # Arrivals list their flows one by one: their number is not a number of sources.
    degrees = {min(2, most), most, *(min(max(count, 2), most) for count in counts if isinstance(count, int))}
    marks = [level.size for level in _marks(setting)]
    found = []
    for sources in sorted(degrees):
        queue = sources * (group.reserved + group.xoff(sources))
        found.append(Race(sources, queue, "" if not marks else "marking" if marks[0] < queue else "pause"))
    return found


__all__ = ["MOST_PORTS", "Level", "Line", "Memory", "Race", "memory"]
