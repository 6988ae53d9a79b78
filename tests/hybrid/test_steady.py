"""Quantiles of completion times that do not depend on how many transfers lose packets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footroom.engines.hybrid import steady
from footroom.engines.packet.completed import Transfers


def holds(
    monkeypatch: pytest.MonkeyPatch, name: str, hit: int, waited: int, *, slow: float = 5.0, sizes: int = 1
) -> bool:
    """Of 1000 transfers of 1 s, ``hit`` take ``slow`` s, of which ``waited`` waited for a timeout and take 50 s."""
    times = np.ones(1000)
    times[:hit], times[:waited] = slow, 50.0
    which = np.arange(1000)
    flows = np.zeros(1000, [("dropped", "i8"), ("timeouts", "i8")])
    flows["dropped"][:hit], flows["timeouts"][:waited] = 1, 1
    found = Transfers(which, 1000 * (1 + which % sizes), np.zeros(1000), times)
    monkeypatch.setattr(Transfers, "of_flows", lambda *_: found)
    environment: Any = SimpleNamespace(
        simulation=SimpleNamespace(tables=SimpleNamespace(flows=flows)), plan=SimpleNamespace(warmup=0)
    )
    return steady.holds(environment, name)


@pytest.mark.parametrize(
    ("name", "hit", "waited", "expected"),
    [
        ("fct_p99", 50, 0, True),  # 2.5 or 10 % might be: the quantile is one of theirs
        ("fct_p99", 15, 0, False),  # with 0.7 % it is not
        ("fct_p99", 3, 0, True),  # nor is it with 0.6 or 0.15 %
        ("fct_p99", 50, 8, False),  # 1.6 % might wait for a timeout
        ("fct_p99", 50, 30, True),
        ("fct_p50", 350, 0, False),  # 52 % might be
        ("fct_p50", 300, 0, True),
        ("fct_p50", 600, 0, False),  # it matters how much each loses
        ("slowdown_p99", 50, 0, True),
    ],
)
def test_a_quantile_holds_where_twice_or_half_as_many_losses_leave_it(
    monkeypatch: pytest.MonkeyPatch, name: str, hit: int, waited: int, expected: bool
) -> None:
    assert holds(monkeypatch, name, hit, waited) == expected


def test_a_quantile_may_move_by_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    assert holds(monkeypatch, "fct_p99", 15, 0, slow=1.2)
    assert not holds(monkeypatch, "fct_p99", 15, 0, slow=1.4)


def test_slowdown_of_unlike_sizes_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not holds(monkeypatch, "slowdown_p99", 50, 0, sizes=2)
