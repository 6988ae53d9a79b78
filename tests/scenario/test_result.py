from __future__ import annotations

import json
import math
from typing import Any

import pytest

from footroom.result import METRICS, Result, combine


def result(seed: int = 1, offered: int = 1000, **metrics: float) -> Result:
    return Result("packet", {"name": "x"}, seed, 0.5, metrics, notes=(f"note {seed % 2}",), offered=offered)


@pytest.mark.parametrize("metrics", [{"utilisation": math.nan}, {"utilisation": math.inf}, {"speed": 1.0}])
def test_a_result_holds_known_finite_metrics_only(metrics: Any) -> None:
    with pytest.raises(ValueError, match="known metric and finite"):
        result(**metrics)


def test_the_mean_of_replicas_with_students_interval() -> None:
    whole = combine([result(1, queue_mean=1.0), result(2, queue_mean=2.0), result(3, queue_mean=6.0)])
    assert whole.metrics["queue_mean"] == pytest.approx(3.0)
    # t(0.975, 2) = 4.3027; s = sqrt(7); half = 4.3027 * sqrt(7/3) = 6.5725
    assert whole.intervals["queue_mean"] == pytest.approx((0.0, 9.5725), abs=1e-3)
    assert (whole.replicas, whole.offered, whole.wall_s, whole.seed) == (3, 3000, 1.5, 1)
    assert whole.notes == ("note 1", "note 0")


def test_intervals_stay_within_what_is_possible() -> None:
    whole = combine([result(1, utilisation=0.5, drop_rate=0.0), result(2, utilisation=1.0, drop_rate=0.5)])
    assert whole.intervals["utilisation"] == (0.0, 1.0)
    assert whole.intervals["drop_rate"] == (0.0, 1.0)


def test_a_metric_that_some_replica_lacks_is_absent() -> None:
    assert set(combine([result(1, fct_p99=1.0, marks=1.0), result(2, marks=1.0)]).metrics) == {"marks"}


@pytest.mark.parametrize(("count", "upper"), [(1, 0.003), (3, 0.001)])
def test_no_drop_seen_has_the_rule_of_three(count: int, upper: float) -> None:
    whole = combine([result(seed, drop_rate=0.0) for seed in range(count)])
    assert whole.metrics["drop_rate"] == 0.0
    assert whole.intervals["drop_rate"] == pytest.approx((0.0, upper))


def test_few_packets_prove_little() -> None:
    assert combine([result(1, offered=2, drop_rate=0.0)]).intervals["drop_rate"] == (0.0, 1.0)
    assert combine([result(1, offered=0, drop_rate=0.0)]).intervals == {}


def test_one_run_has_no_interval_of_its_own() -> None:
    assert combine([result(1, utilisation=0.5)]).intervals == {}


def test_the_public_shape() -> None:
    document = combine([result(1, utilisation=0.5), result(2, utilisation=0.6)]).to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"engine", "scenario", "seed", "wall_s", "metrics", "intervals", "provenance"} <= set(document)
    assert document["provenance"]["schema"] == 1
    assert isinstance(document["intervals"]["utilisation"], list)


def test_a_frame_and_a_figure_show_all_metrics() -> None:
    whole = combine([result(1, utilisation=0.5, drop_rate=0.0)])
    frame = whole.to_frame()
    assert list(frame.index) == ["utilisation", "drop_rate"]
    assert frame.loc["drop_rate", "high"] == pytest.approx(0.003)
    assert list(whole.figure().data[0].cells.values[0]) == ["utilisation", "drop_rate"]


def test_every_metric_has_a_unit_and_a_meaning() -> None:
    assert all(unit and meaning for unit, meaning in METRICS.values())


def test_a_number_outside_the_models_validity_says_why() -> None:
    unsure = Result(
        "fluid", {}, 1, 0.0, {"utilisation": 0.9, "drop_rate": 0.1}, outside={"utilisation": "too few packets"}
    )
    document = combine([unsure, Result("fluid", {}, 2, 0.0, {"utilisation": 0.8, "drop_rate": 0.1})]).to_dict()
    assert document["outside_validity"] == {"utilisation": "too few packets"}
    with pytest.raises(ValueError, match="has no value"):
        Result("fluid", {}, 1, 0.0, {}, outside={"utilisation": "no such number"})
