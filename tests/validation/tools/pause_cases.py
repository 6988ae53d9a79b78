"""Scenarios in which fluid beside packets waits in switches that pause: for ``compare_hybrid_pauses``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from footroom.parts.congestion import Dcqcn
from footroom.scenario import Scenario

HPCC: dict[str, Any] = next(one.values for one in Dcqcn.profiles if one.id == "hpcc")
NO_MARKS: dict[str, Any] = {"kind": "none"}
STATIC: dict[str, Any] = {"kind": "static_independent"}
SHARED: dict[str, Any] = {"kind": "dynamic_shared"}


def red(least: float, most: float, top: float) -> dict[str, Any]:
    """Thresholds in kB."""
    return {"kind": "red", "kmin": 1e3 * least, "kmax": 1e3 * most, "pmax": top}


def step(threshold: float) -> dict[str, Any]:
    """Threshold in kB."""
    return {"kind": "step", "threshold": 1e3 * threshold}


def star(hosts: int, rate: float, rtt: float) -> dict[str, Any]:
    return {"kind": "star", "hosts": hosts, "rate": rate, "rtt": rtt}


def racks(leaves: int, hosts: int, rate: float, spines: int = 1, delay: float = 1e-6) -> dict[str, Any]:
    return {
        "kind": "leaf_spine",
        "leaves": leaves,
        "spines": spines,
        "hosts_per_leaf": hosts,
        "host_rate": rate,
        "fabric_rate": 2.0 * rate,
        "link_delay": delay,
    }


def hosts_of(leaves: list[int], hosts: int) -> list[str]:
    return [f"l{leaf}h{host}" for leaf in leaves for host in range(hosts)]


#: How many, from where and to where; None for anywhere.
Flows = tuple[int, list[str] | None, list[str] | None]


@dataclass(frozen=True)
class Case:
    """flows: of every fluid entry, how many, from where and to where (None: anywhere).  beside: control of the
    transfers, their load and size [B].  duration: s.  law: what differs from the paper's parameters.  control: of the
    long flows.  host: of all hosts that are not those of DCQCN.  switches: what differs at some switches.
    """

    topology: dict[str, Any]
    buffer: float
    headroom: dict[str, Any]
    marking: dict[str, Any]
    flows: tuple[Flows, ...]
    beside: tuple[str, float, float]
    duration: float
    law: dict[str, Any] = field(default_factory=dict)
    control: str = "dcqcn"
    host: dict[str, Any] = field(default_factory=dict)
    switches: dict[str, Any] = field(default_factory=dict)

    def scenario(self, fluid: bool, seed: int) -> Scenario:
        """Its long flows as fluid or as packets."""
        control, load, size = self.beside
        long = [
            {
                "kind": "long_lived",
                "flows": count,
                "start_jitter": self.duration / 50.0,
                "congestion": {"kind": self.control, **self.law},
                **({} if self.control == "dcqcn" else {"host": {"min_rto": 5e-3, **self.host}}),
                "as": "fluid" if fluid else "packets",
                **({} if sources is None else {"sources": sources}),
                **({} if destinations is None else {"destinations": destinations}),
            }
            for count, sources, destinations in self.flows
        ]
        other = {
            "kind": "poisson",
            "load": load,
            "sizes": size,
            "congestion": {"kind": control, **(self.law if control == "dcqcn" else {})},
            **({} if control == "dcqcn" else {"host": {"min_rto": 5e-3, **self.host}}),
        }
        return Scenario.parse(
            {
                "topology": self.topology,
                "switch": {"buffer": self.buffer, "marking": self.marking, "headroom": self.headroom},
                **({"switches": self.switches} if self.switches else {}),
                "traffic": [*long, other],
                "run": {"duration": self.duration, "warmup": self.duration / 4.0, "mtu": 1500, "seed": seed},
            }
        )


def to_one(hosts: int) -> tuple[list[str], list[str]]:
    return [f"h{i}" for i in range(1, hosts)], ["h0"]


_TO_RACK_2 = (8, hosts_of([0, 1], 4), ["l2h0"])
CASES = {
    "star, no marks": Case(
        star(9, 2.5e10, 8e-6), 2e6, STATIC, NO_MARKS, ((16, *to_one(9)),), ("dcqcn", 0.03, 3e4), 0.02
    ),
    "star, RED": Case(
        star(9, 2.5e10, 8e-6), 2e6, STATIC, red(100, 400, 0.1), ((16, *to_one(9)),), ("dcqcn", 0.03, 3e4), 0.04
    ),
    "star, high RED": Case(
        star(9, 2.5e10, 8e-6), 2e6, STATIC, red(600, 2000, 0.1), ((24, *to_one(9)),), ("dcqcn", 0.05, 1e5), 0.04
    ),
    "star, small alpha": Case(
        star(5, 1e10, 1.2e-5),
        1e6,
        STATIC | {"alpha": 1 / 64},
        red(40, 160, 0.05),
        ((12, *to_one(5)),),
        ("dctcp", 0.05, 3e4),
        0.06,
    ),
    "star, 100 Gb/s": Case(
        star(9, 1e11, 6e-6),
        4e6,
        STATIC,
        red(400, 1600, 0.2),
        ((24, *to_one(9)),),
        ("dcqcn", 0.05, 1e5),
        0.01,
        HPCC,
    ),
    "star, insurance": Case(
        star(9, 2.5e10, 8e-6), 2e6, SHARED, red(600, 2000, 0.1), ((24, *to_one(9)),), ("dcqcn", 0.05, 1e5), 0.04
    ),
    "star, on_off": Case(
        star(7, 4e10, 1e-5),
        1.5e6,
        STATIC | {"pause": "on_off", "xon_offset": 2e4},
        NO_MARKS,
        ((6, *to_one(7)),),
        ("dcqcn", 0.05, 5e4),
        0.02,
    ),
    "star, light": Case(
        star(8, 2.5e10, 8e-6), 4e6, STATIC, red(50, 200, 0.1), ((10, None, None),), ("dcqcn", 0.05, 3e4), 0.04
    ),
    "racks, no marks": Case(racks(3, 4, 2.5e10), 2e6, STATIC, NO_MARKS, (_TO_RACK_2,), ("dcqcn", 0.03, 3e4), 0.015),
    "racks, RED": Case(racks(3, 4, 2.5e10), 2e6, STATIC, red(200, 800, 0.1), (_TO_RACK_2,), ("dcqcn", 0.05, 3e4), 0.03),
    "racks, insurance": Case(
        racks(3, 4, 2.5e10), 1e6, SHARED, red(200, 800, 0.1), (_TO_RACK_2,), ("dcqcn", 0.05, 3e4), 0.03
    ),
    "racks, two roots": Case(
        racks(4, 4, 2.5e10, spines=2),
        2e6,
        STATIC,
        red(400, 1600, 0.1),
        (_TO_RACK_2, (8, hosts_of([0, 2], 4), ["l3h1"])),
        ("dctcp", 0.05, 3e4),
        0.02,
    ),
    "dumbbell": Case(
        {"kind": "dumbbell", "bottleneck": 1e10, "access": 4e10, "rtt": 2e-5, "rtt_spread": 0.0},
        6e6,
        STATIC,
        red(300, 1200, 0.05),
        ((12, None, None),),
        ("dcqcn", 0.05, 3e4),
        0.06,
    ),
}
#: Long flows of windows, written down before any of them was run.
WINDOWS = {
    "DCTCP, star": Case(
        star(9, 2.5e10, 8e-6),
        2e6,
        STATIC,
        step(100),
        ((16, *to_one(9)),),
        ("dctcp", 0.03, 3e4),
        0.04,
        control="dctcp",
    ),
    "DCTCP, star, high K": Case(
        star(9, 2.5e10, 8e-6),
        2e6,
        STATIC,
        step(1200),
        ((16, *to_one(9)),),
        ("dctcp", 0.03, 3e4),
        0.04,
        control="dctcp",
    ),
    "DCTCP, star, no marks": Case(
        star(9, 2.5e10, 8e-6),
        2e6,
        STATIC,
        NO_MARKS,
        ((16, *to_one(9)),),
        ("dctcp", 0.03, 3e4),
        0.04,
        control="dctcp",
    ),
    "DCTCP, star, insurance": Case(
        star(9, 2.5e10, 8e-6),
        2e6,
        SHARED,
        step(1200),
        ((24, *to_one(9)),),
        ("dctcp", 0.05, 1e5),
        0.04,
        control="dctcp",
        host={"receive_window": 1.5e5},
    ),
    "DCTCP, star, small headroom": Case(
        star(9, 2.5e10, 8e-6),
        2e6,
        STATIC | {"size": 6e3, "allowance": 0},
        NO_MARKS,
        ((16, *to_one(9)),),
        ("dctcp", 0.03, 3e4),
        0.04,
        control="dctcp",
        host={"receive_window": 3e5},
    ),
    "DCTCP, star, light": Case(
        star(8, 2.5e10, 8e-6),
        4e6,
        STATIC,
        step(65),
        ((24, None, None),),
        ("dctcp", 0.05, 3e4),
        0.04,
        control="dctcp",
    ),
    "NewReno, star": Case(
        star(9, 2.5e10, 8e-6),
        2e6,
        STATIC,
        NO_MARKS,
        ((16, *to_one(9)),),
        ("newreno", 0.03, 3e4),
        0.04,
        control="newreno",
        host={"receive_window": 2e5},
    ),
    "NewReno, star, on_off": Case(
        star(7, 4e10, 1e-5),
        1.5e6,
        STATIC | {"pause": "on_off", "xon_offset": 2e4},
        NO_MARKS,
        ((6, *to_one(7)),),
        ("newreno", 0.05, 5e4),
        0.02,
        control="newreno",
        host={"receive_window": 4e5},
    ),
    "CUBIC, star, small alpha": Case(
        star(5, 1e10, 1.2e-5),
        1e6,
        STATIC | {"alpha": 1 / 64},
        NO_MARKS,
        ((12, *to_one(5)),),
        ("cubic", 0.05, 3e4),
        0.06,
        control="cubic",
        host={"small_queue": 1e-4},
    ),
    "DCTCP, dumbbell": Case(
        {"kind": "dumbbell", "bottleneck": 1e10, "access": 4e10, "rtt": 2e-5, "rtt_spread": 0.0},
        6e6,
        STATIC,
        step(100),
        ((12, None, None),),
        ("dctcp", 0.05, 3e4),
        0.06,
        control="dctcp",
    ),
    "NewReno, dumbbell": Case(
        {"kind": "dumbbell", "bottleneck": 1e10, "access": 4e10, "rtt": 2e-5, "rtt_spread": 0.0},
        6e6,
        STATIC,
        NO_MARKS,
        ((12, None, None),),
        ("newreno", 0.05, 3e4),
        0.06,
        control="newreno",
        host={"receive_window": 1e6},
    ),
    "DCTCP, racks": Case(
        racks(3, 4, 2.5e10), 2e6, STATIC, step(150), (_TO_RACK_2,), ("dctcp", 0.05, 3e4), 0.03, control="dctcp"
    ),
    "DCTCP, racks, high K": Case(
        racks(3, 4, 2.5e10), 2e6, STATIC, step(1000), (_TO_RACK_2,), ("dctcp", 0.03, 3e4), 0.03, control="dctcp"
    ),
    "DCTCP, racks, two roots": Case(
        racks(4, 4, 2.5e10, spines=2),
        2e6,
        STATIC,
        red(400, 1600, 0.1),
        (_TO_RACK_2, (8, hosts_of([0, 2], 4), ["l3h1"])),
        ("dctcp", 0.05, 3e4),
        0.02,
        control="dctcp",
    ),
    "CUBIC, racks, insurance": Case(
        racks(3, 4, 2.5e10),
        1e6,
        SHARED,
        NO_MARKS,
        (_TO_RACK_2,),
        ("cubic", 0.03, 3e4),
        0.03,
        control="cubic",
        host={"small_queue": 1e-4},
    ),
    "NewReno, racks, lossy leaves": Case(
        racks(3, 4, 2.5e10, delay=4e-6),
        2e6,
        STATIC,
        NO_MARKS,
        ((16, hosts_of([0, 1], 4), ["l2h0", "l2h1"]),),
        ("newreno", 0.03, 3e4),
        0.1,
        control="newreno",
        switches={"leaf": {"headroom": {"kind": "none"}, "buffer": 6e5}},
    ),
}
