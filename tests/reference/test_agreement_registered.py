"""Every registered law and policy of the reference engine, at its defaults, treats packets as the packet engine does.

A new one is compared by being registered. What its parameters do is compared by the other files of this folder.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.reference.agreement import agree

from footroom.base.component import Component
from footroom.engines.plan import build_plan
from footroom.parts import congestion, sharing
from footroom.scenario import Scenario

LAWS = [kind for kind in congestion.REGISTRY if issubclass(kind, congestion.Law) and "reference" in kind.engines]
POLICIES = [kind for kind in sharing.REGISTRY if "reference" in kind.engines]


def document(kind: type[Component]) -> dict[str, Any]:
    return {"kind": kind.model_fields["kind"].default, **kind.example}


def over_tcp(law: dict[str, Any], recovery: str) -> dict[str, Any]:
    host = {"recovery": recovery}
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "access": "50 Mb/s", "rtt": "10 ms"},
        "switch": {"buffer": "15 kB"},
        "traffic": [
            {"kind": "long_lived", "flows": 2, "start_jitter": "5 ms", "congestion": law, "host": host},
            {"kind": "poisson", "load": 0.2, "sizes": "20 kB", "congestion": law, "host": host},
        ],
        "run": {"duration": "500 ms", "warmup": "50 ms"},
    }


def over_rdma(law: dict[str, Any], recovery: str) -> dict[str, Any]:
    raw = over_tcp(law, recovery)
    raw["topology"] |= {"bottleneck": "10 Gb/s", "access": "25 Gb/s", "rtt": "20 us"}
    raw["switch"] = {"buffer": "60 kB", "marking": {"kind": "red", "kmin": "10 kB", "kmax": "40 kB", "pmax": 0.1}}
    raw["traffic"][0]["start_jitter"] = "20 us"
    raw["run"] = {"duration": "1 ms", "warmup": "50 us"}
    return raw


@pytest.mark.parametrize(("kind", "recovery"), [(kind, style) for kind in LAWS for style in kind.recoveries])
def test_a_law(kind: type[congestion.Law], recovery: str) -> None:
    raw = (over_rdma if recovery in congestion.RDMA else over_tcp)(document(kind), recovery)
    agree(build_plan(Scenario.parse(raw)))


@pytest.mark.parametrize("kind", POLICIES)
def test_a_policy(kind: type[Component]) -> None:
    raw = over_tcp({"kind": "newreno"}, "prr")
    raw["switch"] = {"buffer": "30 kB", "sharing": document(kind), "queues": 2}
    raw["switch"]["scheduling"] = {"kind": "strict_priority"}
    raw["traffic"][1]["priority"] = 1
    agree(build_plan(Scenario.parse(raw)))
