"""SIH, DSH and the IEEE budget against the values their sources print."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.formulas.headroom.link import Link
from footroom.formulas.headroom.schemes import Dsh, Ieee, Sih

G = 1e9


@pytest.mark.parametrize(
    ("link", "response_quanta", "headroom"),
    [
        (Link.of_delay(100 * G, 2e-6), None, 56_840),  # Shan et al., ICDCS 2023
        (Link.of_cable(100 * G, 300), None, 44_340),
        (Link.of_delay(100 * G, 1.5e-6), 394, 65_716),
        (Link.of_cable(40 * G, 300), None, 21_840),
        (Link.of_cable(10 * G, 300), None, 10_590),
        (Link.of_cable(400 * G, 300), None, 156_840),
    ],
)
@pytest.mark.parametrize("scheme", [Sih, Dsh])
def test_eta_has_its_published_values(scheme: Any, link: Link, response_quanta: float | None, headroom: int) -> None:
    assert scheme(response_quanta=response_quanta).budget(link).headroom == headroom


# Reverie's published ends, 43 % and 67 %, and the chips between: 8 queues, 1.5 µs.
@pytest.mark.parametrize(
    ("speed", "ports", "memory", "share"),
    [
        (10 * G, 48, 9 * 2**20, 0.431),
        (40 * G, 32, 12 * 2**20, 0.444),
        (100 * G, 32, 16 * 2**20, 0.677),
        (100 * G, 64, 42 * 2**20, 0.515),
        (400 * G, 32, 64 * 2**20, 0.598),
        (400 * G, 64, 113 * 2**20, 0.678),
    ],
)
def test_the_share_of_memory_that_independent_headroom_takes(
    speed: float, ports: int, memory: int, share: float
) -> None:
    found = Sih(ports=ports, queues=8, buffer=memory).budget(Link.of_delay(speed, 1.5e-6)).extra
    assert found["memory"]["share"] == pytest.approx(share, abs=0.0006)


def test_the_published_evaluation_of_dsh_leaves_four_times_the_shared_memory() -> None:
    """32×100G, 16 MiB, 2 µs, 3 KiB for each of 7 queues: 14.27 MB shared against 3.36 MB, 4.25 times."""
    link = Link.of_delay(100 * G, 2e-6)
    sharing = Dsh(ports=32, buffer=2**24).budget(link).extra["sharing"]
    independent = Sih(ports=32, buffer=2**24).budget(link).extra["memory"]["total"]
    assert independent == pytest.approx(12.73e6, abs=5e3)
    left = 2**24 - sharing["private"] - independent
    assert sharing["shared"] == pytest.approx(14.27e6, abs=5e3)
    assert left == pytest.approx(3.36e6, abs=5e3)
    assert sharing["shared"] / left == pytest.approx(4.25, abs=0.005)
    assert sharing["threshold"] == sharing["shared"] / 16
    assert sharing["queue_pause"] == sharing["threshold"] - 56_840
    assert sharing["port_pause"] == 7 * sharing["threshold"]


def test_insurance_that_does_not_fit_is_told_not_shown_as_a_negative_pool() -> None:
    budget = Dsh(ports=512, buffer=1e6).budget(Link.of_cable(100 * G, 300))
    assert "shared" not in budget.extra["sharing"]
    assert any("more than the 1000000 B there are" in note for note in budget.notes)


@pytest.mark.parametrize(
    ("speed", "values"),
    [
        (10 * G, (15_767, 16_204, 16_954, 19_454)),
        (25 * G, (16_884, 17_978, 19_853, 26_103)),
        (40 * G, (21_714, 23_464, 26_464, 36_464)),
        (100 * G, (52_041, 56_416, 63_916, 88_916)),
    ],
)
def test_the_line_by_line_budget_adds_up_as_restated(speed: float, values: tuple[int, ...]) -> None:
    found = [Ieee().budget(Link.of_cable(speed, cable)).headroom for cable in (5, 40, 100, 300)]
    assert found == list(values)


def test_the_lines_are_those_of_the_restated_budget_in_bits() -> None:
    budget = Ieee().budget(Link.of_cable(400 * G, 100, mtu=1500))
    bits = {line.name: 8 * line.bytes for line in budget.lines}
    assert bits["Own frame in progress"] == 73_888
    assert bits["PFC frame"] == 672
    assert bits["Peer's response"] == 463_360
    assert bits["Peer's frame in progress"] == 8 * 1500 + 160
    assert bits["Cable, there and back"] == 2 * 500e-9 * 400e9


@pytest.mark.parametrize(("speed", "quanta"), [(800 * G, 1810), (1600 * G, 3620)])
def test_the_response_at_the_fastest_speeds_is_that_of_shipped_tables_and_says_so(speed: float, quanta: int) -> None:
    """Spectrum-6 (800 Gb/s) and Micas' Tomahawk 6 (both) keep the 1158 ns of 400 Gb/s: see the tables' own tests."""
    budget = Ieee().budget(Link.of_cable(speed, 100))
    response = next(line for line in budget.lines if line.name == "Peer's response")
    assert response.bytes == 64 * quanta
    assert "Tomahawk 6" in response.source
    assert any(f"{quanta} quanta" in note and "the standard was not at hand" in note for note in budget.notes)
    assert not any("quanta" in note for note in Ieee(response_quanta=905).budget(Link.of_cable(speed, 1)).notes)


def test_a_speed_between_two_standards_takes_the_slower_answer_and_says_so() -> None:
    budget = Ieee().budget(Link.of_cable(5 * G, 10))
    assert any("no response time is defined for 5 Gb/s" in note for note in budget.notes)
    assert next(line.bytes for line in budget.lines if line.name == "Peer's response") == 60 * 64


def test_macsec_and_gearbox_add_their_frames_and_their_time_both_ways() -> None:
    link = Link.of_cable(100 * G, 300)
    plain, both = Ieee().budget(link), Ieee(macsec_overhead=32, macsec_delay=1e-6, gearbox_delay=400e-9).budget(link)
    assert both.headroom - plain.headroom == 3 * 32 + 2 * 12_500 + 2 * 5_000


@pytest.mark.parametrize(("speed", "doubted"), [(10 * G, False), (25 * G, True), (100 * G, True)])
def test_the_doubt_about_interface_delays_is_said_with_their_bytes(speed: float, doubted: bool) -> None:
    """At 10 Gb/s the restated 8192 bit times are none of those that look like one FEC sublayer's."""
    with_line = Ieee().budget(Link.of_cable(speed, 300))
    without = Ieee(interface_delay=0.0).budget(Link.of_cable(speed, 300))
    assert any(f"{with_line.headroom - without.headroom} B of the line" in note for note in with_line.notes) is doubted
    assert not any("FEC" in note for note in without.notes)
