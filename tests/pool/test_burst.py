"""Bursts against a switch that handles every packet by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footroom.calculators.pool.burst import absorb
from footroom.calculators.pool.incast import exponent_for, smallest_alpha
from footroom.calculators.pool.thresholds import Queues

PACKET = 100
GBPS = 100e9


def emulate(memory: int, alpha: float, ratio: int, congested: Sequence[tuple[float, int]], bursting: int) -> int:
    """Bytes of a burst that arrive before its first packet finds its queue at the threshold, one packet at a time.

    Every queue drains one packet each time step; the burst brings ``ratio`` packets a step, dealt out to its queues in
    turn, which share one drain. Congested queues are offered a packet whenever one would be accepted. The threshold is
    computed anew for every packet.
    """
    others: list[list[float]] = [[a, 0.0] for a, n in congested for _ in range(n)]
    queues = [0] * bursting

    def threshold(a: float) -> float:
        return a * (memory - sum(queues) - sum(q for _, q in others))

    def feed() -> None:
        accepted = True
        while accepted:
            accepted = False
            for other in others:
                if other[1] + PACKET <= threshold(other[0]):
                    other[1] += PACKET
                    accepted = True

    def drain() -> None:
        for other in others:
            other[1] = max(0.0, other[1] - PACKET)

    feed()
    settled: list[list[float]] = []
    while settled != others:  # those that came to hold too much while memory was free give it back
        settled = [[*other] for other in others]
        drain()
        feed()
    arrived = turn = leaving = 0
    while True:
        for _ in range(ratio):
            if queues[turn] + PACKET > threshold(alpha):
                return arrived
            queues[turn] += PACKET
            arrived += PACKET
            turn = (turn + 1) % bursting
        for _ in range(bursting):  # the queue that is due leaves; an empty one is passed over
            leaving = (leaving + 1) % bursting
            if queues[leaving]:
                queues[leaving] -= PACKET
                break
        drain()
        feed()


@pytest.mark.parametrize(
    ("alpha", "ratio", "congested", "bursting"),
    [
        (1.0, 2, [], 1),
        (8.0, 5, [], 1),
        (0.0625, 10, [], 1),
        (1.0, 2, [(1.0, 1)], 1),  # the other follows its threshold down
        (1.0, 8, [(1.0, 3)], 1),  # the others cannot drain so fast
        (8.0, 16, [(8.0, 2)], 1),
        (0.5, 12, [(8.0, 2), (0.125, 4)], 1),  # one kind follows, the other does not
        (0.125, 16, [(0.125, 2)], 15),
        (0.125, 8, [(8.0, 1)], 4),
    ],
)
def test_a_packet_by_packet_switch_drops_at_the_same_byte(
    alpha: float, ratio: int, congested: list[tuple[float, int]], bursting: int
) -> None:
    memory = 2_000_000
    found = absorb(memory, alpha, ratio * GBPS, GBPS, [Queues("", n, a) for a, n in congested], bursting)
    assert found is not None
    # Whole packets: a queue stops up to one short of its threshold, and so does each of the others.
    slack = PACKET * (bursting + ratio + 2 * sum(n for _, n in congested)) * ratio / (ratio - 1)
    assert emulate(memory, alpha, ratio, congested, bursting) == pytest.approx(found.burst, abs=slack)
    assert slack < 0.1 * found.burst, "this case tells nothing"


def test_a_lone_queue_holds_its_fixed_point() -> None:
    found = absorb(9e6, 2.0, 2 * GBPS, GBPS)
    assert found is not None
    assert found.queue == pytest.approx(6e6)
    assert found.burst == pytest.approx(12e6)
    assert found.time == pytest.approx(12e6 * 8 / (2 * GBPS))


def test_a_burst_no_faster_than_the_port_never_fills_it() -> None:
    assert absorb(9e6, 2.0, GBPS, GBPS) is None


def test_a_slow_burst_ends_at_the_fixed_point_of_all() -> None:
    """When all follow, the end is the fixed point of n + 1 queues, whatever happened before."""
    found = absorb(1e7, 0.5, 1.5 * GBPS, GBPS, [Queues("", 3, 0.5)])
    assert found is not None
    assert found.queue == pytest.approx(0.5 * 1e7 / (1 + 4 * 0.5))
    assert found.left == pytest.approx([found.queue])


@given(st.floats(2.0**-8, 2.0**7), st.floats(1.1, 64.0), st.integers(0, 16), st.floats(2.0**-8, 2.0**7))
def test_nobody_holds_less_than_nothing(alpha: float, ratio: float, n: int, other: float) -> None:
    queues = [Queues("", n, other)]
    found = absorb(1e7, alpha, ratio * GBPS, GBPS, queues)
    assert found is not None
    held = found.queue + n * found.left[0]
    assert held <= 1e7 * (1 + 1e-9)
    assert found.queue == pytest.approx(alpha * (1e7 - held), rel=1e-6), "it stops at its own threshold"
    assert 0 <= found.left[0] <= found.before[0] + 1e-6
    assert found.burst - found.queue == pytest.approx(GBPS / 8 * found.time), "the rest has left"


@settings(max_examples=40)
@given(st.floats(1.5, 64.0), st.integers(0, 8), st.floats(1e3, 2e7), st.booleans())
def test_the_smallest_alpha_is_enough_and_less_is_not(ratio: float, n: int, burst: float, common: bool) -> None:
    def at(alpha: float) -> object:
        return absorb(1e7, alpha, ratio * GBPS, GBPS, [Queues("", n, alpha if common else 1.0)])

    found = smallest_alpha(burst, at)  # type: ignore[arg-type]
    if found.alpha is None:
        assert found.largest is not None
        assert found.largest < burst
        assert all(
            at(2.0 ** (i / 4)).burst <= found.largest * (1 + 1e-6)  # type: ignore[attr-defined]
            for i in range(-48, 49)
        )
    else:
        assert at(found.alpha).burst >= burst  # type: ignore[attr-defined]
        assert found.alpha == 2.0**-12 or at(found.alpha * 0.999).burst < burst  # type: ignore[attr-defined]


def test_exponents_of_a_switch() -> None:
    assert exponent_for(0.125) == -3
    assert exponent_for(0.1251) == -2
    assert exponent_for(1e-6) == -8
    assert exponent_for(128.0) == 7
    assert exponent_for(129.0) is None
