"""The packet engine against Linux TCP Reno at the same drop-tail bottleneck, as recorded in data/linux-reno.json."""

from __future__ import annotations

import pytest
from tests.validation.cases import Case, cases

UTILISATION = 0.02
FACTOR = 1.5
RARE = 1e-3  # below, a run of Linux saw too few drops for a ratio

#: A pause of the measuring machine that overflows the buffer is an event of the machine, not of TCP.
LINUX = [case for case in cases("linux-reno.json") if case.sound]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.label.replace(" ", "-")) for case in LINUX])
def test_packet_engine_does_what_linux_does(case: Case) -> None:
    found = case.packet_engine()
    assert found["utilisation"] == pytest.approx(case.utilisation, abs=UTILISATION)
    if case.drop_rate > RARE:
        assert case.drop_rate / FACTOR < found["drop_rate"] < case.drop_rate * FACTOR
    assert found["queue_mean"] == pytest.approx(case.queue_mean, rel=0.15, abs=1.0)
