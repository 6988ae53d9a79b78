"""Scenario: one document that says what is built, what runs over it and for how long."""

from footroom.scenario.document import HEADER, Scenario, switch_at, switch_for
from footroom.scenario.paths import lookup, replace
from footroom.scenario.run import Run
from footroom.scenario.switch import Switch
from footroom.scenario.traffic import check_traffic, is_open_loop, lasting_flows, network_of

__all__ = [
    "HEADER",
    "Run",
    "Scenario",
    "Switch",
    "check_traffic",
    "is_open_loop",
    "lasting_flows",
    "lookup",
    "network_of",
    "replace",
    "switch_at",
    "switch_for",
]
