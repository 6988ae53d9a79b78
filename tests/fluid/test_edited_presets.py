"""Limits of validity found by editing presets at random, and that packets differ there by more than is allowed."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr

STEP = {"kind": "step", "threshold": 40 * 1500.0}


def _asked(flows: int, path: float, buffer: float, spread: float, access: float = 10.0, **host: Any) -> dict[str, Any]:
    """NewReno flows over ``path`` packets each and 20 ms; buffer in packets."""
    rate = flows * path * 12_000.0 / 0.02
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": access * rate,
            "rtt": 0.02,
            "rtt_spread": spread,
        },
        "switch": {"buffer": 1500.0 * buffer},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": 0.3, "host": host}],
        "run": {"duration": 8.0, "warmup": 2.0, "mtu": 1500},
    }


def _gap(asked: dict[str, Any], metric: str = "utilisation") -> float:
    fluid, packet = (fr.run(asked, engine=engine).metrics[metric] for engine in ("fluid", "packet"))
    return fluid - packet


def test_widely_spread_round_trips_collide_in_larger_buffers() -> None:
    """2.3 sqrt(BDP) of buffer: inside with round trips spread by 20 %, not with 50 %."""
    narrow, wide = (_asked(60, 25, 90, spread) for spread in (0.2, 0.5))
    assert "utilisation" not in fr.run(narrow, engine="fluid").outside
    assert "meet in a buffer of 90" in fr.run(wide, engine="fluid").outside["utilisation"]
    assert _gap(wide) > 0.02 > abs(_gap(narrow))
    deep = fr.run(_asked(60, 25, 120, 0.5), engine="fluid")
    assert "utilisation" not in deep.outside


def test_many_flows_lose_at_different_times() -> None:
    """250 flows over 40 packets of path each and 4 packets of buffer: packets use more of the link."""
    many = _asked(250, 40, 1000, 0.2)
    found = fr.run(many, engine="fluid")
    assert "lose together" in found.outside["utilisation"]
    assert "lose together" in found.outside["queue_mean"]
    assert _gap(many) < -0.03
    assert "utilisation" not in fr.run(_asked(100, 40, 800, 0.2), engine="fluid").outside
    full = fr.run(_asked(250, 14, 1000, 0.2), engine="fluid")
    assert "queue_mean" in full.outside
    assert "utilisation" not in full.outside


@pytest.mark.parametrize(("flows", "marked"), [(2, False), (15, True)])
def test_marks_reach_paced_flows_at_once(flows: int, marked: bool) -> None:
    asked = _asked(flows, 200 / flows, 120, 0.2, pacing=True, ecn=True)
    asked["switch"]["marking"] = STEP
    assert ("evenly mixed" in fr.run(asked, engine="fluid").outside.get("utilisation", "")) == marked
    assert (_gap(asked) > 0.03) == marked
    asked["switch"]["marking"] = {"kind": "red", "kmin": 40 * 1500.0, "kmax": 110 * 1500.0, "pmax": 0.2}
    assert ("utilisation" in fr.run(asked, engine="fluid").outside) == marked


@pytest.mark.parametrize(("path", "first", "last", "ack_every"), [(8, 5, 22, 4), (15, 10, 40, 2), (40, 60, 180, 2)])
def test_red_reaches_small_paced_windows_at_once(path: float, first: float, last: float, ack_every: int) -> None:
    asked = _asked(7, path, 4 * last, 0.1, pacing=True, ecn=True, ack_every=ack_every)
    asked["switch"]["marking"] = {"kind": "red", "kmin": first * 1500.0, "kmax": last * 1500.0, "pmax": 0.2}
    marked = path < 40
    assert ("evenly mixed" in fr.run(asked, engine="fluid").outside.get("utilisation", "")) == marked
    assert (_gap(asked) > 0.03) == marked


def test_marks_beyond_the_buffer_leave_the_limits_of_drop_tail() -> None:
    """Every packet is acknowledged, which marks drops under drop-tail, and so under a step that is never reached."""
    asked = _asked(20, 40, 300, 0.2, ack_every=1)
    plain = fr.run(asked, engine="fluid").outside
    asked["switch"]["marking"] = {"kind": "step", "threshold": 400 * 1500.0}
    assert "drop_rate" in plain
    assert fr.run(asked, engine="fluid").outside == plain
    asked["switch"]["marking"] = {"kind": "red", "kmin": 300 * 1500.0, "kmax": 400 * 1500.0, "pmax": 0.2}
    assert fr.run(asked, engine="fluid").outside == plain


def test_equal_links_lock_many_flows_out_of_longer_paths() -> None:
    asked, faster = (_asked(20, 5.5, 282, 0.2, access) for access in (1.0, 2.0))
    for engine in ("theory", "fluid"):
        assert "keep the buffer full" in fr.run(asked, engine=engine).outside["drop_rate"]
        assert "keep the buffer full" not in fr.run(faster, engine=engine).outside.get("drop_rate", "")
    assert _gap(asked, "drop_rate") < 0.8 * _gap(faster, "drop_rate") - 1e-3


@pytest.mark.parametrize(("flows", "marked"), [(100, False), (250, True)])
def test_dctcp_of_the_smallest_windows_leaves_the_link_idle(flows: int, marked: bool) -> None:
    asked = _asked(flows, 570 / flows, 500, 0.2, ecn=True)
    asked["topology"] |= {"bottleneck": 1e10, "access": 1e10, "rtt": 6.84e-4}
    asked["switch"]["marking"] = {"kind": "step", "threshold": 66 * 1500.0}
    asked["traffic"][0] |= {"congestion": {"kind": "dctcp"}, "start_jitter": 0.01}
    asked["run"] |= {"duration": 0.25, "warmup": 0.05}
    assert ("utilisation" in fr.run(asked, engine="fluid").outside) == marked
    assert (_gap(asked) > 0.03) == marked


def test_drops_of_a_few_bbr_flows_beside_others_are_marked() -> None:
    asked = _asked(5, 200, 400, 0.0)
    asked["traffic"].append(asked["traffic"][0] | {"congestion": {"kind": "bbr"}})
    assert "which of them measured" in fr.run(asked, engine="fluid").outside["drop_rate"]
    asked["traffic"][1]["flows"] = 16
    assert "which of them measured" not in fr.run(asked, engine="fluid").outside.get("drop_rate", "")
