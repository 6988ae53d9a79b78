"""Completion times by size and queues as results and a terminal show them."""

from __future__ import annotations

import numpy as np
import pytest

import footroom as fr
from footroom.cli.completions_text import completions_text, queues_text
from footroom.result.completions import Completed, stream_times


def test_sizes_are_told_apart_by_powers_of_two_of_1000_bytes() -> None:
    found = Completed(
        np.array([0, 1, 0, 1]),
        np.array([400, 4000, 4001, 8000]),
        np.array([1.0, 2.0, 3.0, 5.0]),
        np.array([1.0, 1.0, 1.0, 2.0]),
    ).by_size()
    assert [(row["above"], row["upto"], row["count"]) for row in found] == [
        (0.0, 1000.0, 1),
        (2000.0, 4000.0, 1),
        (4000.0, 8000.0, 2),
    ]
    assert found[2]["p50"] == 4.0
    assert found[2]["slowdown_p50"] == 2.75


def test_entries_have_their_rate_and_no_slowdown_where_none_was_measured() -> None:
    first, second = Completed(np.array([0, 2, 2]), np.array([1, 1, 1]), np.array([1.0, 2.0, 4.0])).by_entry(
        ["a", "b", "c"], span=0.5
    )
    assert (first["name"], first["rate"], first["slowdown_p99"]) == ("a", 2.0, None)
    assert (second["name"], second["rate"], second["mean"]) == ("c", 4.0, 3.0)


def test_a_query_begins_when_the_one_so_many_before_it_is_answered() -> None:
    begin, time = stream_times(np.array([1.0, 1.5, 4.0, 4.0]), 0.5, 2)
    assert begin.tolist() == [0.5, 0.5, 1.0, 1.5]
    assert time.tolist() == [0.5, 1.0, 3.0, 2.5]


@pytest.fixture(scope="module")
def both() -> dict[str, fr.Result]:
    raw = {
        "topology": {"kind": "star", "hosts": 4, "rate": "1 Gb/s", "rtt": "40 us"},
        "switch": {"buffer": "60 kB"},
        "traffic": [
            {"kind": "poisson", "name": "short", "load": 0.3, "sizes": "fb_keyvalue"},
            {"kind": "poisson", "name": "long", "load": 0.3, "sizes": "60 kB"},
        ],
        "run": {"duration": "30 ms", "warmup": "5 ms"},
    }
    return {engine: fr.run(raw, engine) for engine in ("packet", "reference")}


def test_queues_of_both_packet_engines_agree_within_a_bin_of_the_histogram(both: dict[str, fr.Result]) -> None:
    packet, reference = (both[engine].queue_distribution for engine in ("packet", "reference"))
    assert packet is not None
    assert reference is not None
    assert packet["share"] == reference["share"]
    for mine, exact in zip(packet["queues"], reference["queues"], strict=True):
        assert mine["port"] == exact["port"]
        assert mine["bytes"] == sorted(mine["bytes"])
        # Queues are multiples of packets, and a quantile may fall on either side of a step at the very share.
        close = [abs(a - b) <= 0.008 * b + 1.0 for a, b in zip(mine["bytes"], exact["bytes"], strict=True)]
        assert sum(close) >= len(close) - 3
        assert mine["bytes"][-1] == exact["bytes"][-1] > 0.0
    everywhere, busiest = packet["queues"]
    assert everywhere["port"] == "all"
    assert sum(busiest["bytes"]) > sum(everywhere["bytes"])


def test_a_terminal_shows_them(both: dict[str, fr.Result]) -> None:
    result = both["packet"]
    text = completions_text(result.completions or (), result.completions_by_size or ())
    assert "short" in text
    assert "32 kB to 64 kB" in text
    assert "slowdown, p99" in text
    assert result.queue_distribution is not None
    assert "all watched ports" in queues_text(result.queue_distribution)
    assert "0.99 of the time" in queues_text(result.queue_distribution)
