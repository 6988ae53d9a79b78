"""Where TIMELY's fluid is marked, and that packets agree with it elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr


def _asked(flows: int, rate: float, rtt: float, duration: float, buffer: float = 16e6, **law: Any) -> dict[str, Any]:
    entry = {"kind": "long_lived", "flows": flows, "start_jitter": 0.0, "congestion": {"kind": "timely", **law}}
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 2 * rate, "rtt": rtt},
        "switch": {"buffer": buffer},
        "traffic": [entry],
        "run": {"duration": duration, "warmup": 0.26 * duration, "mtu": 1000},
    }


def _marked(asked: dict[str, Any]) -> dict[str, str]:
    found = fr.run(asked, engine="fluid").outside
    return {name: why for name, why in found.items() if name in ("utilisation", "queue_mean", "drop_rate")}


@pytest.mark.parametrize(
    ("flows", "rate", "rtt", "buffer"), [(2, 1e9, 5e-4, 16e6), (2, 1e10, 5e-4, 16e6), (10, 1e10, 2e-4, 16e6)]
)
def test_packets_agree_from_a_fair_share_on(flows: int, rate: float, rtt: float, buffer: float) -> None:
    asked = _asked(flows, rate, rtt, 0.2, buffer, start_rate=rate / flows)
    found, packets = fr.run(asked, engine="fluid"), fr.run(asked, engine="packet")
    assert _marked(asked) == {}
    assert found.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.015)


def test_round_trips_of_much_growth_are_marked() -> None:
    """2 ms at 10 Gb/s: in a round trip a flow adds 0.16 of its share. Packets use 42 % of the link for 72 %."""
    asked = _asked(2, 1e10, 2e-3, 0.2, start_rate=5e9)
    found, packets = (fr.run(asked, engine=engine).metrics["utilisation"] for engine in ("fluid", "packet"))
    assert found - packets > 0.2
    assert "0.156 of its share" in _marked(asked)["utilisation"]
    assert _marked(_asked(2, 1e10, 2e-3, 0.2, start_rate=5e9, additive_increase=3e6)) == {}


def test_a_start_that_overflows_the_buffer_is_marked() -> None:
    """Four flows of 2 Gb/s each fill 1 MB at once, and go-back-N keeps it full."""
    asked = _asked(4, 1e9, 1e-4, 1.0, 1e6)
    assert fr.run(asked, engine="packet").metrics["drop_rate"] > 0.7
    found = fr.run(asked, engine="fluid")
    assert found.metrics["drop_rate"] == 0.0
    assert "go-back-N" in _marked(asked)["drop_rate"]
    even = _asked(4, 1e9, 1e-4, 1.0, 1e6, start_rate=2.5e8)
    assert _marked(even) == {}
    assert fr.run(even, engine="packet").metrics["drop_rate"] == 0.0


def test_a_warm_up_shorter_than_the_start_is_marked() -> None:
    """Two flows of 2 Gb/s need some 150 ms to come down and to grow again."""
    short, long = _asked(2, 1e9, 1e-4, 0.2), _asked(2, 1e9, 1e-4, 2.0)
    assert fr.run(short, engine="packet").metrics["utilisation"] < 0.92
    assert "the packet simulation is measured from" in _marked(short)["utilisation"]
    assert _marked(long) == {}
    used = [fr.run(long, engine=engine).metrics["utilisation"] for engine in ("fluid", "packet")]
    assert used[0] == pytest.approx(used[1], abs=0.01)


def test_queues_beside_losses_are_marked() -> None:
    asked = _asked(10, 1e9, 2e-4, 0.2, 3e4, start_rate=1e8)
    assert "send again all that followed" in _marked(asked)["queue_mean"]
    assert "utilisation" not in _marked(asked)
