"""A configuration as a scenario: the switch with its memory as configured, and a host on each of its ports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.calculators.export.sonic.report import Report
from footroom.calculators.export.sonic.view import PortView, Profile, size
from footroom.formulas.headroom.link import SECONDS_PER_METRE

#: Cable of a port whose length the configuration does not say [m].
_USUAL_CABLE = 5
#: Hosts that answer one at the same time in the traffic that is proposed.
_DEGREE = 8


def scenario_of(report: Report) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A scenario document, and what of the configuration it leaves out or assumes.

    Ports with a speed become hosts around one switch; headroom, xon, xon_offset, alpha and pools are those of the
    profiles. The traffic is a proposal: eight hosts answer the first one every 200 µs, each with 64 KiB under DCQCN.
    Raises InvalidInput where no profile gives the sizes, because the switch calculates them.
    """
    ports = {port.name: port for port in report.view.ports.values() if port.speed}
    groups = [
        (ports[name], index, profile) for name, index, profile in report.view.groups() if name in ports and profile.xoff
    ]
    if len(ports) < 2:
        raise InvalidInput.at("config_db.PORT", len(ports), "a scenario needs two ports or more with a speed")
    if not groups or report.totals.footroom is None:
        raise InvalidInput.at(
            "config_db.BUFFER_PG",
            None,
            "no priority group has a profile with xoff and a pool with a size: there is "
            "nothing lossless to simulate, or the switch calculates it; give pg_profile_lookup.ini",
        )
    notes = [
        f"{port.name}: no cable length is given, {_USUAL_CABLE} m are assumed"
        for port in ports.values()
        if port.cable is None
    ]
    switch = _switch(report, ports, groups, notes)
    names = list(ports)
    document = {
        "name": "From a SONiC configuration",
        "topology": {
            "kind": "graph",
            "hosts": names,
            "switches": ["switch"],
            "links": [
                {"ends": [port.name, "switch"], "rate": port.speed * 1e6, "delay": _delay(port)}
                for port in ports.values()
            ],
        },
        "switch": switch,
        "traffic": [
            {
                "kind": "incast",
                "degree": min(_DEGREE, len(names) - 1),
                "size": "64 KiB",
                "period": "200 us",
                "destinations": names[:1],
                "priority": "any_lossless",
                "congestion": {"kind": "dcqcn"},
            }
        ],
        "run": {"duration": "2 ms", "warmup": "0 s", "mtu": "1500 B"},
    }
    return document, tuple(notes)


def _delay(port: PortView) -> float:
    return (_USUAL_CABLE if port.cable is None else port.cable) * SECONDS_PER_METRE


def _switch(
    report: Report, ports: dict[str, PortView], groups: list[tuple[PortView, int, Profile]], notes: list[str]
) -> dict[str, Any]:
    lossless = sorted({index for _, index, _ in groups})
    missing = len(ports) * len(lossless) - len({(port.name, index) for port, index, _ in groups})
    if missing:
        notes.append(f"{missing} ports lack a lossless priority group that others have; they get one here")
    by_link: dict[tuple[float, float], int] = {}
    for port, _, profile in groups:
        key = port.speed * 1e6, _delay(port)
        by_link[key] = max(by_link.get(key, 0), profile.xoff)
    pooled = {name: pool.xoff for name, pool in report.view.pools.items() if pool.xoff}
    reserved = max(max(0, profile.size - (0 if profile.pool in pooled else profile.xoff)) for _, _, profile in groups)
    first = groups[0][2]
    if any(_thresholds(profile) != _thresholds(first) for _, _, profile in groups):
        notes.append(f"profiles differ in xon, xon_offset or threshold; all groups have those of {first.name}")
    headroom = {
        "kind": "static_independent",
        "lossless": lossless,
        "reserved": reserved,
        "xon": first.xon,
        "xon_offset": first.xon_offset,
        "alpha": _alpha(report, first, notes),
        "size": max(by_link.values()),
        "sizes": [{"rate": rate, "delay": delay, "size": bytes_} for (rate, delay), bytes_ in by_link.items()],
    }
    of_ports = [by_link.get((port.speed * 1e6, _delay(port)), max(by_link.values())) for port in ports.values()]
    kept = len(lossless) * sum(of_ports)
    pool = sum(pooled.values())
    if pool:
        headroom["pool"] = min(pool, kept)
        kept = min(pool, kept)
    assert report.totals.footroom is not None  # the caller has looked
    found = {
        "buffer": report.totals.footroom + kept + reserved * len(ports) * len(lossless),
        "queues": 8,
        "sharing": _sharing(report),
        "headroom": headroom,
        "scheduling": {"kind": _scheduling(report)},
        "marking": _marking(report),
    }
    if report.demand is not None and report.demand.memory.cell is not None:
        found["cell_size"] = report.demand.memory.cell
    return found


def _thresholds(profile: Profile) -> tuple[int, int, int | None, int | None]:
    return profile.xon, profile.xon_offset, profile.dynamic_th, profile.static_th


def _alpha(report: Report, profile: Profile, notes: list[str]) -> float:
    """Alpha of a profile; for a fixed threshold, the alpha with which one group alone holds as much."""
    if profile.alpha is not None:
        return profile.alpha
    fixed, shared = profile.static_th or 0, report.totals.footroom or 0
    notes.append(
        f"{profile.name}: a fixed threshold of {fixed} B has no counterpart; alpha is such that one group "
        "alone reaches it"
    )
    return min(4096.0, max(1e-6, fixed / max(1, shared - fixed)))


def _rows(report: Report, table: str) -> Iterator[tuple[str, dict[str, str]]]:
    yield from report.tables.get(table, {}).items()


def _sharing(report: Report) -> dict[str, Any]:
    """What lossy queues may hold: that of the first egress profile with an exponent."""
    for _, row in _rows(report, "BUFFER_QUEUE"):
        profile = report.view.profiles.get(row.get("profile", ""))
        if profile is not None and profile.alpha is not None:
            return {"kind": "dynamic_threshold", "alpha": profile.alpha}
    return {"kind": "complete"}


def _scheduling(report: Report) -> str:
    kinds = {row.get("type", "") for _, row in _rows(report, "SCHEDULER")}
    return "strict_priority" if kinds == {"STRICT"} else "drr"


def _marking(report: Report) -> dict[str, Any]:
    """The first profile of marking that a queue has."""
    for _, _, name in report.view.queues():
        row = report.tables.get("WRED_PROFILE", {}).get(name, {})
        low, high = size(row.get("green_min_threshold")), size(row.get("green_max_threshold"))
        if low and high and row.get("ecn", "ecn_none") != "ecn_none":
            if high <= low:
                return {"kind": "step", "threshold": low}
            return {
                "kind": "red",
                "kmin": low,
                "kmax": high,
                "pmax": max(1, size(row.get("green_drop_probability")) or 100) / 100.0,
            }
    return {"kind": "none"}
