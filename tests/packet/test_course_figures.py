"""Figures of windows and timelines draw what was recorded, and say what to ask for where nothing was."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.result.figures import timeline
from footroom.result.recorded import TimelineDocument


def incast(**run: Any) -> fr.Result:
    """Twelve answers of 30 kB meet in a memory of 60 kB that marks above 6 kB."""
    return fr.run(
        {
            "topology": {"kind": "star", "hosts": 13, "rate": "10 Gb/s", "rtt": "40 us"},
            "switch": {"buffer": "60 kB", "marking": {"kind": "step", "threshold": "6 kB"}},
            "traffic": [
                {
                    "kind": "incast",
                    "degree": 12,
                    "size": "30 kB",
                    "start": "100 us",
                    "congestion": {"kind": "dctcp"},
                    "host": {"min_rto": "1 ms"},
                }
            ],
            "run": {"duration": "4 ms", "warmup": 0, **run},
        }
    )


def test_a_timeline_shows_every_step_and_marks_where_packets_were_lost() -> None:
    result = incast(timeline={"start": 0, "end": "2 ms", "step": "10 us"})
    assert result.timeline is not None
    queue = result.timeline["queues"][0]
    assert sum(queue["dropped"]) > 0
    assert sum(queue["marked"]) > 0
    drawn = {trace.name: trace for trace in result.timeline_figure().data}
    assert list(drawn["queue"].y) == queue["queue_max"]
    assert list(drawn["limit"].y) == queue["threshold"]
    assert list(drawn["free memory"].y) == queue["free_min"]
    for name, counted in (("drops", queue["dropped"]), ("marks", queue["marked"])):
        assert [y is not None for y in drawn[name].y] == [count > 0 for count in counted]
    assert max(drawn["queue"].y) <= 60_000


def test_panels_are_the_longest_queues_and_say_which() -> None:
    block = incast(timeline={"start": 0, "end": "1 ms", "step": "10 us"}).timeline
    assert block is not None
    two: TimelineDocument = {**block, "queues": [{**block["queues"][0], "class": klass} for klass in (1, 0)]}
    figure = timeline(two, queues=5)
    assert [note.text for note in figure.layout.annotations] == ["switch>h0, class 1", "switch>h0, class 0"]
    assert [note.text for note in timeline(block).layout.annotations] == ["switch>h0"]
    assert len(figure.data) == 2 * len(timeline(block).data)


def test_windows_without_a_drop_have_no_drop_rate() -> None:
    result = incast(series="100 us")
    assert result.series is not None
    port = result.series["ports"]["switch>h0"]
    utilisation, rates, longest = result.series_figure().data
    assert list(utilisation.y) == port["utilisation"]
    assert list(longest.y) == port["queue_max"]
    assert [y is None for y in rates.y] == [lost == 0 for lost in port["dropped"]]
    most = max(range(len(port["dropped"])), key=lambda i: port["dropped"][i])
    assert rates.y[most] == port["dropped"][most] / port["offered"][most] > 0


def test_nothing_recorded_says_what_to_ask_for() -> None:
    result = incast()
    with pytest.raises(InvalidInput, match=r"run\.timeline.*start, end and step"):
        result.timeline_figure()
    with pytest.raises(InvalidInput, match=r"run\.series.*length of a window"):
        result.series_figure()
