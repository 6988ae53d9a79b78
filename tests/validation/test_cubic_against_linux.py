"""Packets, fluid and theory against Linux's CUBIC at a drop-tail bottleneck, as recorded in data/linux-cubic.json."""

from __future__ import annotations

import pytest
from tests.validation.cases import Case, cases

import footroom as fr
from footroom.result import Result

#: Points of utilisation, factor between drop rates, share of the buffer between mean queues.
BOUNDS = {"packet": (0.02, 1.5, 0.1), "fluid": (0.03, 1.4, 0.1), "theory": (0.05, 1.6, 0.2)}
#: A pause of the measuring machine that overflows the buffer is an event of the machine, not of TCP.
LINUX = [case for case in cases("linux-cubic.json") if case.sound]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.label.replace(" ", "-")) for case in LINUX])
@pytest.mark.parametrize("engine", BOUNDS)
def test_engines_do_what_linux_does(case: Case, engine: str) -> None:
    found: Result = fr.run(case.scenario(probes=True), engine=engine)
    points, factor, share = BOUNDS[engine]
    metrics, outside = found.metrics, found.outside
    if "utilisation" not in outside:
        assert metrics["utilisation"] == pytest.approx(case.utilisation, abs=points)
    if "drop_rate" not in outside:
        # The half-width of the 95 % interval of the one run counts too.
        least, most = (case.drop_rate + side * case.drop_rate_error for side in (-1.0, 1.0))
        assert least / factor < metrics["drop_rate"] < most * factor
    if "queue_mean" not in outside:
        assert metrics["queue_mean"] / 1500.0 == pytest.approx(case.queue_mean, abs=share * case.buffer + 1.0)


def test_most_cases_are_inside_the_validity_of_every_engine() -> None:
    for engine in ("fluid", "theory"):
        inside = [case for case in LINUX if "drop_rate" not in fr.run(case.scenario(), engine=engine).outside]
        assert len(inside) >= 0.6 * len(LINUX)
