"""Pauses and lossless drops as a terminal shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from footroom.cli.pauses_text import pauses_text
from footroom.result import PriorityGroup

QUIET = PriorityGroup("switch", "h1>switch", 3, 0, 0.0, 0.0, 0, 40_000, 0, 37_500, None)
LOST = replace(
    QUIET, pause_frames=12, pause_time=5.6e-5, xoff_time=6e-5, drops=7, headroom_max=37_128, first_pause=1e-5
)


def text(*groups: PriorityGroup) -> str:
    documents: list[dict[str, Any]] = [group.to_dict() for group in groups]
    return pauses_text(documents)


def test_nothing_paused_is_said_in_a_sentence() -> None:
    assert text(QUIET) == "No switch sent a pause frame, and no packet of a lossless class was dropped."


def test_a_loss_names_class_port_switch_and_headroom() -> None:
    first, *rest = text(LOST, QUIET).splitlines()
    assert first == (
        "7 packets of lossless classes were dropped, 7 of them of class 3 from h1>switch at switch, which "
        "filled 37.13 kB of 37.5 kB headroom."
    )
    assert "12" in rest[2]
    assert "37.13 kB of 37.5 kB" in rest[2]


def test_pauses_of_a_whole_port_have_no_class() -> None:
    whole = replace(LOST, traffic_class=None)
    assert whole.to_dict()["class"] is None
    assert "port h1>switch at switch" in text(whole)
    assert "all (port)" in text(whole)


def test_many_groups_are_cut_short() -> None:
    assert "… and 8 more priority groups" in text(*[LOST] * 20)
