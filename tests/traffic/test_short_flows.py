"""Short flows under host options that packets feel, and what engines without hosts say of them."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput


def shorts(**host: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "2 ms"},
        "switch": {"buffer": "30 kB"},
        "traffic": [{"kind": "poisson", "load": 0.5, "sizes": "60 kB", "host": host}],
        "run": {"duration": "2 s", "warmup": "200 ms", "slowdown": False},
    }


def test_the_tail_of_completion_times_no_longer_waits_for_timeouts() -> None:
    without, found = (fr.run(shorts(tail_loss_probe=on), engine="packet").metrics for on in (False, True))
    assert "tail_loss_probes" not in without
    # The median flow loses no tail, one in a hundred does: 200 ms beyond the round trip, or a few round trips.
    assert found["fct_p50"] == pytest.approx(without["fct_p50"], rel=0.05)
    assert without["fct_p99"] > 0.2
    assert found["fct_p99"] < 0.1
    assert found["timeouts"] < without["timeouts"] / 4
    assert found["tail_loss_probes"] > 0


@pytest.mark.parametrize("engine", ["theory", "fluid"])
@pytest.mark.parametrize(("option", "values"), [("tail_loss_probe", (False, True)), ("quick_acks", (0, 16))])
def test_engines_without_hosts_say_what_they_leave_out(engine: str, option: str, values: tuple[object, object]) -> None:
    noted = []
    for value in values:
        document = shorts(**{option: value})
        document["traffic"].append({"kind": "long_lived", "flows": 20})
        noted.append(any(option in note for note in fr.run(document, engine=engine).notes))
    assert noted == [False, True]


def test_it_needs_selective_acknowledgements() -> None:
    with pytest.raises(InvalidInput, match="sack or prr") as refusal:
        fr.Scenario.parse(shorts(tail_loss_probe=True, recovery="newreno"))
    assert refusal.value.problems[0].path == "traffic.0.host.tail_loss_probe"
