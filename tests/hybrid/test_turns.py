"""Windows of fluid that take turns to move grow as those that move every time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from footroom.engines.fluid.laws.flows import NET, THRESHOLD, WINDOW
from footroom.engines.hybrid import coupled, layout, moves
from footroom.engines.hybrid.background import Background
from footroom.scenario import Scenario


def scenario(flows: int, **changes: Any) -> Scenario:
    """Long flows on 1 Gb/s beside few packets."""
    return Scenario.parse(
        {
            "topology": {"kind": "dumbbell", "bottleneck": "1 Gb/s", "access": "10 Gb/s", "rtt": "20 ms"},
            "switch": {"buffer": "10 MB"},
            "traffic": [
                {"kind": "long_lived", "flows": flows, "as": "fluid", "start_jitter": "100 ms"},
                {"kind": "poisson", "load": 0.01, "sizes": 30e3},
            ],
            "run": {"duration": "6 s", "warmup": "1 s", "mtu": "1500 B"},
            **changes,
        }
    )


def background(one: Scenario, turns: bool, until: float, first: float | None = None) -> Background:
    """What has become of the fluid. first: window that flows begin to grow from beyond slow start."""
    environment, found = coupled(one)
    assert isinstance(found, Background)
    assert found._clock[layout.BY_TURNS] == 1.0
    found._clock[layout.BY_TURNS] = float(turns)
    if first is not None:
        found._flows[:, [WINDOW, NET, THRESHOLD]] = first
    environment.run(until=until)
    found.check_conservation()
    return found


def test_windows_that_nothing_cuts_are_the_same_within_what_grows_in_one_round_of_turns() -> None:
    """A round trip, in which windows grow by a packet, has thirty moves without a queue, and more with one."""
    one = scenario(30, switch={"buffer": "40 MB"})
    by_turns, together = (background(one, turns, 3.0, first=60.0)._flows[:, WINDOW] for turns in (True, False))
    assert together.min() > 100.0
    assert np.abs(by_turns - together).max() < 2.0 * moves.TURNS / 30.0
    assert (by_turns != together).any()


def test_losses_and_windows_are_those_of_windows_that_move_every_time() -> None:
    """Many cuts: the means of both are compared."""
    one = scenario(60, switch={"buffer": "300 kB"})
    by_turns, together = (background(one, turns, 6.0) for turns in (True, False))
    for column in (layout.LOST, layout.SENT):
        assert by_turns._flows[:, column].sum() == pytest.approx(together._flows[:, column].sum(), rel=0.1)


def test_every_route_is_visited_and_calm_ones_are_not_watched() -> None:
    found = background(scenario(40, switch={"buffer": "40 MB"}), True, 4.0)
    clock = found._clock
    age = 4.0 - found._flows[:, layout.MOVED]
    every = clock[layout.STEP] * max(clock[layout.EVERY], clock[layout.LONGEST])
    assert age.max() <= (moves.TURNS + 2) * every
    assert clock[layout.WATCHED_COUNT] == found._routes[:, layout.WATCHED].sum()
