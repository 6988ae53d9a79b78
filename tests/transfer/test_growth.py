"""How windows of transfers grow after a loss: the curve of RFC 9438 by hand, and beside packets."""

from __future__ import annotations

import numpy as np
import pytest

import footroom as fr
from footroom.formulas.transfer.growth import Additive, CubicClimb, Growth, Values

ONE = np.zeros(1, np.int64)
NEVER = np.zeros(1, bool)


def course(law: Growth, lost: list[float], trip: float, seconds: float, window: float) -> list[float]:
    """Windows round trip by round trip after losses at these windows."""
    memory = law.memory(1)
    for at in lost:
        law.lose(memory, ONE, np.array([at]), NEVER)
    found: Values = np.array([window])
    windows = []
    for k in range(round(seconds / trip)):
        found = law.grow(memory, ONE, found, found, np.array([k * trip]))
        windows.append(float(found[0]))
    return windows


def test_newreno_adds_a_packet_per_window() -> None:
    assert course(Additive(), [40.0], 0.1, 1.0, 20.0)[-1] == pytest.approx(30.0)


def test_cubic_is_back_where_it_lost_after_k() -> None:
    """K(100) is 4.2172 s (RFC 9438, section 4.2), and 2 s later C 2^3 = 3.2 packets above."""
    windows = course(CubicClimb(friendly=False), [100.0], 0.01, 7.0, 70.0)
    assert windows[0] == pytest.approx(70.0, abs=1e-6)
    assert windows[round(4.2172 / 0.01)] == pytest.approx(100.0, abs=1e-3)
    assert windows[round(6.2172 / 0.01)] == pytest.approx(103.2, abs=0.05)


def test_fast_convergence_lowers_the_plateau() -> None:
    windows = course(CubicClimb(friendly=False), [120.0, 100.0], 0.01, 4.0, 70.0)
    half = (15.0 / 0.4) ** (1.0 / 3.0)  # from 70 to 85 packets
    assert windows[round(half / 0.01)] == pytest.approx(85.0, abs=1e-3)


@pytest.mark.parametrize(("steepens", "late"), [(False, 9.0 / 17.0), (True, 1.0)])
def test_the_reno_friendly_line_where_it_is_faster(steepens: bool, late: float) -> None:
    windows = course(CubicClimb(steepens=steepens), [100.0], 0.01, 1.0, 70.0)
    assert windows[40] - windows[20] == pytest.approx(20.0 * 9.0 / 17.0)
    assert windows[90] - windows[70] == pytest.approx(20.0 * late)


def test_transfers_under_cubic_take_as_long_as_among_packets() -> None:
    """20 flows, 100 Mb/s, 40 ms spread by a fifth, one product: probes in packets take 1.18 s at the median."""
    asked = {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": "100 Mb/s",
            "access": "1 Gb/s",
            "rtt": "40 ms",
            "rtt_spread": 0.2,
        },
        "switch": {"buffer": "500 kB"},
        "traffic": [{"kind": "long_lived", "flows": 20, "congestion": {"kind": "cubic"}}],
        "run": {"duration": "60 s", "warmup": "10 s", "transfer": "1 MB"},
    }
    for engine in ("theory", "fluid"):
        found = fr.run(asked, engine=engine)
        assert found.metrics["transfer_p50"] == pytest.approx(1.178, rel=0.25)
        assert "transfer_p50" not in found.outside
        assert any("CUBIC flow" in note for note in found.notes)
