"""Fragments for switches with a command line: headed as not validated, with their sources, and sums that add up."""

from __future__ import annotations

import re
from typing import Any

import pytest

from footroom.calculators.export.answer import Export
from footroom.calculators.export.interface import export

OPTIONS: dict[str, Any] = {
    "asic": "tomahawk4",
    "ports": "8x100G@40m,8x400G@300m",
    "lossless": "3,4",
    "kmin": "400 kB",
    "kmax": "1600 kB",
    "pmax": 0.2,
    "alpha_lossless": 0.125,
    "alpha_lossy": 8,
}
FILES = {"nxos": "nxos.txt", "eos": "eos.txt", "junos": "junos.txt"}


def text_of(target: str, **changes: Any) -> str:
    return export(target, **{**OPTIONS, **changes}).text(FILES[target])


def sonic(**changes: Any) -> Export:
    return export("sonic", **{**OPTIONS, **changes})


@pytest.mark.parametrize("target", FILES)
def test_the_head_says_that_nobody_has_loaded_it_and_where_the_syntax_is_from(target: str) -> None:
    made = export(target, **OPTIONS)
    head = [line for line in made.text(FILES[target]).splitlines() if line[0] in "!#"]
    assert "not validated on a device" in head[0]
    assert any("syntax: " in line and ("http" in line or "github.com" in line) for line in head)
    assert made.validation == {"schema": "not validated on a device"}
    assert any("not validated on a device" in warning for warning in made.warnings)


def test_nexus_buffers_are_threshold_plus_headroom_and_fit_the_chip() -> None:
    """All priority groups at their fixed threshold, and their headroom, are at most the chip's memory."""
    text = text_of("nxos")
    found = re.findall(r"pause buffer-size (\d+) pause-threshold (\d+) resume-threshold (\d+)", text)
    assert len(found) == 4  # two kinds of port, two priorities
    profiles = sonic().data("config_db.json")["BUFFER_PROFILE"]
    headroom = {int(row["xoff"]) for row in profiles.values() if "xoff" in row}
    assert {int(size) - int(threshold) for size, threshold, _ in found} == headroom
    assert all(int(resume) < int(threshold) for _, threshold, resume in found)
    assert 8 * sum(int(size) for size, _, _ in found) <= 113_620_296


def test_nexus_shares_of_bandwidth_add_up_to_100() -> None:
    shares = [int(share) for share in re.findall(r"bandwidth remaining percent (\d+)", text_of("nxos"))]
    assert (len(shares), sum(shares)) == (8, 100)


def test_nexus_marks_lossless_queues_only() -> None:
    text = text_of("nxos")
    assert (
        text.count(
            "random-detect minimum-threshold 400 kbytes maximum-threshold 1600 kbytes drop-probability 20 weight 0 ecn"
        )
        == 2
    )
    assert "pause pfc-cos 3" in text
    assert "pause pfc-cos 5" not in text
    assert "interface Ethernet1/1-8\n" in text


@pytest.mark.parametrize(("alpha", "written"), [(0.125, "1/8"), (1.0, "1"), (8.0, "8"), (2**-7, "1/128")])
def test_eos_writes_alpha_as_a_fraction(alpha: float, written: str) -> None:
    assert f"   ingress priority-group 3 threshold {written}\n" in text_of("eos", alpha_lossless=alpha)


def test_eos_knows_fewer_alphas_than_sonic_and_says_so() -> None:
    made = export("eos", **{**OPTIONS, "alpha_lossless": 64.0})
    assert any("the most that EOS takes" in warning for warning in made.warnings)
    assert not any("alpha of lossless" in warning for warning in sonic(alpha_lossless=64.0, asic="spectrum-4").warnings)


def test_eos_headroom_is_in_cells() -> None:
    profiles = sonic().data("config_db.json")["BUFFER_PROFILE"]
    widest = max(int(row["xoff"]) for row in profiles.values() if "xoff" in row)
    assert f"   ingress headroom cells {widest // 254}\n" in text_of("eos")
    pooled = sonic(over_subscribe_ratio=4).data("config_db.json")["BUFFER_POOL"]["ingress_lossless_pool"]
    assert f"platform trident mmu headroom-pool limit cells {int(pooled['xoff']) // 254}\n" in text_of(
        "eos", over_subscribe_ratio=4
    )


def test_junos_partitions_add_up_and_hold_the_headroom() -> None:
    text = text_of("junos")
    parts = dict(re.findall(r"shared-buffer ingress buffer-partition (\S+) percent (\d+)", text))
    assert sum(map(int, parts.values())) == 100
    profiles = sonic().data("config_db.json")["BUFFER_PROFILE"]
    headroom = 16 * sum(int(row["xoff"]) for row in profiles.values() if "xoff" in row)
    assert int(parts["lossless-headroom"]) >= 100 * headroom / 113_620_296 > int(parts["lossless-headroom"]) - 1
    egress = re.findall(r"shared-buffer egress buffer-partition \S+ percent (\d+)", text)
    assert sum(map(int, egress)) == 100


def test_junos_has_cables_code_points_and_thresholds() -> None:
    text = text_of("junos")
    assert "congestion-notification-profile FOOTROOM-300M input cable-length 300\n" in text
    assert "input dscp code-point 000011 pfc mru 1500\n" in text
    assert "buffer-partition lossless dynamic-threshold 4\n" in text  # 2^(4 − 7) = 1/8
    assert "buffer-partition lossy dynamic-threshold 10\n" in text
    assert text.count("explicit-congestion-notification\n") == 2


@pytest.mark.parametrize("target", FILES)
def test_a_lossy_switch_has_no_word_about_pauses(target: str) -> None:
    body = [line for line in text_of(target, lossless="").splitlines() if line[0] not in "!#"]
    assert not any(word in line for line in body for word in ("pfc", "no-drop", "priority-flow-control", "no-loss"))
    assert any("random-detect" in line or "drop-profiles" in line for line in body)
