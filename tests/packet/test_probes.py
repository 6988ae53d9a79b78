"""Probe transfers: their completion times are right, and the load hardly notices them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.packet.scenarios import dumbbell

from footroom.base.errors import Unsupported
from footroom.engines import packet, reference
from footroom.engines.plan import build_plan
from footroom.result import combine
from footroom.result.transfer import Transfers, transfer_metrics
from footroom.scenario import Scenario


def scenario(run: dict[str, Any], **changes: Any) -> Scenario:
    return Scenario.parse(dumbbell(run={"duration": "2 s", "warmup": "500 ms", **run}, **changes))


def test_a_transfer_that_fits_the_initial_window_takes_a_round_trip_and_its_transmission() -> None:
    quiet = [
        {"kind": "long_lived", "flows": 1, "start": "1.99 s", "start_jitter": 0, "host": {"jitter": 0, "ack_every": 1}}
    ]
    run = packet.simulate(build_plan(scenario({"transfer": 7 * 1448, "probe_share": 0.01}, traffic=quiet)))
    assert run.transfers is not None
    assert run.transfers.unfinished == 0
    # Seven packets leave the bottleneck back to back; the last one and its acknowledgement also cross the hosts' links.
    data, ack = 8 * 1500, 8 * 64
    expected = 0.01 + 7 * data / 1e8 + ack / 1e8 + 2 * (data + ack) / 1e9
    assert run.transfers.times == pytest.approx([expected] * len(run.transfers.times), abs=1e-9)
    assert len(run.transfers.times) == int(0.01 * 1e8 * 0.8 * 1.5 / (8 * 7 * 1500))


def test_both_packet_engines_see_the_same_probes_and_leave_them_out_of_the_load() -> None:
    plan = build_plan(
        scenario(
            {"duration": "6 s", "transfer": "30 kB", "probe_share": 0.02},
            topology={"bottleneck": "20 Mb/s"},
            switch={"buffer": "10 packets"},
        )
    )
    ours, theirs = packet.simulate(plan), reference.simulate(plan)
    assert ours.transfers is not None
    assert ours.transfers.times
    assert ours.transfers == theirs.transfers
    assert ours.metrics["drop_rate"] > 0.0
    assert ours.offered == theirs.offered
    for name in ("drop_rate", "goodput", "retransmissions", "timeouts", "fairness"):
        assert ours.metrics[name] == pytest.approx(theirs.metrics[name], rel=1e-12)
    assert "fct_mean" not in ours.metrics


def test_the_load_keeps_its_flows_and_hardly_notices_the_probes() -> None:
    def runs(share: float | None) -> dict[str, tuple[float, float]]:
        found = [
            packet.simulate(
                build_plan(
                    scenario(
                        {"duration": "6 s", "warmup": "1 s", "transfer": "10 kB", "probe_share": share},
                        topology={"rtt_spread": 0.2},
                    ),
                    seed,
                )
            )
            for seed in range(1, 7)
        ]
        return combine(found).intervals

    without, beside = runs(None), runs(0.01)
    for name in ("drop_rate", "utilisation", "queue_mean"):
        assert without[name][0] <= beside[name][1], name
        assert beside[name][0] <= without[name][1], name


def test_probes_change_nothing_about_the_load_that_is_drawn() -> None:
    document = {
        "topology": {"rtt_spread": 0.3},
        "traffic": [{"kind": "long_lived", "flows": 3}, {"kind": "poisson", "load": 0.2, "sizes": "20 kB"}],
    }
    plain = build_plan(scenario({}, **document))
    probed = build_plan(scenario({"transfer": "10 kB", "probe_share": 0.01}, **document))
    load = ~probed.probing
    for name in ("flow_start", "flow_bytes", "flow_rtt", "flow_source", "flow_stack", "flow_priority"):
        assert np.array_equal(getattr(plain, name), getattr(probed, name)[load]), name
    # One round trip for all probes: the topology's own, whatever the load's pairs have.
    assert set(probed.flow_rtt[~load].tolist()) == {10**10}
    assert np.array_equal(probed.port_seed[: plain.ports], plain.port_seed)


def test_percentiles_of_all_replicas_together_with_the_interval_of_order_statistics() -> None:
    found = [packet.simulate(build_plan(scenario({"transfer": "10 kB", "probe_share": 0.01}), seed)) for seed in (1, 2)]
    whole = combine(found)
    times = sorted(time for one in found if one.transfers is not None for time in one.transfers.times)
    assert whole.metrics["transfer_p50"] == times[math.ceil(len(times) / 2) - 1]
    low, high = whole.intervals["transfer_p50"]
    assert times[0] <= low < whole.metrics["transfer_p50"] < high <= times[-1]
    assert "transfer_p99" not in whole.metrics
    assert any("transfer_p99 needs 368 probes" in note for note in whole.notes)


def test_a_percentile_without_an_interval_is_not_given() -> None:
    # Of six transfers all lie on one side of the median with probability 2/64: their range is the interval.
    metrics, intervals, _ = transfer_metrics(Transfers(1e4, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
    assert intervals == {"transfer_p50": (1.0, 6.0)}
    assert metrics == {"transfer_p50": 3.0}
    assert transfer_metrics(Transfers(1e4, (1.0, 2.0, 3.0, 4.0, 5.0)))[0] == {}
    enough = tuple(float(i) for i in range(1, 369))
    metrics, intervals, _ = transfer_metrics(Transfers(1e4, enough))
    assert metrics["transfer_p99"] == 365.0
    assert intervals["transfer_p99"][1] == 368.0
    # A transfer that had not ended was longer than all others, by how much nobody knows.
    metrics, _, notes = transfer_metrics(Transfers(1e4, enough, unfinished=1))
    assert "transfer_p99" not in metrics
    assert any("had not ended" in note for note in notes)


def test_what_has_no_room_or_no_bottleneck_is_said() -> None:
    plan = build_plan(scenario({"transfer": "100 MB", "probe_share": 0.02}))
    assert not plan.probing.any()
    assert any("less than a transfer" in note for note in plan.notes)
    assert combine([packet.simulate(plan)]).metrics.keys().isdisjoint({"transfer_p50", "transfer_p99"})
    with pytest.raises(Unsupported, match="one bottleneck"):
        build_plan(
            Scenario.parse(
                {
                    "topology": {"kind": "leaf_spine"},
                    "switch": {"buffer": "1 MB"},
                    "traffic": [{"kind": "poisson", "load": 0.2, "sizes": "20 kB"}],
                    "run": {"probe_share": 0.01},
                }
            )
        )
