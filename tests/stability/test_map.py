"""Maps: every cell is the answer to its scenario."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest
from tests.stability.documents import TIMELY, dcqcn, red

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.document import StabilityDocument
from footroom.calculators.stability.grid import stability_map

FLOWS, RTT = "traffic.0.flows", "topology.rtt"


def single(document: dict[str, Any], flows: int, rtt: float) -> StabilityDocument:
    changed = copy.deepcopy(document)
    changed["traffic"][0]["flows"], changed["topology"]["rtt"] = flows, rtt
    return analyse(changed).to_dict()


@pytest.mark.parametrize("document", [dcqcn(2, 50e-6), TIMELY, red(1.25e-4)], ids=["dcqcn", "timely", "reno"])
def test_cells_are_single_answers(document: dict[str, Any]) -> None:
    low = 0.1 if document["traffic"][0]["congestion"]["kind"] == "newreno" else 20e-6
    found = stability_map(document, (FLOWS, [2, 10, 13]), (RTT, [low, 4.5 * low]), margins=True)
    assert found.phase_margin is not None
    for i, rtt in enumerate(found.y[1]):
        for j, flows in enumerate(found.x[1]):
            alone = single(document, int(flows), rtt)
            assert found.stable[i][j] == alone["stable"]
            assert found.queue[i][j] == pytest.approx(alone["fixed_point"]["queue"], rel=1e-12)
            assert found.growth[i][j] == pytest.approx(alone["rightmost"][0], rel=1e-6)
            if "phase_margin_deg" in alone:
                assert found.phase_margin[i][j] == pytest.approx(alone["phase_margin_deg"], abs=1e-6)
            else:
                assert found.phase_margin[i][j] is None


def test_border_of_dcqcn_lies_at_the_critical_delays() -> None:
    """Critical delays in microseconds: 85.57, 71.74, 64.68, 62.17, 62.47, 64.65 for 2, 4, 6, 8, 10, 12 flows."""
    critical = {2: 85.57, 4: 71.74, 6: 64.68, 8: 62.17, 10: 62.47, 12: 64.65}
    found = fr.stability.map(dcqcn(2, 50e-6), (FLOWS, list(critical)), (RTT, "60us:90us:lin31"))
    for j, expected in enumerate(critical.values()):
        verdict = [row[j] for row in found.stable]
        assert verdict == [rtt < expected * 1e-6 for rtt in found.y[1]]


def test_rows_may_be_asked_for_in_blocks() -> None:
    x, y = (FLOWS, "20:80:lin4"), (RTT, "100ms:400ms:log5")
    whole = stability_map(red(1.25e-4), x, y).to_dict()
    blocks = [stability_map(red(1.25e-4), x, y, rows=rows).to_dict() for rows in ((0, 2), (2, 5))]
    assert [block["first"] for block in blocks] == [0, 2]
    assert blocks[0]["y"] == whole["y"]
    for name in ("rightmost", "queue", "stable"):
        assert blocks[0][name] + blocks[1][name] == whole[name]


def test_cells_without_a_fixed_point_are_empty_and_say_why() -> None:
    found = stability_map(dcqcn(2, 50e-6), (FLOWS, [10, 20]), (RTT, [10e-6, 50e-6])).to_dict()
    assert found["stable"] == [[True, None], [True, None]]
    assert [row[1] for row in found["rightmost"]] == [None, None]
    ((reason, cells),) = found["reasons"].items()
    assert "no fixed point" in reason
    assert cells == [(0, 1), (1, 1)]
    assert "phase_margin_deg" not in found


def test_combinations_that_a_scenario_does_not_take_are_reasons() -> None:
    found = stability_map(
        dcqcn(2, 50e-6), ("switch.marking.kmin", ["10 kB", "300 kB"]), ("switch.marking.kmax", ["100 kB", "400 kB"])
    )
    assert found.stable[0] == (True, None)
    assert any("kmax must be above kmin" in reason for reason in found.reasons)
    assert found.stable[1][1] is not None


def test_a_map_as_table_and_figure() -> None:
    found = stability_map(red(1.25e-4), (FLOWS, "20:80:lin3"), (RTT, "100ms:400ms:log3"), margins=True)
    frame = found.to_frame()
    assert len(frame) == 9
    row = frame[(frame[FLOWS] == 50) & (frame[RTT] == 0.2)].iloc[0]
    assert row["stable"] == found.stable[1][1]
    assert row["phase_margin_deg"] == found.phase_margin[1][1]  # type: ignore[index]
    figure = found.figure()
    assert np.array(figure.data[0].z).shape == (3, 3)
    assert (figure.layout.xaxis.type, figure.layout.yaxis.type) == ("linear", "log")


@pytest.mark.parametrize(
    ("x", "y", "rows", "words"),
    [
        ((FLOWS, [2, 4]), (FLOWS, [2, 4]), None, "must differ"),
        (("switch.sharing.kind", ["complete"]), (RTT, [1e-5]), None, "numeric"),
        ((FLOWS, "2:64"), (RTT, [1e-5]), None, "two ends"),
        ((FLOWS, [2, 2]), (RTT, [1e-5]), None, "once"),
        ((FLOWS, []), (RTT, [1e-5]), None, "at least one"),
        ((FLOWS, [2.5]), (RTT, [1e-5]), None, "whole number"),
        (("traffic.7.flows", [2]), (RTT, [1e-5]), None, "0"),
        ((FLOWS, [2]), (RTT, [-1.0]), None, "at least"),
        ((FLOWS, "1:200:lin200"), (RTT, "1us:1ms:log200"), None, "at most"),
        ((FLOWS, [2]), (RTT, [1e-5]), (0, 2), "two indices"),
        ((FLOWS, [2]), (RTT, [1e-5]), (-1, 1), "two indices"),
    ],
)
def test_bad_maps_are_refused(x: Any, y: Any, rows: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        stability_map(dcqcn(2, 50e-6), x, y, rows=rows)


def test_growth_and_margin_change_sign_together() -> None:
    found = stability_map(dcqcn(2, 50e-6), (FLOWS, "2:14:lin7"), (RTT, "10us:150us:log12"), margins=True)
    assert found.phase_margin is not None
    for growths, margins in zip(found.growth, found.phase_margin, strict=True):
        for growth, margin in zip(growths, margins, strict=True):
            assert growth is not None
            assert margin is not None
            assert (growth < 0.0) == (margin > 0.0)
            assert math.isfinite(growth)
