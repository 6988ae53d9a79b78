"""Slow start of CUBIC that ends before a loss, against what Linux's rule and RFC 9406 give by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom.engines.packet import Simulation
from footroom.engines.plan import SECOND, build_plan
from footroom.parts.congestion.cubic import Cubic
from footroom.parts.congestion.hystart import WORDS
from footroom.scenario import Scenario

_HYSTART = Cubic().scratch() - WORDS
_BASELINE = _HYSTART + 10


def document(rate: float = 20e6, rtt: float = 0.03, buffer: str = "1 MB", **host: Any) -> dict[str, Any]:
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 1e10, "rtt": rtt},
        "switch": {"buffer": buffer},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 1,
                "start_jitter": 0,
                "congestion": {"kind": "cubic"},
                "host": {"jitter": 0, "small_queue": None, **host},
            }
        ],
        "run": {"duration": 20, "warmup": 0},
    }


def steps(simulation: Simulation, step: float, until: float) -> Iterator[Any]:
    """The flow's row every ``step`` seconds."""
    while simulation.now < until * SECOND:
        simulation.run_until(simulation.now + round(step * SECOND))
        yield simulation.tables.flows[0]


def first_threshold(simulation: Simulation) -> float:
    """Threshold when slow start ends [segments]; nothing was lost until then."""
    for flow in steps(simulation, 0.001, 5.0):
        if flow["ssthresh"] < 1e18:
            assert flow["lost"] == flow["retransmissions"] == 0
            return float(flow["ssthresh"])
    raise AssertionError("slow start did not end")


@pytest.mark.parametrize(
    ("rate", "rtt", "pacing", "begun"), [(20e6, 0.03, False, 40), (40e6, 0.1, False, 320), (20e6, 0.03, True, 40)]
)
def test_a_train_of_acknowledgements_ends_slow_start(rate: float, rtt: float, pacing: bool, begun: int) -> None:
    """The first round whose segments take longer than (RTT + 1 ms)/2 to pass the link begins with ``begun``.

    The window has then grown by as many as were acknowledged in that time. With pacing the bound is RTT + 1 ms.
    """
    packet = 1500 * 8 / rate
    bound = (rtt + 0.001) / (1.0 if pacing else 2.0)
    threshold = first_threshold(
        Simulation(build_plan(Scenario.parse(document(rate, rtt, hystart="linux", ack_every=1, pacing=pacing))))
    )
    if pacing:  # trains are spread over the round trip, but a round that does not fill the path has gaps
        assert begun <= threshold <= 4.0 * rate * rtt / 12e3
    else:
        assert threshold == pytest.approx(begun + bound / packet, abs=4.0)


def test_delays_end_slow_start_where_acknowledgements_are_too_far_apart_for_a_train() -> None:
    """At 4 Mb/s segments are 3 ms apart: a round of which all trips are an eighth longer than the least ends it.

    That needs a queue of RTT/8 when the round begins, so the window has passed the path's 33 and at most doubled since.
    """
    threshold = first_threshold(Simulation(build_plan(Scenario.parse(document(4e6, 0.1, hystart="linux")))))
    assert 33 * 9 / 8 < threshold <= 4 * 33


def test_until_its_first_loss_the_window_then_grows_by_one_for_twenty_acknowledged() -> None:
    """Linux: one segment for 20 acknowledged; in its first second the cubic grows by less than a segment."""
    simulation = Simulation(build_plan(Scenario.parse(document(1e9, 0.1, buffer="50 MB", hystart="linux"))))
    start = first_threshold(simulation)
    una = int(simulation.tables.flows[0]["una"])
    for flow in steps(simulation, 0.1, simulation.now / SECOND + 1.0):
        assert flow["lost"] == 0
        assert flow["cwnd"] - start == pytest.approx((flow["una"] - una) / 20.0, rel=0.02, abs=2.0)


def test_conservative_slow_start_lasts_five_rounds_at_a_quarter_of_the_growth() -> None:
    """RFC 9406 §4.2: the round in which it begins counts, so it grows by 1.25 at least four and at most five times."""
    simulation = Simulation(build_plan(Scenario.parse(document(hystart="rfc9406", ack_every=1))))
    own = simulation.law_words(0)
    entered = 0.0
    for flow in steps(simulation, 0.0005, 5.0):
        if entered == 0.0 and own[_BASELINE] > 0.0:
            entered = float(flow["cwnd"])
        if flow["ssthresh"] < 1e18:
            break
    assert flow["lost"] == flow["retransmissions"] == 0
    # It begins when a round's trips exceed those before by 4 ms: the queue of a window of 80 on a path of 50.
    assert 50 < entered < 2 * 80
    assert 1.25**4 * 0.97 < flow["ssthresh"] / entered < 1.25**5 * 1.03


@pytest.mark.parametrize("hystart", ["linux", "rfc9406"])
def test_a_buffer_that_slow_start_would_overflow_stays_below_its_brim(hystart: str) -> None:
    """One bandwidth-delay product of buffer: doubling goes beyond it, HyStart does not; ``none`` loses a window."""

    def lost(choice: str) -> int:
        simulation = Simulation(build_plan(Scenario.parse(document(buffer="50 packets", hystart=choice))))
        simulation.run_until(round(0.6 * SECOND))
        return int(simulation.tables.flows[0]["dropped"])

    assert lost("none") > 20
    assert lost(hystart) < lost("none") / 2


def test_only_cubic_has_hystart_plus_plus() -> None:
    wrong = document(hystart="rfc9406")
    wrong["traffic"][0]["congestion"] = {"kind": "newreno"}
    with pytest.raises(InvalidInput, match="hystart"):
        Scenario.parse(wrong)
    wrong["traffic"][0]["host"] = {"profile": "linux"}  # Linux's has no effect on its Reno, as there
    Scenario.parse(wrong)
