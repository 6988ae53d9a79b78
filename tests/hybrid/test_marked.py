"""Fluid that is followed flow by flow under marks, beside packets. Figures and bounds: docs/hybrid-agreement.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.hybrid import coupled, simulate
from footroom.engines.hybrid.averaged import Averaged
from footroom.engines.hybrid.background import Background
from footroom.parts.marking.pi import Pi
from footroom.parts.marking.step import Step
from footroom.result import Result
from footroom.scenario import Scenario

STEP = {"kind": "step", "threshold": "65 packets"}
RACKS = {
    "kind": "leaf_spine",
    "leaves": 3,
    "spines": 2,
    "hosts_per_leaf": 6,
    "host_rate": "10 Gb/s",
    "fabric_rate": "10 Gb/s",
    "link_delay": "10 us",
}
LONGER = {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "3 ms"}
DUMBBELL = {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "1 ms"}


def scenario(
    fluid: bool = True,
    control: str = "dctcp",
    flows: int = 54,
    topology: dict[str, Any] | None = None,
    marking: dict[str, Any] | None = None,
    size: str = "12 kB",
    host: dict[str, Any] | None = None,
    duration: float = 0.2,
    **changes: Any,
) -> Scenario:
    """Long flows in racks under a step of 65 packets, and 5 % of transfers."""
    shared = {"congestion": {"kind": control}, "host": host or {}}
    return Scenario.parse(
        {
            "topology": topology or RACKS,
            "switch": {
                "buffer": "2 MB",
                "sharing": {"kind": "dynamic_threshold", "alpha": 1.0},
                "marking": marking or STEP,
            },
            "traffic": [
                {
                    "kind": "long_lived",
                    "flows": flows,
                    "start_jitter": duration / 20.0,
                    **shared,
                    **({"as": "fluid"} if fluid else {}),
                },
                {"kind": "poisson", "load": 0.05, "sizes": size, **shared},
            ],
            "run": {"duration": duration, "warmup": duration / 4.0, "mtu": "1500 B"},
            **changes,
        }
    )


def both(**given: Any) -> tuple[Result, Result]:
    return fr.run(scenario(False, **given), engine="packet"), fr.run(scenario(**given), engine="hybrid")


def agree(packets: Result, mixed: Result, buffer: float = 2e6) -> None:
    """Within the targets, and the engine says that they hold."""
    there, here = packets.metrics, mixed.metrics
    assert not {"utilisation", "queue_mean", "fct_p50", "fct_p99"} & set(mixed.outside)
    assert here["utilisation"] == pytest.approx(there["utilisation"], abs=0.02)
    assert here["queue_mean"] == pytest.approx(there["queue_mean"], abs=0.1 * buffer, rel=0.15)
    assert here["fct_p50"] == pytest.approx(there["fct_p50"], rel=0.1)
    assert here["fct_p99"] == pytest.approx(there["fct_p99"], rel=0.25)


def test_dctcp_in_racks_is_as_with_packets() -> None:
    packets, mixed = both()
    agree(packets, mixed)
    # The watched queues are short where nothing waits; their mean is that of packets to a few hundredths.
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], rel=0.1)


def test_dctcp_over_drop_tail_in_racks_loses_as_packets_do() -> None:
    """Without marks DCTCP answers losses as NewReno does (RFC 8257, section 3.4)."""
    packets, mixed = both(marking={"kind": "none"}, switch={"buffer": "300 kB"})
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["drop_rate"] == pytest.approx(packets.metrics["drop_rate"], rel=0.33)
    assert mixed.metrics["fct_p50"] == pytest.approx(packets.metrics["fct_p50"], rel=0.1)


@pytest.mark.parametrize("marking", [STEP, {"kind": "red", "kmin": "40 packets", "kmax": "160 packets", "pmax": 0.2}])
def test_flows_behind_one_bottleneck_are_followed_one_by_one(marking: dict[str, Any]) -> None:
    """The averaged equations used a step of NewReno's 12 points less."""
    packets, mixed = both(control="newreno", flows=16, topology=LONGER, marking=marking, size="3 kB", duration=4.0)
    assert mixed.metrics["utilisation"] == pytest.approx(packets.metrics["utilisation"], abs=0.02)
    assert mixed.metrics["queue_mean"] == pytest.approx(packets.metrics["queue_mean"], rel=0.15)
    assert not {"utilisation", "queue_mean"} & set(mixed.outside)


def test_arrivals_under_marks_are_as_with_packets() -> None:
    """All transfers of 100 kB at half the load as fluid, beside a few as packets."""
    found = []
    for fluid, engine in ((False, "packet"), (True, "hybrid")):
        control = {"congestion": {"kind": "dctcp"}}
        traffic = [
            {"kind": "poisson", "load": 0.7, "sizes": "100 kB", **control, **({"as": "fluid"} if fluid else {})},
            {"kind": "poisson", "load": 0.05, "sizes": "12 kB", **control},
        ]
        found.append(fr.run(scenario(topology=DUMBBELL, duration=4.0, traffic=traffic), engine=engine))
    packets, mixed = (each.metrics for each in found)
    assert mixed["utilisation"] == pytest.approx(packets["utilisation"], abs=0.02)
    assert mixed["queue_mean"] == pytest.approx(packets["queue_mean"], abs=0.1 * 2e6)


def test_the_first_mark_halves_a_window_and_later_ones_cut_by_their_share() -> None:
    """RFC 8257, section 3.3, with alpha 1 at first (section 4.2): the windows end near the path and the threshold."""
    environment, background = coupled(scenario(flows=2, topology=DUMBBELL, duration=2.0))
    assert isinstance(background, Background)
    environment.run()
    windows = background._flows[:, 0]
    product = 1e9 / 8.0 * 1e-3 / 1500.0
    assert windows.sum() == pytest.approx(product + 65.0, rel=0.2)


def test_few_flows_that_a_mark_halves_are_outside() -> None:
    few = fr.run(scenario(control="newreno", flows=3, topology=DUMBBELL, size="3 kB", duration=1.0), engine="hybrid")
    assert "3 flows are halved by marks" in few.outside["utilisation"]
    two = fr.run(scenario(flows=2, topology={**DUMBBELL, "rtt": "6 ms"}, size="3 kB", duration=2.0), engine="hybrid")
    assert "2 flows have a mean window" in two.outside["utilisation"]
    many = fr.run(scenario(control="newreno", flows=16, topology=LONGER, size="3 kB", duration=2.0), engine="hybrid")
    assert "utilisation" not in many.outside


@pytest.mark.parametrize(
    ("marking", "flows", "rtt", "why"),
    [
        ({"kind": "step", "threshold": "12 packets"}, 12, "2 ms", "Every packet is marked above 12 packets"),
        (STEP, 30, "1 ms", "cuts come in whole packets"),
        ({"kind": "red", "kmin": "60 packets", "kmax": "120 packets", "pmax": 0.2}, 12, "9 ms", "keep the gaps"),
    ],
)
def test_limits_of_the_fluid_hold_for_flows_that_marks_halve(
    marking: dict[str, Any], flows: int, rtt: str, why: str
) -> None:
    path = {**DUMBBELL, "rtt": rtt}
    found = fr.run(
        scenario(control="newreno", flows=flows, topology=path, marking=marking, size="3 kB", duration=2.0),
        engine="hybrid",
    )
    assert why in found.outside["utilisation"]


def test_acknowledgements_that_understand_no_marks_are_dropped_and_said() -> None:
    found = fr.run(scenario(control="newreno"), engine="hybrid")
    assert found.metrics["drop_rate"] > 0.0
    assert "Acknowledgements of NewReno and CUBIC" in found.outside["utilisation"]
    assert "utilisation" not in fr.run(scenario(), engine="hybrid").outside


def test_losses_beside_marks_are_outside() -> None:
    """Transfers of 500 kB overflow a buffer one and a half times as long as the threshold."""
    path = {**DUMBBELL, "rtt": "4 ms"}
    marking = {"kind": "step", "threshold": "100 packets"}
    switch = {"buffer": "220 kB", "marking": marking}
    found = fr.run(scenario(flows=20, topology=path, size="500 kB", duration=4.0, switch=switch), engine="hybrid")
    assert found.metrics["drop_rate"] > 0.0
    assert "bursts of flows that begin" in found.outside["drop_rate"]


def test_transfers_that_a_mark_may_halve_are_outside() -> None:
    """The first window is 10 packets."""
    assert "were cut by a mark" in fr.run(scenario(size="45 kB"), engine="hybrid").outside["fct_p50"]
    assert "fct_p50" not in fr.run(scenario(), engine="hybrid").outside


def test_windows_that_no_mark_has_cut_since_the_warm_up_measure_their_start() -> None:
    """Six flows of hundreds of packets: the first marks halve them, the next ones come after the run."""
    path = {"kind": "dumbbell", "bottleneck": "37 Gb/s", "access": "37 Gb/s", "rtt": "0.46 ms"}
    found = fr.run(
        scenario(
            topology=path,
            flows=6,
            size="200 kB",
            marking={"kind": "step", "threshold": "1.2 MB"},
            duration=0.06,
        ),
        engine="hybrid",
    )
    assert "heard of no mark after the warm-up" in found.outside["queue_mean"]


def test_hosts_whose_links_are_full_decide_what_others_get() -> None:
    star = {"kind": "star", "hosts": 4, "rate": "10 Gb/s", "rtt": "80 us"}
    found = fr.run(scenario(topology=star, flows=20), engine="hybrid")
    assert "hosts whose links are full" in found.outside["utilisation"]


def test_what_single_flows_do_not_see_is_left_to_the_averaged_equations() -> None:
    late = {"kind": "step", "threshold": "65 packets", "sample": "departure"}
    for given in ({"marking": late}, {"host": {"ecn": False}}):
        _, background = coupled(scenario(topology=DUMBBELL, flows=12, **given))
        assert isinstance(background, Averaged)
    _, background = coupled(scenario(topology=DUMBBELL, flows=12))
    assert isinstance(background, Background)


def test_a_controller_may_move_a_threshold_that_this_fluid_knows() -> None:
    environment, _ = coupled(scenario())
    environment.switch("leaf0").mark(Step(threshold=20e3))
    with pytest.raises(Unsupported, match="red and step only"):
        environment.switch("leaf0").mark(Pi(target=30e3))
    with pytest.raises(Unsupported) as refused:
        environment.switch("leaf0").mark(Step(threshold=20e3, sample="departure"))
    assert refused.value.path == "marker.sample"


def test_transfers_beside_long_flows_do_not_count_as_their_windows() -> None:
    """Sixteen NewReno flows of some 19 packets each, and hundreds of short transfers of fluid."""
    control = {"congestion": {"kind": "newreno"}, "as": "fluid"}
    traffic = [
        {"kind": "long_lived", "flows": 16, "start_jitter": "100 ms", **control},
        {"kind": "poisson", "load": 0.05, "sizes": "12 kB", **control},
        {"kind": "poisson", "load": 0.01, "sizes": "3 kB"},
    ]
    found = fr.run(scenario(topology=LONGER, duration=2.0, traffic=traffic), engine="hybrid")
    assert "utilisation" not in found.outside


def test_every_byte_is_accounted_for() -> None:
    environment, background = coupled(scenario())
    for k in range(1, 6):
        environment.run(until=0.03 * k)
        background.check_conservation()
    environment.simulation.check_conservation()
    assert isinstance(background, Background)
    assert (background._flows[:, 0] >= 1.0).all()
    assert np.isfinite(background._flows[:, 0]).all()


def test_the_same_seed_gives_the_same_run() -> None:
    first = simulate(scenario()).metrics
    assert simulate(scenario()).metrics == first
    assert simulate(scenario(), seed=2).metrics != first
