"""The traffic of a scenario as a whole: its load on the network, and which engines can simulate it."""

from __future__ import annotations

from footroom.base.errors import Unsupported
from footroom.base.rng import stream
from footroom.parts.topology import Network
from footroom.scenario.document import Scenario


def lasting_flows(scenario: Scenario) -> int:
    """Flows, or pairs of hosts, that are there for the whole run."""
    return sum(entry.lasting() for entry in scenario.traffic)


def is_open_loop(scenario: Scenario) -> bool:
    """Whether some flows arrive and end between hosts drawn at random."""
    return any(entry.open_loop() for entry in scenario.traffic)


def network_of(scenario: Scenario, seed: int) -> Network:
    """The network that the topology builds for this traffic."""
    return scenario.topology.build(lasting_flows(scenario), is_open_loop(scenario), stream(seed, "topology"))


def check_traffic(scenario: Scenario, engine: str) -> None:
    """Raise Unsupported for a kind of traffic, or a field of one, that ``engine`` does not know."""
    for i, entry in enumerate(scenario.traffic):
        if engine not in entry.engines:
            raise Unsupported(
                f'the {engine} engine has no model of "{entry.about.title}" traffic',
                path=f"traffic.{i}.kind",
                given=entry.kind,
                engines=entry.engines,
            )
        for path, part in ((f"traffic.{i}", entry), (f"traffic.{i}.host", entry.host)):
            for field, (engines, why) in part.only.items():
                given = getattr(part, field)
                if engine not in engines and given != type(part).model_fields[field].default:
                    shown = given if isinstance(given, (str, int, float)) else "an object"
                    raise Unsupported(why, path=f"{path}.{field}", given=shown, engines=engines)
