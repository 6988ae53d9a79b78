"""RED's average of the queue, from slow to so fast that a step cannot follow it."""

from typing import Any

import pytest

from footroom.engines.fluid.adapter import inputs_of
from footroom.engines.fluid.engine import evaluate
from footroom.scenario import Scenario

_PACKET = 1000.0


def _averaged(document: dict[str, Any]) -> dict[str, float]:
    """The averaged equations, also where flows are followed one by one."""
    return evaluate(inputs_of(Scenario.parse(document)), averaged=True).metrics


def _run(weight: float) -> dict[str, float]:
    """60 Reno flows at 13 104 packets/s and 84 ms, a ramp steep enough for a cycle that empties the queue."""
    return _averaged(
        {
            "topology": {"kind": "dumbbell", "bottleneck": 104.832e6, "access": 1e9, "rtt": 0.08369},
            "switch": {
                "buffer": 11e6,
                "marking": {"kind": "red", "kmin": 0.0, "kmax": 2.6749e6, "pmax": 1.0, "weight": weight},
            },
            "traffic": [{"kind": "long_lived", "flows": 60, "congestion": {"kind": "newreno"}}],
            "run": {"duration": 100.0, "warmup": 60.0, "mtu": _PACKET},
        }
    )


@pytest.fixture(scope="module")
def unaveraged() -> dict[str, float]:
    return _run(1.0)


@pytest.mark.parametrize("weight", [0.06, 0.25, 0.5, 0.999])
def test_a_short_average_is_hardly_one(weight: float, unaveraged: dict[str, float]) -> None:
    # 1/(C weight) is at most 1.3 ms of 84 ms: the loop is at most 1.5 % longer, however coarse the steps.
    averaged = _run(weight)
    assert averaged["queue_max"] == pytest.approx(unaveraged["queue_max"], rel=0.02)
    assert averaged["utilisation"] == pytest.approx(unaveraged["utilisation"], abs=0.003)
    assert averaged["queue_mean"] == pytest.approx(unaveraged["queue_mean"], rel=0.03)


def test_a_marking_that_drops_everything_for_a_while_can_be_followed() -> None:
    """Then the queue falls as fast as it is served, and what is acknowledged at one instant left at no certain one."""
    found = _averaged(
        {
            "topology": {
                "kind": "dumbbell",
                "bottleneck": 116.139e9,
                "access": 116.139e9,
                "rtt": 31.32e-6,
                "rtt_spread": 0.3,
            },
            "switch": {
                "buffer": 5.467e6,
                "marking": {"kind": "red", "kmin": 0.0, "kmax": 124.486e3, "pmax": 0.01, "weight": 4.4326e-4},
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": 442,
                    "start_jitter": 0,
                    "congestion": {"kind": "newreno"},
                    "host": {"ecn": False},
                }
            ],
            "run": {"duration": 0.0313, "warmup": 0.0157, "mtu": 1500},
        }
    )
    # It stands about kmax, beyond which everything is dropped.
    assert found["queue_mean"] == pytest.approx(124.486e3, rel=0.02)
    assert 0.5 < found["drop_rate"] < 1.0
