"""Figures from made-up answers: what is drawn is what was measured."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.papers.made_up import answer

from footroom.papers.figures import PLOTS, PaperFigure, draw
from footroom.papers.measures import NotMeasurableError
from footroom.papers.paper import FigureSpec


def drawn(plot: str, cases: dict[str, list[str]], **given: object) -> PaperFigure:
    known = {
        "A/1": answer("A/1", utilisation=[0.5, 0.7], dropped=[0, 10], delay=[0.0, 0.1], fct=[1.0, 2.0]),
        "B/1": answer("B/1", utilisation=[0.4, 0.6], dropped=[1, 0], delay=[0.2, 0.2], fct=[2.0, 4.0]),
    }

    def answers(patterns: tuple[str, ...]) -> list[object]:
        if patterns[0] not in known:
            raise NotMeasurableError("it was refused")
        return [known[name] for name in patterns]

    spec = FigureSpec.model_validate(
        {"id": "F", "title": "T", "source": "Fig. 1", "plot": plot, "experiment": "X", "cases": cases, "with": given}
    )
    figure = draw(spec, answers)  # type: ignore[arg-type]
    json.dumps(figure.to_dict(), allow_nan=False)
    return figure


def test_utilisation_over_time() -> None:
    (series,) = drawn("utilisation_over_time", {"A": ["A/1"]}, window=1.0).series
    assert (series.x, series.y) == ([0.5, 1.5], [0.5, 0.7])


def test_notes_name_what_lies_outside_an_engines_validity() -> None:
    beside = replace(answer("A/1", fct=[1.0]), outside={"fct_p99": "Bursts.", "fct_p50": "Bursts."})
    spec = FigureSpec.model_validate(
        {
            "id": "F",
            "title": "T",
            "source": "Fig. 1",
            "plot": "completion_cdf",
            "experiment": "X",
            "cases": {"A": ["A/1"]},
        }
    )
    assert draw(spec, lambda _: [beside]).notes == ("A: outside the validity of the engine are fct_p50, fct_p99",)
    assert draw(spec, lambda _: [answer("A/1", fct=[1.0])]).notes == ()


def test_round_trips() -> None:
    figure = drawn("rtt_distribution", {"A": ["A/1"]}, base=0.03)
    assert figure.kind == "cdf"
    assert figure.series[0].x == pytest.approx([0.03, 0.13])
    assert figure.series[0].y == [0.5, 1.0]
    by_case = drawn("rtt_by_case", {"B": ["B/1"]}, base=0.03, title="cards")
    assert by_case.series[0].y == pytest.approx([0.23])
    assert by_case.series[0].x == ["1"]


def test_windows_without_a_loss_have_no_place_on_a_logarithmic_axis() -> None:
    figure = drawn("drops_against_utilisation", {"A": ["A/1"]}, windows=[1.0, 0.0])
    assert figure.y.log
    assert [series.name for series in figure.series] == ["A, 1 s", "A, whole run"]
    assert (figure.series[0].x, figure.series[0].y) == ([0.7], [0.01])
    assert figure.series[1].x == pytest.approx([0.6])
    assert figure.series[1].y == [0.005]


def test_utilisation_by_load_has_intervals_around_it() -> None:
    (series,) = drawn("utilisation_by_load", {"A": ["A/1"]}).series
    assert series.y == pytest.approx([0.6])
    assert series.low[0] <= 0.6 <= series.high[0]


def test_loss_against_buffer_times_the_root_of_the_flows() -> None:
    figure = drawn("loss_against_reach", {"A": ["A/1"]})
    (series,) = figure.series
    assert figure.x.log
    assert series.x == pytest.approx([3e5 * 10 / (1e9 / 8 * 0.03)])
    assert series.y == pytest.approx([0.4])
    assert series.low[0] <= 0.4 <= series.high[0]


def test_completion_times() -> None:
    assert drawn("completion_cdf", {"A": ["A/1"]}).series[0].x == [1.0, 2.0]
    figure = drawn("quantile_ratios", {"A": ["A/1"], "B": ["B/1"]}, reference="A")
    assert [series.name for series in figure.series] == ["B"]
    assert figure.series[0].y == pytest.approx([2.0] * 99)


def test_what_is_missing_is_named() -> None:
    figure = drawn("quantile_ratios", {"A": ["X/1"], "B": ["B/1"]}, reference="A")
    assert figure.series == ()
    assert figure.notes[0] == "A is missing: it was refused"
    assert "cannot be drawn" in figure.notes[1]


@pytest.mark.parametrize("plot", sorted(PLOTS))
def test_every_plot_is_drawn_by_plotly(plot: str) -> None:
    parameters: dict[str, dict[str, object]] = {
        "utilisation_over_time": {"window": 1.0},
        "rtt_distribution": {"base": 0.03},
        "drops_against_utilisation": {"windows": [1.0]},
        "quantile_ratios": {"reference": "B"},
        "rtt_by_case": {"base": 0.03, "title": "cards"},
        "query_distribution": {"entry": 0},
        "entries_by_case": {"entry": "victim", "column": "p99", "title": "completion time", "unit": "s"},
        "slowdown_by_size": {"level": "p99"},
        "measure_by_case": {"measure": "utilisation", "title": "busy", "unit": "1", "over": "load"},
        "measure_by_name": {"measure": "utilisation", "title": "busy", "unit": "1", "over": "load"},
    }
    figure = drawn(plot, {"A": ["A/1"], "B": ["B/1"]}, **parameters.get(plot, {}))
    if plot == "goodput_over_time":  # the made-up answers have none
        assert "goodput of single flows was not recorded" in figure.notes[0]
        return
    assert figure.series
    assert len(figure.figure().data) == len(figure.series)
