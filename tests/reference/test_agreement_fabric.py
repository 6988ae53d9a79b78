"""What ``run.fabric`` records, from both packet engines: frames, causes of pauses, roots, victims.

The compiled engine writes a log and looks for causes afterwards; the plain one lets frames carry the pause they belong
to and finds causes as they happen.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.generator import random_fabric
from tests.lossless.small import fabric
from tests.lossless.test_propagation import two_switches

from footroom.engines import packet, reference
from footroom.engines.plan import build_plan
from footroom.result.fabric import FabricDocument
from footroom.scenario import Scenario


def same(a: Any, b: Any, path: str = "fabric") -> None:
    """Lists and names alike, numbers to rounding."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), path
        for key, value in a.items():
            same(value, b[key], f"{path}.{key}")
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b), path
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{path}.{i}")
    elif isinstance(a, float):
        assert b == pytest.approx(a, rel=1e-9, abs=1e-4 if path.split(".")[-2] == "paused" else 1e-12), path
    else:
        assert a == b, path


def both(raw: dict[str, Any]) -> tuple[FabricDocument, FabricDocument] | None:
    """Fabric of the compiled and of the plain engine; None where the network locks, where the first stops early."""
    plan = build_plan(Scenario.parse(raw))
    compiled = packet.simulate(plan)
    if compiled.deadlock is not None:
        return None
    plain = reference.simulate(plan)
    assert compiled.fabric is not None
    assert plain.fabric is not None
    return compiled.fabric, plain.fabric


def test_two_switches_by_hand() -> None:
    found = both(two_switches("72 us"))
    assert found is not None
    same(*found)
    pauses = found[1]["pauses"]
    assert pauses is not None
    assert [row["root"] for row in pauses["tree"]] == ["s2>x", "s2>x"]
    assert len(pauses["victims"]) == 1


def test_many_frames_are_joined_alike() -> None:
    raw = two_switches("72 us")
    raw["run"] |= {"fabric": "0.1 us", "warmup": "20 us"}
    found = both(raw)
    assert found is not None
    assert len(found[1]["time"]) <= 200
    same(*found)


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
@pytest.mark.parametrize("seed", [1, 2])
def test_small_fabrics(kind: str, seed: int) -> None:
    raw = fabric(seed, headroom={"kind": kind, "lossless": [0, 1]})
    raw["run"]["fabric"] = "10 us"
    found = both(raw)
    assert found is not None
    pauses = found[1]["pauses"]
    assert pauses is not None
    assert max(row["depth"] for row in pauses["roots"]) > 1
    assert pauses["victims"]
    same(*found)


@pytest.mark.parametrize("seed", [*range(16), 158, 189, 207, 211])
def test_random_fabrics(seed: int) -> None:
    raw = random_fabric(seed)
    raw["run"] |= {"fabric": raw["run"]["duration"] / 37, "duration": raw["run"]["duration"] / 2}
    found = both(raw)
    if found is not None:
        same(*found)
