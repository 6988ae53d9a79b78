"""The packet engine against ns-3 where many hosts answer one, as recorded in data/ns3-incast.json."""

from __future__ import annotations

import pytest
from tests.validation.incasts import TIMEOUT, Incast, incasts

CLOSE = 0.15
FACTOR = 1.5


@pytest.mark.parametrize("case", [pytest.param(case, id=case.label) for case in incasts()])
def test_queries_take_as_long_and_collapse_at_the_same_degree(case: Incast) -> None:
    """Half of the queries beyond a certain degree, the first such one, wait for a timeout."""
    degrees = sorted(case.completion)
    theirs = next(degree for degree in degrees if case.theirs(degree) > TIMEOUT)
    ours = None
    for degree in degrees:
        found = case.ours(degree)
        if found > TIMEOUT:
            ours = degree
            break
        if degree < theirs:
            assert found == pytest.approx(case.theirs(degree), rel=CLOSE), degree
    assert ours is not None
    assert theirs / FACTOR <= ours <= theirs * FACTOR
