"""Waves that meet pauses as they begin and end: nothing is lost where the plan does not warn, and a cut is noticed."""

from __future__ import annotations

from collections import Counter

from tests.lossless.adversarial import enlarged, with_cut
from tests.lossless.timed import timed_fabric
from tests.validation.tools.lossless_fabrics import examine

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


def failed(sums: Counter[str]) -> list[str]:
    return [name for name in sums if name.startswith("FAILED")]


def test_no_wave_loses_a_packet_of_a_lossless_class() -> None:
    sums = examine(40, 0, None, 4, ("timed",))
    assert failed(sums) == []
    assert sums["lossless drops"] == 0
    assert sums["paused"] > 15


def test_a_third_of_the_insurance_is_overrun() -> None:
    """The same waves lose packets where headroom is smaller, so the test above can fail."""
    lost = 0
    for seed in (0, 1, 24, 27, 31, 43):
        raw = timed_fabric(seed)
        assert raw["switch"]["headroom"]["kind"] == "dynamic_shared"
        assert enlarged(raw) is not None
        cut = simulate(build_plan(Scenario.parse(with_cut(raw, 1 / 3))))
        lost += cut.metrics["lossless_drops"] > 0
    assert lost >= 4
