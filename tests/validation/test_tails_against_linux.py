"""Probes of lost tails against Linux, which sends them: many flows with small windows, as in data/linux-reno.json."""

from __future__ import annotations

import pytest
from tests.validation.cases import Case, cases

UTILISATION = 0.02
FACTOR = 1.5

#: Measured by a machine that kept up, and with enough probes for a ratio.
TAILS = [case for case in cases("linux-reno.json") if case.sound and case.tail_loss_probes > 100]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.label.replace(" ", "-")) for case in TAILS])
def test_probes_take_the_place_of_timeouts_as_in_linux(case: Case) -> None:
    without, found = case.packet_engine(), case.packet_engine(probes=True, seeds=case.probe_seeds)
    assert case.tail_loss_probes / 2 < found["tail_loss_probes"] < case.tail_loss_probes * 2
    assert abs(found["timeouts"] - case.timeouts) <= abs(without["timeouts"] - case.timeouts) / 4
    # The bottleneck stays what it is in Linux.
    assert found["utilisation"] == pytest.approx(case.utilisation, abs=UTILISATION)
    assert case.drop_rate / FACTOR < found["drop_rate"] < case.drop_rate * FACTOR
    assert found["queue_mean"] == pytest.approx(case.queue_mean, rel=0.15, abs=1.0)
