"""The numbers that decide what happens at a bottleneck, before and after scaling."""

from __future__ import annotations

import math
from collections.abc import Callable

from footroom.scenario import HEADER, Scenario, Switch, switch_at
from footroom.scenario.scaling import rules
from footroom.scenario.scaling.report import ScaledQuantity

#: Name of the buffer in units of the rule for many flows.
ROOT_RULE = "B·√n/BDP"

_Value = Callable[[Scenario], float | None]
_BufferValue = Callable[[Scenario, Switch], float | None]


def quantities(before: Scenario, after: Scenario) -> tuple[ScaledQuantity, ...]:
    """Every quantity that both scenarios have, those of a buffer once for each switch that differs."""
    found = [
        ScaledQuantity(name, unit, old, new, meaning)
        for name, unit, value, meaning in _COMMON
        if (old := value(before)) is not None and (new := value(after)) is not None
    ]
    keys = ["switch", *(f"switches.{key}" for key in before.switches)]
    for path in keys:
        for name, unit, of, meaning in _BUFFER:
            old, new = of(before, _at(before, path)), of(after, _at(after, path))
            if old is not None and new is not None:
                found.append(ScaledQuantity(name, unit, old, new, meaning, path))
    return tuple(found)


def _at(scenario: Scenario, path: str) -> Switch:
    return scenario.switch if path == "switch" else switch_at(scenario, path.removeprefix("switches."))


def _flows(scenario: Scenario) -> float | None:
    """Long-lived flows of one bottleneck; none when there are none."""
    flows = sum(entry.lasting() for entry in scenario.traffic if entry.endless)
    return flows / rules.path_of(scenario).bottlenecks if flows else None


def _window(scenario: Scenario) -> float | None:
    flows = _flows(scenario)
    return rules.product(scenario) / scenario.run.mtu / flows if flows else None


def _spread(scenario: Scenario) -> float | None:
    flows = _flows(scenario)
    return 1.0 / math.sqrt(27.0 * flows) if flows else None


def _load(scenario: Scenario) -> float | None:
    return math.fsum(entry.offered_load() for entry in scenario.traffic) or None


def _arrivals(scenario: Scenario) -> float | None:
    """Short flows, per second and bottleneck."""
    capacity, path, second = scenario.topology.slowest_watched(), rules.path_of(scenario), 1.0
    return (
        math.fsum(entry.work(capacity, path.rtt, second)[0] for entry in scenario.traffic if entry.open_loop()) or None
    )


def _access(scenario: Scenario) -> float:
    return rules.path_of(scenario).access / scenario.topology.slowest_watched()


def _rtt(scenario: Scenario) -> float:
    return rules.path_of(scenario).rtt


def _room(scenario: Scenario, switch: Switch) -> float:
    return rules.room(switch, scenario.run.mtu)


def _over_root(scenario: Scenario, switch: Switch) -> float | None:
    flows = _flows(scenario)
    return _room(scenario, switch) * math.sqrt(flows) / rules.product(scenario) if flows else None


def _burst(scenario: Scenario, switch: Switch) -> float:
    """The largest initial window over the buffer."""
    sent = max(
        entry.host.initial_window * ((entry.host.mss or scenario.run.mtu - HEADER) + HEADER)
        for entry in scenario.traffic
    )
    return sent / _room(scenario, switch)


_COMMON: tuple[tuple[str, str, _Value, str], ...] = (
    ("capacity", "bit/s", lambda s: s.topology.slowest_watched(), "rate of a bottleneck"),
    ("base RTT", "s", _rtt, "how fast senders learn of a loss; rounds of slow start"),
    ("window per flow, W = BDP/n", "packet", _window, "the loss rate of Reno, about 1.5/W², and timeouts"),
    ("flows per bottleneck, n", "1", _flows, "how much the flows' sawteeth average out"),
    (
        "spread of the sum of n windows, 1/√(27·n)",
        "1",
        _spread,
        "deviation of the sum from its mean for unsynchronised flows (Appenzeller et al., SIGCOMM 2004, section 3)",
    ),
    ("access over capacity", "1", _access, "how fast one sender's burst arrives"),
    ("load of short flows", "1", _load, "the mean of what they send"),
    ("arrivals of flows per second", "1", _arrivals, "how much they average out, and samples behind a percentile"),
    (
        "one packet at the bottleneck",
        "s",
        lambda s: s.run.mtu * 8.0 / s.topology.slowest_watched(),
        "the time scale on which jitter and pacing matter",
    ),
)

_BUFFER: tuple[tuple[str, str, _BufferValue, str], ...] = (
    ("buffer", "packet", lambda s, w: _room(s, w) / s.run.mtu, "bursts it holds, counted in packets"),
    ("B/BDP", "1", lambda s, w: _room(s, w) / rules.product(s), "whether a single flow's halving empties the queue"),
    (ROOT_RULE, "1", _over_root, "utilisation and drops with many flows and a shallow buffer"),
    ("drain time B/C", "s", lambda s, w: _room(s, w) * 8.0 / s.topology.slowest_watched(), "the longest wait"),
    ("initial window over buffer", "1", _burst, "drops by flows that begin"),
)
