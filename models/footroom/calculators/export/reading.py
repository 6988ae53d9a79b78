"""What a scenario says about one switch, and which of its settings no switch has."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from footroom.base.component import Component
from footroom.base.errors import InvalidInput
from footroom.calculators.export.configuration import Ecn, Threshold
from footroom.calculators.export.ledger import Ledger
from footroom.calculators.export.ports import MOST, megabits
from footroom.formulas.headroom.link import SECONDS_PER_METRE
from footroom.parts.marking import NoMarking
from footroom.parts.topology import Network
from footroom.scenario import Scenario, is_open_loop, lasting_flows, network_of, switch_for

_SCENARIO = "the scenario"
#: Longer than any optics reach without amplifiers [m]; beyond, a delay is a path rather than a cable.
_LONGEST = 120_000
#: Ports of all nodes of a network that is built to find those of one switch.
_MOST_PORTS = 100_000


@dataclass(frozen=True)
class Seen:
    """One switch of a scenario.

    ports: speed [Mb/s] and cable [m] of each.  buffer, reserved, mtu [B].  lossless: priorities that pause.  threshold:
    of every queue.  ecn: none when nothing is marked.  strict: queues are served in order of priority.
    """

    ports: tuple[tuple[int, int], ...]
    buffer: float
    reserved: float
    mtu: int
    lossless: tuple[int, ...]
    threshold: Threshold
    ecn: Ecn | None
    strict: bool


def read(scenario: Scenario, switch: str | None, with_ports: bool, ledger: Ledger) -> Seen:
    """The switch called ``switch``, or the one whose link is watched. Raises InvalidInput.

    with_ports: its links become ports; without, the caller has ports of its own.
    """
    scenario = _with_its_own(scenario, switch)
    described = scenario.switch
    ports = _ports(scenario, switch, ledger) if with_ports else ()
    architecture: str = described.architecture.kind
    if architecture != "shared_memory":
        ledger.warn(f"switch.architecture {architecture} is not expressed: the memory is divided as that of one chip")
    scheduling: str = described.scheduling.kind
    _left_out("scheduling", described.scheduling, "queues take turns with equal weights", ledger)
    _left_out("headroom", described.headroom, "headroom is what the scheme computes, or headroom when given", ledger)
    if described.queues == 1:
        ledger.warn(
            "the scenario has one queue per port, a switch has eight: what holds for it is set for all of them"
            + (", and they take turns with equal weights" if scheduling == "fifo" else "")
        )
    return Seen(
        ports,
        described.buffer,
        described.reserved,
        int(scenario.run.mtu),
        _lossless(scenario, ledger),
        _threshold(scenario, ledger),
        _ecn(scenario, ledger),
        scheduling == "strict_priority",
    )


def _with_its_own(scenario: Scenario, wanted: str | None) -> Scenario:
    """The scenario in which all switches have the settings of the switch that is read."""
    roles = scenario.topology.switch_roles()
    if not scenario.switches or (wanted is not None and wanted not in roles):
        return scenario
    if wanted is None:
        network = _network(scenario)
        wanted = next((network.names[a] for a, _ in network.watched if network.names[a] in roles), next(iter(roles)))
    return scenario.model_copy(update={"switch": switch_for(scenario, wanted, roles[wanted]), "switches": {}})


def _left_out(name: str, part: Component, instead: str, ledger: Ledger) -> None:
    """Warn of the parameters of ``part`` that have no counterpart on a switch."""
    given = sorted(part.model_dump(exclude_defaults=True).keys() - {"kind"})
    if given:
        ledger.warn(f"switch.{name}: {', '.join(given)} not expressed; {instead}")


def _network(scenario: Scenario) -> Network:
    shape = scenario.topology.shape(lasting_flows(scenario), is_open_loop(scenario))
    if shape.ports > _MOST_PORTS:
        raise InvalidInput.at(
            "topology",
            f"{shape.ports} ports in all switches and hosts",
            f"a configuration is read "
            f"from networks of at most {_MOST_PORTS}; give the ports of the switch instead, such as "
            "32x100G@300m",
        )
    return network_of(scenario, scenario.run.seed)


def _ports(scenario: Scenario, wanted: str | None, ledger: Ledger) -> tuple[tuple[int, int], ...]:
    network = _network(scenario)
    names = [network.names[index] for index in network.switches]
    if wanted is not None and wanted not in names:
        raise InvalidInput.at(
            "switch", wanted, f"the scenario's switches are {', '.join(names[:20])}" + (" …" if len(names) > 20 else "")
        )
    watched = [network.names[a] for a, _ in network.watched if a in network.switches]
    name = wanted or (watched or names)[0]
    if len(names) > 1 and wanted is None:
        ledger.warn(f"the scenario has {len(names)} switches; this is {name}, set switch for another")
    here = network.index(name)
    cables = [cable for cable in network.cables if here in (cable.a, cable.b)]
    if len(cables) > MOST:
        raise InvalidInput.at(
            "ports",
            f"{len(cables)} links of {name}",
            f"at most {MOST} ports; give the ports of the real switch instead, such as 32x100G@300m",
        )
    found = []
    for cable in cables:
        speed = megabits(cable.rate)
        if not speed:
            raise InvalidInput.at(
                "ports",
                f"{cable.rate:g} bit/s",
                "a port's speed is a whole number of Mb/s from 1 "
                "to 1600000; give ports in place of the scenario's links",
            )
        found.append((speed, max(1, math.ceil(cable.delay / SECONDS_PER_METRE - 1e-6))))
    longest = max(length for _, length in found)
    ledger.assume(
        "ports", f"{len(found)} links of {name}", "", "each link of the switch is a port, at the link's rate", _SCENARIO
    )
    ledger.assume(
        "cable",
        "from the propagation delay",
        "",
        "delay / 5 ns/m, rounded up to whole metres, 1 m at least",
        "5 ns/m: 65 to 67 % of the speed of light, as headroom budgets assume",
    )
    ledger.warn(
        f"cable lengths are the scenario's propagation delays at 5 ns/m (the longest {longest} m); "
        "give cable, or ports with their cables, when they are known"
    )
    if longest > _LONGEST:
        ledger.warn(f"{longest} m is a path rather than a cable: only the last link of it belongs to this switch")
    return tuple(found)


def _lossless(scenario: Scenario, ledger: Ledger) -> tuple[int, ...]:
    """Priorities that pause: those the traffic names, else 3 and 4; none without headroom."""
    kind: str = scenario.switch.headroom.kind
    if kind == "none":
        return ()
    named = [getattr(entry, "priority", None) for entry in scenario.traffic]
    numbers = sorted({value for value in named if isinstance(value, int) and 0 <= value <= 7})
    spread = sorted({str(value) for value in named if isinstance(value, str)})
    chosen = tuple(sorted({*numbers, 3, 4})) if spread or not numbers else tuple(numbers)
    if spread:
        ledger.warn(
            f"traffic with priority {', '.join(spread)} has no counterpart; lossless are "
            f"{', '.join(map(str, chosen))}, set lossless for others"
        )
    if kind != "static_independent":
        ledger.warn(
            f"switch.headroom {kind} is not expressed, no switch has it: each lossless priority group gets its "
            "headroom, or a shared pool with over_subscribe_ratio"
        )
    return chosen


def _threshold(scenario: Scenario, ledger: Ledger) -> Threshold:
    """The sharing policy as a switch knows it: alpha, or a fixed limit."""
    buffer = scenario.switch.buffer
    known: dict[str, Any] = scenario.switch.sharing.model_dump()
    kind: str = known["kind"]
    if kind == "complete":
        return Threshold(None, int(buffer))
    if kind == "static":
        return Threshold(None, int(known["per_queue"] or buffer / scenario.switch.queues / max(1, _queues(scenario))))
    alpha = known.get("alpha")
    if kind != "dynamic_threshold":
        as_what = f"dynamic thresholds with its alpha {alpha:g}" if isinstance(alpha, float) else "complete sharing"
        ledger.warn(f"switch.sharing {kind} is not expressed, no switch has it: exported as {as_what}")
    return Threshold(alpha) if isinstance(alpha, float) else Threshold(None, int(buffer))


def _queues(scenario: Scenario) -> int:
    """Ports of the switch with the most of them: what static partitioning divides by."""
    network = _network(scenario)
    degree = [sum(index in (cable.a, cable.b) for cable in network.cables) for index in network.switches]
    return max(degree, default=1)


def _ecn(scenario: Scenario, ledger: Ledger) -> Ecn | None:
    """Marking as kmin, kmax and pmax; a step is both at once with certainty."""
    marking = scenario.switch.marking
    if isinstance(marking, NoMarking):
        return None
    known: dict[str, Any] = marking.model_dump()
    if {"kmin", "kmax", "pmax"} <= known.keys():
        if known.get("weight", 1.0) < 1.0:
            ledger.warn(f"switch.marking.weight {known['weight']:g} is not expressed: marking goes by the queue itself")
        return Ecn(round(known["kmin"]), round(known["kmax"]), known["pmax"])
    if "threshold" in known:
        step = round(known["threshold"])
        ledger.assume("ecn.step", step, "B", "a step is kmin = kmax with probability 1", _SCENARIO)
        return Ecn(step, step, 1.0)
    ledger.warn(f"switch.marking {marking.kind} is not expressed: nothing is marked")
    return None
