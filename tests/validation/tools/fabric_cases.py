"""Scenarios of several hops on which fluid beside packets is compared with packets alone."""

from __future__ import annotations

from typing import Any

#: Topology, switch, long flows, load of the transfers, duration [s], and what differs.
Case = tuple[dict[str, Any], dict[str, Any], int, float, float, dict[str, Any]]
_THRESHOLD = {"kind": "dynamic_threshold", "alpha": 1.0}


def star(hosts: int, rate: float, rtt: float, **more: Any) -> dict[str, Any]:
    """A star. rate: bit/s.  rtt: s."""
    return {"kind": "star", "hosts": hosts, "rate": rate, "rtt": rtt, **more}


def racks(leaves: int, spines: int, hosts: int, rates: tuple[float, float], delay: float) -> dict[str, Any]:
    """Racks below spines. rates: of hosts and of fabric links [bit/s].  delay: of a link [s]."""
    return {
        "kind": "leaf_spine",
        "leaves": leaves,
        "spines": spines,
        "hosts_per_leaf": hosts,
        "host_rate": rates[0],
        "fabric_rate": rates[1],
        "link_delay": delay,
    }


def planes(count: int, rate: float, access: float, rtt: float, **more: Any) -> dict[str, Any]:
    """Parallel planes. rate: of a bottleneck, access: of a host [bit/s].  rtt: s."""
    return {"kind": "parallel_planes", "planes": count, "bottleneck": rate, "access": access, "rtt": rtt, **more}


#: Looked at while this was built.
CASES: dict[str, Case] = {
    "star": (star(20, 1e9, 0.004), {"buffer": 5e5, "sharing": _THRESHOLD}, 38, 0.05, 10.0, {}),
    "star, CUBIC": (star(12, 1e9, 0.01), {"buffer": 6e5}, 22, 0.05, 10.0, {"control": "cubic", "size": 1e5}),
    "uplinks, 1 Gb/s": (
        racks(2, 2, 4, (1e9, 1e9), 5e-4),
        {"buffer": 1e6, "sharing": _THRESHOLD},
        32,
        0.03,
        10.0,
        {},
    ),
    "uplinks, 10 Gb/s": (
        racks(4, 4, 8, (1e10, 1e10), 1e-5),
        {"buffer": 2e6, "sharing": _THRESHOLD},
        128,
        0.03,
        0.5,
        {},
    ),
    "hosts, 10 Gb/s": (
        racks(4, 4, 4, (1e10, 4e10), 2e-5),
        {"buffer": 2e6, "sharing": _THRESHOLD},
        64,
        0.05,
        0.5,
        {},
    ),
    "planes": (planes(3, 4e8, 1e8, 0.02), {"buffer": 2.5e5}, 90, 0.05, 20.0, {}),
}
#: Chosen before any of them was run, and used for no choice.
UNSEEN: dict[str, Case] = {
    "star, many": (star(10, 1e9, 0.005), {"buffer": 4e5, "sharing": _THRESHOLD}, 80, 0.03, 10.0, {}),
    "star, spread": (star(16, 1e9, 0.003, rtt_spread=0.2), {"buffer": 3e5}, 64, 0.05, 8.0, {}),
    "one spine": (racks(3, 1, 6, (1e9, 2e9), 2e-4), {"buffer": 5e5, "sharing": _THRESHOLD}, 72, 0.02, 8.0, {}),
    "six racks": (racks(6, 3, 4, (1e9, 1e9), 1e-4), {"buffer": 3e5, "sharing": _THRESHOLD}, 120, 0.03, 5.0, {}),
    "long links": (racks(2, 2, 8, (1e9, 1e9), 2e-3), {"buffer": 2e6}, 96, 0.03, 15.0, {}),
    "CUBIC racks": (
        racks(2, 2, 8, (1e9, 1e9), 5e-4),
        {"buffer": 1e6, "sharing": _THRESHOLD},
        80,
        0.03,
        10.0,
        {"control": "cubic"},
    ),
    "25 Gb/s": (
        racks(2, 2, 8, (2.5e10, 5e10), 1e-5),
        {"buffer": 4e6, "sharing": _THRESHOLD},
        96,
        0.03,
        0.2,
        {"size": 1e5},
    ),
    "two planes": (planes(2, 6e8, 6e8, 0.012, rtt_spread=0.2), {"buffer": 3e5}, 50, 0.08, 15.0, {}),
    "unlike planes": (
        planes(3, 3e8, 1e8, 0.03),
        {"buffer": 6e5},
        75,
        0.05,
        20.0,
        {"switches": {"b": {"buffer": 1e5}}, "control": "cubic"},
    ),
}


def _step(packets: float) -> dict[str, Any]:
    return {"kind": "step", "threshold": 1500.0 * packets}


def _red(least: float, most: float, top: float) -> dict[str, Any]:
    return {"kind": "red", "kmin": 1500.0 * least, "kmax": 1500.0 * most, "pmax": top}


#: Under marks, written down before any of them was run.
MARKED: dict[str, Case] = {
    "DCTCP, 25 Gb/s": (
        racks(4, 4, 8, (2.5e10, 2.5e10), 4e-6),
        {"buffer": 4e6, "sharing": _THRESHOLD, "marking": _step(150)},
        96,
        0.05,
        0.2,
        {"control": "dctcp"},
    ),
    "DCTCP, 100 kB": (
        racks(3, 2, 6, (1e10, 1e10), 2e-5),
        {"buffer": 3e6, "sharing": _THRESHOLD, "marking": _step(65)},
        54,
        0.1,
        0.5,
        {"control": "dctcp", "size": 1e5},
    ),
    "DCTCP, star": (
        star(12, 1e10, 8e-5),
        {"buffer": 2e6, "sharing": _THRESHOLD, "marking": _step(50)},
        30,
        0.05,
        0.5,
        {"control": "dctcp"},
    ),
    "DCTCP, few": (
        racks(2, 2, 4, (1e10, 2e10), 1e-5),
        {"buffer": 2e6, "sharing": _THRESHOLD, "marking": _step(80)},
        10,
        0.1,
        0.5,
        {"control": "dctcp", "size": 5e4},
    ),
    "DCTCP, RED": (
        racks(2, 4, 8, (1e10, 5e9), 1e-5),
        {"buffer": 2e6, "sharing": _THRESHOLD, "marking": _red(30, 130, 0.2)},
        48,
        0.05,
        0.5,
        {"control": "dctcp"},
    ),
    "DCTCP, planes": (
        planes(2, 1e9, 1e9, 2e-3),
        {"buffer": 1e6, "marking": _step(60)},
        30,
        0.05,
        3.0,
        {"control": "dctcp"},
    ),
    "NewReno, step": (
        racks(3, 2, 6, (1e9, 1e9), 1e-4),
        {"buffer": 2e6, "sharing": _THRESHOLD, "marking": _step(100)},
        54,
        0.05,
        5.0,
        {},
    ),
    "CUBIC, RED": (
        racks(2, 2, 8, (2e9, 2e9), 4e-4),
        {"buffer": 4e6, "sharing": _THRESHOLD, "marking": _red(100, 800, 0.1)},
        48,
        0.05,
        5.0,
        {"control": "cubic"},
    ),
    "NewReno, star": (
        star(10, 1e9, 2e-3),
        {"buffer": 2e6, "sharing": _THRESHOLD, "marking": _red(50, 300, 0.1)},
        30,
        0.05,
        8.0,
        {},
    ),
}
#: DCTCP under tiny thresholds: packets of threshold, long flows.
TINY: dict[str, Case] = {
    f"DCTCP, {threshold} packets, {flows} flows": (
        racks(4, 2, 8, (1e10, 1e10), 1e-5),
        {"buffer": 2e6, "sharing": _THRESHOLD, "marking": _step(threshold)},
        flows,
        0.03,
        0.2,
        {"control": "dctcp"},
    )
    for threshold, flows in ((5, 96), (10, 96), (20, 96), (20, 16), (20, 300))
}


def _static(hosts: int, rate: float, rtt: float, share: float) -> dict[str, Any]:
    """A switch of a star in which each of ``hosts`` ports has ``share`` bandwidth-delay products of its own."""
    return {"buffer": hosts * share * rate * rtt / 8.0, "sharing": {"kind": "static"}}


_ROUND = 4e-3
#: BBR as fluid, written down before any of them was run. ``control``: of the fluid; ``packets``: of the transfers;
#: ``beside``: so many long flows are packets, with the transfers' control.
BBR: dict[str, Case] = {
    "BBR, star": (star(8, 1e9, _ROUND), _static(8, 1e9, _ROUND, 1.0), 16, 0.05, 12.0, {}),
    "BBR, star, shallow": (star(8, 1e9, _ROUND), _static(8, 1e9, _ROUND, 0.2), 16, 0.05, 12.0, {}),
    "BBR, star, deep": (star(8, 1e9, _ROUND), _static(8, 1e9, _ROUND, 4.0), 16, 0.05, 12.0, {}),
    "BBR, star, 40": (star(6, 1e9, 0.01), _static(6, 1e9, 0.01, 0.5), 40, 0.05, 12.0, {"packets": "cubic"}),
    "BBR, star, 2": (star(4, 4e8, 0.02), _static(4, 4e8, 0.02, 1.0), 2, 0.05, 20.0, {"packets": "newreno"}),
    "BBR, star, spread": (
        star(8, 1e9, 0.01, rtt_spread=0.2),
        _static(8, 1e9, 0.01, 2.0),
        24,
        0.05,
        12.0,
        {"packets": "cubic"},
    ),
    "BBR, star, beside NewReno": (
        star(6, 1e9, 5e-3),
        _static(6, 1e9, 5e-3, 1.0),
        12,
        0.03,
        12.0,
        {"packets": "newreno", "beside": 6},
    ),
    "BBR, racks": (
        racks(2, 2, 4, (1e9, 1e9), 5e-4),
        {"buffer": 2e6, "sharing": _THRESHOLD},
        16,
        0.05,
        12.0,
        {},
    ),
    "BBR, racks, shallow": (
        racks(3, 1, 6, (1e9, 2e9), 5e-4),
        {"buffer": 4e5, "sharing": _THRESHOLD},
        36,
        0.03,
        12.0,
        {"packets": "newreno"},
    ),
    "BBR, racks, beside CUBIC": (
        racks(2, 2, 8, (1e9, 1e9), 5e-4),
        {"buffer": 4e6, "sharing": _THRESHOLD},
        24,
        0.03,
        12.0,
        {"packets": "cubic", "beside": 16},
    ),
    "BBR, racks, beside BBR": (
        racks(2, 2, 8, (1e9, 1e9), 5e-4),
        {"buffer": 2e6, "sharing": _THRESHOLD},
        24,
        0.03,
        12.0,
        {"beside": 8},
    ),
    "BBR, racks, deep": (
        racks(4, 2, 4, (1e9, 1e9), 2.5e-4),
        {"buffer": 8e6, "sharing": _THRESHOLD},
        32,
        0.03,
        12.0,
        {"packets": "newreno"},
    ),
    "BBR, planes": (planes(2, 4e8, 4e8, 0.02), {"buffer": 1e6}, 20, 0.05, 20.0, {"packets": "newreno"}),
    "BBR 3, star": (star(8, 1e9, _ROUND), _static(8, 1e9, _ROUND, 1.0), 16, 0.05, 12.0, {"version": 3}),
    "BBR 3, racks": (
        racks(2, 2, 4, (1e9, 1e9), 5e-4),
        {"buffer": 1e6, "sharing": _THRESHOLD},
        24,
        0.05,
        12.0,
        {"version": 3, "packets": "cubic"},
    ),
    "BBR 3, star, deep": (
        star(6, 1e9, 5e-3),
        _static(6, 1e9, 5e-3, 4.0),
        18,
        0.05,
        12.0,
        {"version": 3, "packets": "newreno"},
    ),
}
#: Written down after ``BBR`` had been run, before any of these was.
BBR_UNSEEN: dict[str, Case] = {
    "BBR, star, 10 Gb/s": (
        star(6, 1e10, 1e-3),
        _static(6, 1e10, 1e-3, 0.5),
        18,
        0.05,
        2.0,
        {"packets": "newreno", "size": 1e5},
    ),
    "BBR, star, 100 Mb/s": (star(5, 1e8, 0.03), _static(5, 1e8, 0.03, 1.0), 10, 0.05, 30.0, {"packets": "cubic"}),
    "BBR, star, a third": (star(10, 5e8, 8e-3), _static(10, 5e8, 8e-3, 0.33), 30, 0.05, 12.0, {}),
    "BBR, racks, four leaves": (
        racks(4, 2, 3, (1e9, 1e9), 3e-4),
        {"buffer": 6e5, "sharing": _THRESHOLD},
        24,
        0.03,
        12.0,
        {"packets": "cubic"},
    ),
    "BBR, racks, fast uplinks": (
        racks(2, 2, 6, (1e9, 4e9), 4e-4),
        {"buffer": 3e6, "sharing": _THRESHOLD},
        30,
        0.03,
        12.0,
        {"packets": "newreno", "beside": 6},
    ),
    "BBR, planes, shallow": (
        planes(2, 3e8, 3e8, 0.015),
        {"buffer": 1.5e5},
        12,
        0.05,
        15.0,
        {"packets": "newreno"},
    ),
    "BBR, planes, deep": (planes(3, 2e8, 2e8, 0.02, rtt_spread=0.1), {"buffer": 1.5e6}, 18, 0.05, 20.0, {}),
    "BBR 3, star, a third": (
        star(8, 1e9, 6e-3),
        _static(8, 1e9, 6e-3, 0.33),
        20,
        0.05,
        12.0,
        {"version": 3},
    ),
    "BBR 3, racks, deep": (
        racks(2, 2, 6, (1e9, 1e9), 5e-4),
        {"buffer": 4e6, "sharing": _THRESHOLD},
        20,
        0.03,
        12.0,
        {"version": 3, "packets": "cubic", "beside": 6},
    ),
    "BBR 3, planes": (
        planes(2, 4e8, 4e8, 0.01),
        {"buffer": 2.5e5},
        8,
        0.05,
        15.0,
        {"version": 3, "packets": "newreno"},
    ),
}
ALL = CASES | UNSEEN | MARKED | TINY | BBR | BBR_UNSEEN
