"""What the hybrid engine can answer."""

from __future__ import annotations

from footroom.base.errors import Unsupported
from footroom.engines.fluid import laws
from footroom.engines.packet.fluid_check import check_setting
from footroom.engines.plan import check as check_packets
from footroom.parts.traffic import AnyTraffic, LongLived, Poisson
from footroom.scenario import Scenario, switch_for

#: Loss recovery that the fluid follows: what a window shrinks by is held back in equal parts over a round trip.
RECOVERY = "prr"
_PACKETS = ("packet",)


def fluid_entries(scenario: Scenario) -> frozenset[int]:
    """Numbers of the traffic entries that are fluid."""
    return frozenset(i for i, entry in enumerate(scenario.traffic) if entry.fluid)


def check(scenario: Scenario) -> None:
    """Raise Unsupported for what this engine cannot do."""
    entries = fluid_entries(scenario)
    if len(entries) == len(scenario.traffic):
        from footroom.engines.fluid.adapter import system_of

        system_of(scenario)
        return
    check_packets(scenario)
    if not entries:
        return
    if scenario.topology.kind != "dumbbell":
        raise Unsupported(
            "fluid shares the queue of one bottleneck with packets",
            path="topology.kind",
            given=scenario.topology.kind,
            engines=_PACKETS,
        )
    for i, entry in enumerate(scenario.traffic):
        if i in entries:
            _check_fluid(entry, f"traffic.{i}")
        elif entry.congestion.kind not in laws.SINGLE:
            raise Unsupported(
                f"beside a fluid only {' and '.join(laws.SINGLE)} were compared with packets alone",
                path=f"traffic.{i}.congestion.kind",
                given=entry.congestion.kind,
                engines=_PACKETS,
            )
    for name, role in scenario.topology.switch_roles().items():
        setting = switch_for(scenario, name, role)
        check_setting(setting)
        if setting.marking.kind != "none":
            raise Unsupported(
                "a fluid has no marks", path="switch.marking.kind", given=setting.marking.kind, engines=_PACKETS
            )


def _check_fluid(entry: AnyTraffic, path: str) -> None:
    if not isinstance(entry, (LongLived, Poisson)):
        raise Unsupported(
            f'"{entry.about.title}" traffic cannot be a fluid; long-lived flows and Poisson arrivals can',
            path=f"{path}.as",
            given="fluid",
            engines=_PACKETS,
        )
    if isinstance(entry, Poisson) and entry.connections is not None:
        raise Unsupported(
            "every flow of a fluid has its own connection",
            path=f"{path}.connections",
            given=entry.connections,
            engines=_PACKETS,
        )
    kind = entry.congestion.kind
    if kind not in laws.SINGLE:
        raise Unsupported(
            f"{entry.congestion.about.title} has no fluid model of a single flow; {' and '.join(laws.SINGLE)} have",
            path=f"{path}.congestion.kind",
            given=kind,
            engines=_PACKETS,
        )
    if isinstance(entry, LongLived) and entry.stop is not None:
        raise Unsupported(
            "flows of a fluid are there for the whole run", path=f"{path}.stop", given=entry.stop, engines=_PACKETS
        )
    for name, given, found, reason in (
        ("recovery", entry.recovery_of(), entry.recovery_of() == RECOVERY, f"a fluid recovers as {RECOVERY} does"),
        ("autosize", entry.host.autosize, not entry.host.autosize, "bursts of a fluid have one length"),
        ("pacing", entry.host.pacing, not entry.host.pacing, "a fluid is sent as acknowledgements come, not paced"),
    ):
        if not found:
            raise Unsupported(reason, path=f"{path}.host.{name}", given=given, engines=_PACKETS)
