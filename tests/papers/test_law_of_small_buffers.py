"""What a shallow buffer loses follows from buffer·√n over the bandwidth-delay product: theory's law, found by packets.

Appenzeller, Keslassy, McKeown, "Sizing Router Buffers", SIGCOMM 2004. Cases of one number differ in round trip, flows
and window of each flow (by up to four times), so nothing but the number itself is the same. Large windows lose less,
most so where little is lost: by a factor of 1.0 to 1.6.
"""

from __future__ import annotations

from functools import cache

import pytest

from footroom import Scenario, run
from footroom.papers import cases, papers
from footroom.papers.catalogue import experiment_named

#: Buffer·√n over the bandwidth-delay product, and two cases that have it, windows of 31 to 125 packets.
SAME = {
    0.051: ("30 ms/4000/200", "60 ms/16000/200"),
    0.101: ("15 ms/4000/200", "30 ms/16000/200"),
    0.506: ("30 ms/4000/2000", "60 ms/16000/2000"),
    1.012: ("15 ms/4000/2000", "30 ms/16000/2000"),
}


@cache
def loss(case: str) -> float:
    """Share of capacity left idle, at 1 Gb/s; mean of three seeds."""
    document = cases.document(experiment_named("FB-EBB-LAW", papers()), case, "smoke")
    document["run"] |= {"replicas": 3}
    return 1.0 - run(Scenario.parse(document)).metrics["utilisation"]


@pytest.mark.parametrize("reach", SAME)
def test_what_has_the_same_number_loses_the_same(reach: float) -> None:
    some, others = (loss(case) for case in SAME[reach])
    assert 1 / 1.6 < some / others < 1.6


def test_the_loss_falls_as_the_number_grows() -> None:
    losses = [min(map(loss, SAME[reach])) for reach in sorted(SAME)]
    for smaller, larger in zip(sorted(SAME), sorted(SAME)[1:], strict=False):
        assert max(map(loss, SAME[larger])) < min(map(loss, SAME[smaller])), (smaller, larger)
    assert losses[0] > 5 * losses[-1]
