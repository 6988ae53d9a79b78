"""BBR version 1 in packets against Linux, as recorded in data/linux-bbr.json; docs/bbr.md has all cases."""

from __future__ import annotations

import pytest
from tests.validation.bbr import BbrCase, cases
from tests.validation.tools.compare_bbr import missed

#: Cheap ones of each sort: alone, in small and deep buffers, beside others, with and without segmentation offload.
CHOSEN = [
    case
    for case in cases()
    if (case.name, case.buffer_bdp)
    in {
        ("N1", 0.05),
        ("N1", 0.25),
        ("N1", 1.0),
        ("N2", 0.5),
        ("N5", 1.0),
        ("N10", 0.5),
        ("N10", 1.0),
        ("N10", 4.0),
        ("N20", 0.25),
        ("N50", 0.25),
        ("cubic1", 1.0),
        ("cubic5", 4.0),
        ("reno1", 0.25),
        ("reno5", 1.0),
        ("later", 0.3),
        ("later", 1.0),
    }
    or (case.name == "fast" and case.offload and case.buffer_bdp < 1.0)
]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.name}-{case.buffer_bdp:g}-{number}") for number, case in enumerate(CHOSEN)]
)
def test_packets_do_what_linux_does(case: BbrCase) -> None:
    assert missed(case, case.packet_engine()) == []


def test_segmentation_offload_lets_ten_flows_share_more_evenly_and_drop_more() -> None:
    """In Linux as here: a burst of two meets a full buffer more often, and does not leave the link to one flow."""
    of: dict[bool, list[BbrCase]] = {
        offload: [case for case in cases() if case.name == "fast" and case.buffer == 33 and case.offload is offload]
        for offload in (False, True)
    }
    assert min(case.drop_rate for case in of[True]) > 1.2 * max(case.drop_rate for case in of[False])
    single, batches = (of[offload][0].packet_engine() for offload in (False, True))
    assert batches["drop_rate"] > single["drop_rate"]
    assert batches["fairness"] > 1.3 * single["fairness"]
