"""Scenarios that a packet engine cannot run, refused before a plan is made."""

from __future__ import annotations

import math

from footroom.base.errors import InvalidInput, Unsupported
from footroom.base.framing import Framing
from footroom.kernel.tables import NEVER
from footroom.scenario import Scenario, check_traffic, switch_for
from footroom.scenario.switch import Switch

#: Longest transmission of a packet [s]: the engines multiply it by 65536 in picoseconds, within 63 bits.
LONGEST = 100.0
UNLIMITED = 2**40


def check(scenario: Scenario, engine: str = "packet") -> None:
    """Raise Unsupported for what ``engine`` cannot do, as far as this can be seen without laying out the network.

    engine: packet or reference.
    """
    check_traffic(scenario, engine)
    for i, entry in enumerate(scenario.traffic):
        if engine not in entry.congestion.engines:
            who = "the reference engine has" if "packet" in entry.congestion.engines else "the packet engines have"
            raise Unsupported(
                f"{who} no model of {entry.congestion.about.title}",
                path=f"traffic.{i}.congestion.kind",
                given=entry.congestion.kind,
                engines=entry.congestion.engines,
            )
        law = entry.congestion
        if engine not in law.known_to():
            raise Unsupported(
                f"the packet engines have no model of this version of {law.about.title}",
                path=f"traffic.{i}.congestion",
                given=law.kind,
                engines=law.known_to(),
            )
        if law.notices() is not None and not entry.host.ecn:
            raise Unsupported(
                f"{law.about.title} reacts to marks alone, so its hosts must understand them",
                path=f"traffic.{i}.host.ecn",
                given=False,
            )
    for name, role in scenario.topology.switch_roles().items():
        _check_kinds(switch_for(scenario, name, role), engine)


def _check_kinds(setting: Switch, engine: str) -> None:
    """Refuse what ``engine`` cannot do."""
    for field in ("sharing", "marking", "scheduling", "architecture", "headroom"):
        part = getattr(setting, field)
        if engine not in part.engines:
            raise Unsupported(
                f"the {engine} engine has no model of {part.about.title}, as {field}",
                path=f"switch.{field}.kind",
                given=part.kind,
                engines=part.engines,
            )
    if setting.lossless() and setting.architecture.line_cards() > 1:
        raise Unsupported(
            "priority groups belong to one memory, and virtual output queues have one on each line card; "
            "set switch.architecture.kind to shared_memory",
            path="switch.headroom.kind",
            given=setting.headroom.kind,
        )


def check_reserved(setting: Switch, queues: int, name: str) -> None:
    """Refuse reservations beyond the memory that ``queues`` queues share."""
    if queues * setting.reserved > setting.buffer:
        raise InvalidInput.at(
            "switch.reserved",
            setting.reserved,
            f"{queues} queues of switch {name} would reserve more than "
            f"switch.buffer; at most {setting.buffer / queues:.0f} B each fit",
        )


def check_slowest(rate: float, mtu: float, framing: Framing) -> None:
    """Refuse links so slow that a packet's transmission overflows the engines' clock. rate: bit/s. mtu: B."""
    full = framing.wire(int(mtu))
    longest = 8.0 * full / rate
    if longest > LONGEST:
        gap = " with its frame and gap" if full > mtu else ""
        raise InvalidInput.at(
            "topology",
            f"{rate:g} bit/s",
            f"a full packet of {full} B{gap} takes {longest:.3g} s on the slowest link; "
            f"the packet engines count up to {LONGEST:.0f} s: give {math.ceil(8.0 * full / LONGEST)} bit/s or more",
        )


def check_spacing(spacing: int, entry: int, given: float | None) -> None:
    """Refuse a host's rate limit so low that the engines' clock does not reach the next burst. spacing: ps."""
    if spacing >= NEVER:
        raise InvalidInput.at(
            f"traffic.{entry}.host.rate_limit",
            given,
            f"one burst takes {spacing / 1e12:.3g} s at this rate; the packet engines count up to "
            f"{NEVER / 1e12:.3g} s: give a higher rate or shorter bursts",
        )
