"""What a sender lets out in the round trip in which it reacts to a mark."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.packet.replay import FULL, LinesOf, both
from tests.packet.scenarios import dumbbell

from footroom.engines.plan import Plan, build_plan
from footroom.scenario import Scenario

#: A full packet on 100 Mb/s [ps]; packets above which the queue marks, and that path, link and queue then hold.
SLOT, STEP = 120 * 10**6, 90
WINDOW = 100e6 * 0.01 / 8 / FULL + 1 + STEP + 1


def kept_busy(recovery: str, law: str = "newreno", cut: str = "round_trip") -> Plan:
    """One flow whose window fills a path of 83 packets after a cut too: acknowledgements come at the link's pace."""
    traffic = {
        "kind": "long_lived",
        "flows": 1,
        "start_jitter": 0,
        "window": 85,
        "congestion": {"kind": law},
        "host": {"recovery": recovery, "mark_cut": cut, "jitter": 0},
    }
    marking = {"kind": "step", "threshold": STEP * FULL}
    run = {"duration": "2.4 s" if law == "newreno" else "4 s", "warmup": "0.5 s"}
    return build_plan(
        Scenario.parse(dumbbell(switch={"buffer": "500 packets", "marking": marking}, traffic=[traffic], run=run))
    )


def arrivals(lines_of: LinesOf, plan: Plan) -> list[float]:
    """When data reached the switch, in slots, from the half second on."""
    port = int(plan.watched[0])
    return [
        time / SLOT
        for time, what, where, _, ack, _ in lines_of(plan)
        if (what, where, ack) == ("arrival", port, 0) and time > plan.warmup
    ]


@both
@pytest.mark.parametrize(("law", "left"), [("newreno", 0.5), ("cubic", 0.7)])
def test_with_prr_a_cut_is_spread_over_the_round_trip(lines_of: LinesOf, law: str, left: float) -> None:
    """RFC 9937: of what arrives that part is sent which the new window is of the old one, from the first segment on.

    Every other slot brings an acknowledgement of two segments. Each lets at least one out, but for one or two at the
    end, which find as many under way as there are to be.
    """
    came = np.array(arrivals(lines_of, kept_busy("prr", law)))
    gaps = np.diff(came)
    assert max(gaps) <= 4.05
    assert (gaps > 2.05).sum() <= 2
    inside = np.searchsorted(came, came + WINDOW) - np.arange(len(came))
    whole = came < came[-1] - WINDOW
    begins = int(np.flatnonzero(whole)[np.argmin(inside[whole])])  # the round trip in which fewest were sent
    assert inside[begins] == pytest.approx(left * WINDOW, abs=3.0)
    half = np.searchsorted(came, came[begins] + WINDOW / 2) - begins
    assert half == pytest.approx(left * WINDOW / 2, abs=3.0)
    # Afterwards the link stays busy: one mark is one cut.
    later = (came > came[begins] + 1.1 * WINDOW) & (came < came[begins] + 2.1 * WINDOW)
    assert came[-1] > came[begins] + 2.1 * WINDOW
    assert later.sum() == pytest.approx(WINDOW, abs=4.0)


@both
@pytest.mark.parametrize(("recovery", "cut"), [("prr", "at_once"), ("sack", "round_trip"), ("newreno", "round_trip")])
def test_other_hosts_wait_until_the_window_fits(lines_of: LinesOf, recovery: str, cut: str) -> None:
    """RFC 3168 §6.1.2 halves the window at once, so half of it is acknowledged before the next segment leaves."""
    came = arrivals(lines_of, kept_busy(recovery, cut=cut))
    assert max(b - a for a, b in pairwise(came)) == pytest.approx(WINDOW / 2, abs=3.0)
