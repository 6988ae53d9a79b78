"""From a scenario and options to one switch's configuration, each number with where it comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from footroom.base.errors import Infeasible, InvalidInput
from footroom.calculators.export.configuration import Configuration, Ecn, PriorityGroup, Threshold
from footroom.calculators.export.headroom import groups_of, pooled
from footroom.calculators.export.ledger import Ledger
from footroom.calculators.export.memory import Demand, places
from footroom.calculators.export.options import ExportOptions
from footroom.calculators.export.ports import MOST, Port, megabits, number_ports
from footroom.calculators.export.reading import Seen, read
from footroom.calculators.pool.memory import Memory
from footroom.calculators.pool.pools import PoolSize
from footroom.formulas.headroom.link import USUAL_CELL
from footroom.parts.asics import Asic, asic_named
from footroom.scenario import Scenario

_GIVEN, _SCENARIO = "given", "the scenario"
#: What SONiC sets a port to unless told otherwise [B].
_PORT_MTU = 9100
#: What switches commonly ship: 2⁻³ for lossless priority groups, 2³ for lossy queues.
_ALPHA, _ALPHA_LOSSY = 0.125, 8.0
_SHIPPED = "common in shipped SONiC configurations (sonic-buildimage, buffers_defaults)"
_PMAX = 0.1


def configure(scenario: Scenario | None, options: ExportOptions) -> Configuration:
    """The configuration of one switch.

    Raises InvalidInput where something needed is missing or wrong, Infeasible when it does not fit the memory.
    """
    ledger = Ledger()
    if scenario is None and options.ports is None:
        raise InvalidInput.at("ports", None, "give a scenario, or ports such as 32x100G@300m")
    seen = None if scenario is None else read(scenario, options.switch, options.ports is None, ledger)
    asic = None if options.asic is None else asic_named(options.asic)
    cell = _cell(options, asic, ledger)
    memory = _memory(options, asic, seen, cell, ledger)
    ports = _ports(options, seen, ledger)
    lossless = _lossless(options, seen, ledger)
    lossless_mtu = seen.mtu if seen is not None else 1500
    both = seen.reserved if seen is not None else 0.0
    reserved_pg = options.reserved_pg if options.reserved_pg is not None else both
    reserved_queue = options.reserved_queue if options.reserved_queue is not None else both
    queue_reserved = math.ceil(reserved_queue / cell) * cell
    ledger.assume(
        "queue.reserved",
        queue_reserved,
        "B",
        f"kept for each queue alone: {reserved_queue:g} B in whole cells",
        _source(options.reserved_queue, seen),
    )
    mtu = options.mtu if options.mtu is not None else _PORT_MTU
    ledger.assume(
        "mtu.port",
        mtu,
        "B",
        "largest packet a port forwards",
        _GIVEN if options.mtu is not None else "default of SONiC's ports",
    )
    ledger.assume(
        "mtu.lossless",
        lossless_mtu,
        "B",
        "largest packet of lossless traffic, for headroom",
        _SCENARIO if seen is not None else "default",
    )
    groups: dict[tuple[int, int], PriorityGroup] = {}
    if lossless:
        groups = groups_of(ports, options, asic, cell, lossless_mtu, mtu, reserved_pg, ledger)
    chip = Memory(memory, cell)
    each = [groups[port.speed, port.cable] for port in ports] if lossless else []
    own = places(chip, ((len(lossless), group.xoff) for group in each))
    kept = places(chip, ((len(lossless), group.reserved) for group in each))
    headroom_pool = _headroom_pool(options, own, max((group.xoff for group in each), default=0), cell, ledger)
    pool = _pool(options, chip, kept, headroom_pool or own, ledger)
    return Configuration(
        name=scenario.name if scenario is not None else "",
        asic=asic,
        memory=memory,
        cell=cell,
        ports=ports,
        lossless=lossless,
        groups=groups,
        ratio=options.over_subscribe_ratio,
        headroom_pool=headroom_pool,
        pool=pool,
        queue_reserved=queue_reserved,
        lossless_threshold=_threshold("alpha_lossless", options.alpha_lossless, _ALPHA, seen, ledger),
        lossy_threshold=_threshold("alpha_lossy", options.alpha_lossy, _ALPHA_LOSSY, seen, ledger),
        ecn=_ecn(options, seen, ledger),
        strict=seen.strict if seen is not None else False,
        mtu=mtu,
        lossless_mtu=lossless_mtu,
        dynamic=options.model == "dynamic",
        overridden=any(value is not None for value in (options.headroom, options.xon, options.xon_offset)),
        ledger=ledger,
    )


def _source(given: object, seen: Seen | None) -> str:
    return _GIVEN if given is not None else _SCENARIO if seen is not None else "default"


def _cell(options: ExportOptions, asic: Asic | None, ledger: Ledger) -> int:
    if options.cell_size is not None:
        ledger.assume("cell", options.cell_size, "B", "memory allocation unit", _GIVEN)
        return options.cell_size
    if asic is not None and asic.cell is not None:
        unsure = " (unsure)" if "cell" in asic.unsure else ""
        ledger.assume("cell", asic.cell, "B", f"memory allocation unit of {asic.name}{unsure}", asic.source)
        return asic.cell
    ledger.assume("cell", USUAL_CELL, "B", "assumed", "Trident2 and Tomahawk, the chips of most published examples")
    ledger.warn(
        f"the cell is assumed to be {USUAL_CELL} B; "
        + ("no source gives that of " + asic.name if asic is not None else "name the asic, or its cell")
    )
    return USUAL_CELL


def _memory(options: ExportOptions, asic: Asic | None, seen: Seen | None, cell: int, ledger: Ledger) -> int:
    chip = None if asic is None else asic.buffer
    if options.buffer is not None:
        size, source = options.buffer, _GIVEN
    elif seen is not None:
        size, source = seen.buffer, _SCENARIO
    elif asic is not None and chip is not None:
        size, source = float(chip), asic.source
    else:
        raise InvalidInput.at("buffer", None, "give the packet memory, or an asic whose memory is known")
    if chip is not None and asic is not None and size > chip and options.buffer is None:
        raise Infeasible(f"the scenario's memory of {size:.0f} B is more than the {chip} B of {asic.name}")
    whole = math.floor(size / cell) * cell
    if whole < cell:
        raise InvalidInput.at("buffer", size, f"must hold at least one cell of {cell} B")
    ledger.assume("memory", whole, "B", f"packet memory that is divided: {size:.10g} B in whole cells", source)
    return whole


def _ports(options: ExportOptions, seen: Seen | None, ledger: Ledger) -> tuple[Port, ...]:
    speeds: list[int] = []
    cables: list[int] = []
    names: list[str | None] = []
    lanes: list[tuple[int, ...] | None] = []
    for i, entry in enumerate(options.ports or ()):
        speed = megabits(entry.speed)
        if not speed:
            raise InvalidInput.at(f"ports.{i}.speed", entry.speed, "a whole number of Mb/s from 1 to 1600000")
        if entry.lanes is not None and entry.count > 1:
            raise InvalidInput.at(f"ports.{i}.lanes", list(entry.lanes), "lanes are given for a single port")
        length = entry.cable if entry.cable is not None else options.cable
        if length is None:
            raise InvalidInput.at(f"ports.{i}.cable", None, "give the length of its cable, or cable for all ports")
        speeds += [speed] * entry.count
        cables += [math.ceil(length)] * entry.count
        names += [entry.name] + [None] * (entry.count - 1)
        lanes += [entry.lanes] + [None] * (entry.count - 1)
    for speed, cable in seen.ports if seen is not None else ():
        speeds.append(speed)
        cables.append(math.ceil(options.cable) if options.cable is not None else cable)
        names.append(None)
        lanes.append(None)
    if len(speeds) > MOST:
        raise InvalidInput.at("ports", f"{len(speeds)} ports", f"at most {MOST}")
    if options.cable is not None:
        ledger.assume("cable", math.ceil(options.cable), "m", "of every port without its own value", _GIVEN)
    made = number_ports(speeds, cables, names, lanes)
    _distinct(made)
    ledger.assume(
        "lanes",
        sum(len(port.lanes) for port in made),
        "1",
        "numbered from 1 in order, as many as a port of that speed usually has, unless given",
        "the platform's port_config.ini has the real ones",
    )
    return made


def _distinct(ports: Sequence[Port]) -> None:
    names = [port.name for port in ports]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput.at("ports", twice, "two ports have this name; a port is numbered by the lanes before it")


def _lossless(options: ExportOptions, seen: Seen | None, ledger: Ledger) -> tuple[int, ...]:
    if options.lossless is not None:
        chosen = tuple(sorted(options.lossless))
    elif seen is not None:
        chosen = seen.lossless
    else:
        chosen = (3, 4)
    if not chosen:
        ledger.warn("nothing pauses: the scenario's switch has no headroom; set lossless, such as 3,4, for PFC")
    ledger.assume("lossless", ",".join(map(str, chosen)), "", "priorities that pause", _source(options.lossless, seen))
    return chosen


def _headroom_pool(options: ExportOptions, own: int, largest: int, cell: int, ledger: Ledger) -> int:
    """The shared headroom pool [B], 0 when each group has its own. Raises Infeasible when one group does not fit it.

    own: all groups' headroom; largest: that of one [B].
    """
    if not own or (options.headroom_pool is None and options.over_subscribe_ratio is None):
        return 0
    if options.headroom_pool is not None:
        size = math.ceil(options.headroom_pool / cell) * cell
        ledger.assume("headroom.pool", size, "B", f"given, in whole cells; all groups' own headroom is {own} B", _GIVEN)
    else:
        size = math.ceil(own / (options.over_subscribe_ratio or 1) / cell) * cell
        ledger.assume(
            "headroom.pool",
            size,
            "B",
            f"all groups' headroom {own} B / {options.over_subscribe_ratio}, rounded up to whole cells",
            "SONiC over_subscribe_ratio (buffer_pool_mellanox.lua, there less 10 KiB per port)",
        )
    if size < largest:
        raise Infeasible(
            f"the shared headroom pool of {size} B is less than the headroom of one priority group, "
            f"{largest} B; an over_subscribe_ratio of {own // largest} at most leaves room for one"
        )
    if size < own:
        ledger.warn(
            f"the shared headroom pool of {size} B is less than the {own} B that all priority groups need when "
            "all pause together: packets are then lost"
        )
    return size


def _pool(options: ExportOptions, chip: Memory, reserved: int, headroom: int, ledger: Ledger) -> int:
    """The memory shared by all ports [B]. Raises Infeasible when nothing, or less than asked for, is left."""
    cell = round(chip.rounded(1.0))
    asked = cell if options.pool is None else round(chip.rounded(options.pool))
    demand = Demand(chip, reserved, (PoolSize(name="pool", size=asked, xoff=headroom, side="ingress"),))
    headroom_path = "headroom_pool" if pooled(options) else "headroom"
    ratio = math.ceil(headroom / max(1.0, chip.usable - reserved - asked))
    demand.check(
        {"size": "pool", "xoff": headroom_path, "reserved": "reserved_pg"},
        ""
        if pooled(options) or chip.usable - reserved <= asked
        else f"; over_subscribe_ratio {ratio} makes the headroom fit, as a pool that not all may use at once",
    )
    if options.pool is not None:
        ledger.assume("pool", asked, "B", f"given, in whole cells; {demand.left:.0f} B stay unused", _GIVEN)
        return asked
    left = round(demand.left) + cell
    ledger.assume(
        "pool",
        left,
        "B",
        f"memory {chip.usable:.0f} B − headroom {headroom} B − reserved {reserved} B",
        "pool and headroom are carved from one memory (sonic-buildimage issue 28657)",
    )
    return left


def _threshold(name: str, given: float | None, default: float, seen: Seen | None, ledger: Ledger) -> Threshold:
    if given is not None:
        ledger.assume(name, given, "1", "share of the free memory one queue may hold", _GIVEN)
        return Threshold(given)
    if seen is not None:
        what = "share of the free memory one queue may hold"
        if seen.threshold.alpha is not None:
            ledger.assume(name, seen.threshold.alpha, "1", what, _SCENARIO)
        else:
            ledger.assume(
                name.replace("alpha", "limit"), seen.threshold.limit or 0, "B", "limit of one queue", _SCENARIO
            )
        return seen.threshold
    ledger.assume(name, default, "1", "share of the free memory one queue may hold", _SHIPPED)
    return Threshold(default)


def _ecn(options: ExportOptions, seen: Seen | None, ledger: Ledger) -> Ecn | None:
    found = None if seen is None else seen.ecn
    if options.kmin is not None and options.kmax is not None:
        found = Ecn(round(options.kmin), round(options.kmax), found.pmax if found is not None else _PMAX)
    if found is None:
        return None
    if options.pmax is not None:
        found = Ecn(found.kmin, found.kmax, options.pmax)
    ledger.assume("ecn.kmin", found.kmin, "B", "queue below which nothing is marked", _source(options.kmin, seen))
    ledger.assume("ecn.kmax", found.kmax, "B", "queue above which everything is marked", _source(options.kmax, seen))
    ledger.assume("ecn.pmax", found.pmax, "1", "probability at kmax", _source(options.pmax, seen))
    return found
