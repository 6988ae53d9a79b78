"""Measures on made-up results with known answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.papers.made_up import answer

from footroom.base.rng import stream
from footroom.papers.measures import NotMeasurableError, completion, delay, drops, setting, utilisation
from footroom.papers.measures.answer import Answer
from footroom.papers.measures.flows import Flows


def test_longer_windows_average_utilisation_and_add_up_packets() -> None:
    port = answer(utilisation=[0.2, 0.4, 0.6, 0.8, 1.0], dropped=[1, 2, 3, 4, 5], width=0.01).port()
    longer = port.coarser(0.02)
    assert longer.utilisation == pytest.approx([0.3, 0.7])  # the fifth fills no window
    assert longer.dropped.tolist() == [3.0, 7.0]
    assert longer.width == pytest.approx(0.02)
    assert port.coarser(0.0).dropped.tolist() == [15.0]
    with pytest.raises(NotMeasurableError, match="longer than the run"):
        port.coarser(1.0)
    with pytest.raises(NotMeasurableError, match="shorter"):
        port.coarser(0.001)


def test_utilisation() -> None:
    runs = [answer("A/0.9", utilisation=[0.5, 0.7]), answer("B/0.9", utilisation=[0.8, 1.0])]
    assert utilisation.utilisation(runs) == pytest.approx(0.75)
    assert utilisation.peak_utilisation(runs, 1.0) == 1.0
    assert utilisation.peak_utilisation(runs, 2.0) == pytest.approx(0.9)
    assert utilisation.utilisation_gap(runs) == pytest.approx(0.3)


def test_drop_rate_is_packets_over_packets_not_a_mean_of_rates() -> None:
    runs = [answer("A/0.9", offered=[100], dropped=[10]), answer("A/0.8", offered=[900], dropped=[0])]
    assert drops.drop_rate(runs) == pytest.approx(0.01)
    assert drops.greatest_drop_rate(runs) == pytest.approx(0.1)


def test_the_onset_is_the_lowest_bin_that_loses() -> None:
    runs = [answer(utilisation=[0.601, 0.699, 0.801, 0.919], dropped=[0, 0, 1, 50])]
    assert drops.drop_onset(runs, window=1.0) == pytest.approx(0.80)
    assert drops.drop_onset(runs, window=2.0) == pytest.approx(0.86)  # the mean of 0.801 and 0.919
    assert drops.drop_onset(runs, window=1.0, least=2e-3) == pytest.approx(0.92)
    with pytest.raises(NotMeasurableError, match=r"0\.919"):
        drops.drop_onset(runs, window=1.0, least=0.1)


def test_drop_rate_at_a_utilisation_is_interpolated_in_its_logarithm() -> None:
    runs = [answer(utilisation=[u], offered=[1e6], dropped=[d]) for u, d in ((0.8, 100.0), (1.0, 10000.0))]
    assert drops.drop_rate_at(runs, 0.9) == pytest.approx(1e-3)
    assert drops.drop_rate_at(runs, 0.85) == pytest.approx(10**-3.5)
    with pytest.raises(NotMeasurableError, match=r"from 0\.800 to 1\.000"):
        drops.drop_rate_at(runs, 0.7)
    within_its_bin = answer(utilisation=[0.8, 0.896], dropped=[0, 5])
    assert drops.drop_rate_at([within_its_bin], 0.9, window=1.0) == 0.005
    with pytest.raises(NotMeasurableError, match="not on both sides"):
        drops.drop_rate_at([answer(utilisation=[0.8, 0.886], dropped=[0, 5])], 0.9, window=1.0)


def test_a_bin_without_a_loss_counts_as_half_a_packet_and_two_as_nothing() -> None:
    runs = [answer(utilisation=[u], offered=[1e6], dropped=[d]) for u, d in ((0.7, 0.0), (0.8, 0.0), (1.0, 5000.0))]
    assert drops.drop_rate_at(runs, 0.75) == 0.0
    assert drops.drop_rate_at(runs, 0.9) == pytest.approx(math.sqrt(0.5e-6 * 5e-3))


def test_round_trips_are_the_base_and_the_wait() -> None:
    runs = [answer(utilisation=[0.5] * 4, delay=[0.0, 0.0, 0.27, 0.69])]
    assert delay.rtt_mean(runs, 0.03) == pytest.approx(0.27)
    assert delay.rtt_share_above(runs, 0.03, 0.7) == pytest.approx(0.25)
    assert delay.rtt_quantile(runs, 0.03, 0.5) == pytest.approx(0.165)


def test_completion_times_of_one_entry_pooled_over_cases() -> None:
    runs = [answer(fct=[1.0, 2.0, 9.0], entry=[1, 1, 0]), answer(fct=[6.0], entry=[1])]
    assert completion.fct_mean(runs, 1) == pytest.approx(3.0)
    assert completion.fct_deviation(runs, 1) == pytest.approx(math.sqrt(7.0))
    assert completion.fct_quantile(runs, 0.5, 1) == 2.0
    with pytest.raises(NotMeasurableError, match="no flow completed"):
        completion.fct_mean(runs, 2)
    with pytest.raises(NotMeasurableError, match="not kept"):
        completion.fct_mean([answer()])


def test_dominance_is_where_the_lead_is_smallest() -> None:
    runs = [answer("B/x", fct=[1, 2, 3, 4]), answer("A/x", fct=[2, 3, 4, 5]), answer("C/x", fct=[1, 1.5, 9, 9])]
    # At 1.5 half of C's flows are done and a quarter of B's.
    assert completion.dominance(runs, "B") == pytest.approx(-0.25)
    assert completion.dominance(runs[:2], "B") == pytest.approx(0.0)
    with pytest.raises(NotMeasurableError):
        completion.dominance(runs, "D")


def test_quantile_ratios() -> None:
    base = np.linspace(1.0, 2.0, 1001)
    runs = [answer("0.5/68", fct=list(base * 1.04)), answer("1/68", fct=list(base))]
    assert completion.quantile_ratio(runs, "0.5", 0.85, 0.99) == pytest.approx(1.04)
    assert completion.quantile_gap(runs, "0.5", 0.1, 0.99) == pytest.approx(0.04)


def test_settings_are_read_and_must_agree() -> None:
    assert setting.setting([answer(), answer()], "switch.buffer") == 3e5
    other = Answer("x", {"switch": {"buffer": 1.0}}, {})
    with pytest.raises(NotMeasurableError, match="differs"):
        setting.setting([answer(), other], "switch.buffer")
    with pytest.raises(NotMeasurableError, match="no number"):
        setting.setting([answer()], "switch")
    assert setting.metric([answer()], "utilisation") == 0.5
    with pytest.raises(NotMeasurableError, match="does not apply"):
        setting.metric([answer()], "marks")


def test_several_ports_add_up_and_one_can_be_named() -> None:
    one, two = answer(utilisation=[0.2], dropped=[1]), answer(utilisation=[0.8], dropped=[9])
    both = Answer("x", {}, {}, {"p": one.port(), "q": two.port()})
    assert both.port().utilisation.tolist() == [0.5]
    assert both.port().dropped.tolist() == [10.0]
    assert both.port("q").dropped.tolist() == [9.0]
    with pytest.raises(NotMeasurableError, match="not watched"):
        both.port("r")


def test_a_result_is_read_as_engines_write_it() -> None:
    columns = {name: [1.0, 2.0] for name in ("utilisation", "offered", "dropped", "queue_max", "queue", "delay")}
    result = {
        "scenario": {},
        "metrics": {},
        "series": {"window": 0.01, "ports": {"a->b": columns}},
        "flows": {"size": [1e7], "fct": [0.5], "start": [1.0], "entry": [1]},
    }
    found = Answer.of("x", result)
    assert found.port().utilisation.tolist() == [1.0, 2.0]
    assert found.flows_of(1).fct.tolist() == [0.5]
    with pytest.raises(NotMeasurableError, match="no windows"):
        Answer.of("x", {"scenario": {}, "metrics": {}}).port()


def test_a_run_drawn_again_keeps_its_length_and_moves_blocks_whole() -> None:
    run = answer(utilisation=list(np.arange(1000.0)), width=0.01, fct=[1.0, 2.0, 3.0])
    again = run.resampled(stream(1, "test"))
    found = again.port().utilisation
    assert len(found) == 1000
    # Blocks of 2 s are 200 windows: within a block each window follows the one before.
    assert (np.diff(found[:200]) == 1.0).all()
    assert set(again.flows_of().fct) <= {1.0, 2.0, 3.0}
    assert (run.resampled(stream(1, "test")).port().utilisation == found).all()


def test_a_full_link_that_loses_nothing_begins_to_drop_at_one() -> None:
    full, busy = answer(utilisation=[0.8, 1.0]), answer(utilisation=[0.8, 0.98])
    assert drops.drop_onset([full], window=1.0, never=True) == 1.0
    for runs, never in (([full], False), ([busy], True)):
        with pytest.raises(NotMeasurableError, match="stays below"):
            drops.drop_onset(runs, window=1.0, never=never)
    lossy = answer(utilisation=[0.8, 1.0], dropped=[1.0, 0.0])
    assert drops.drop_onset([lossy], window=1.0, never=True) == pytest.approx(0.8)


def test_clients_of_all_planes_ask_each_of_them_alike() -> None:
    # In 12 s a client of plane A alone completes 4 answers of 3 s, one of B 12 of 1 s. Two clients that take the planes
    # in turn complete one on each in 4 s: 6 on either plane. In the other state both planes answer in half a second.
    runs = [
        answer("A/slow", fct=[3.0] * 4),
        answer("B/slow", fct=[1.0] * 12),
        answer("A/quick", fct=[0.5] * 24),
        answer("B/quick", fct=[0.5] * 24),
    ]
    assert sorted(completion.shared_times(runs, "A")) == [0.5] * 24 + [3.0] * 6
    assert completion.fct_mean(runs, plane="A") == pytest.approx((24 * 0.5 + 6 * 3.0) / 30)
    assert completion.fct_deviation(runs, plane="B") == pytest.approx(np.std([0.5] * 24 + [1.0] * 6, ddof=1))
    assert completion.fct_quantile(runs, 0.9, plane="A") == pytest.approx(3.0)
    # At 0.5 s both have completed the quick answers alone, at 1 s B has completed everything.
    assert completion.dominance(runs, "B", shared=True) == pytest.approx(0.0)
    assert completion.dominance(runs, "A", shared=True) == pytest.approx(24 / 30 - 1.0)
    with pytest.raises(NotMeasurableError, match="no case of plane 'C'"):
        completion.shared_times(runs, "C")


def test_times_of_a_plane_keep_their_spread() -> None:
    times = np.random.default_rng(1).exponential(1.0, 1000)
    runs = [answer("A/x", fct=list(times)), answer("B/x", fct=[1.0] * 3000)]
    taken = completion.shared_times(runs, "A")  # 1500 of each
    assert len(taken) == 1500
    assert taken.mean() == pytest.approx(times.mean(), rel=0.01)
    assert taken.std() == pytest.approx(times.std(), rel=0.03)


@pytest.mark.parametrize("entry", [None, 0, 1])
@pytest.mark.parametrize("level", [0.0, 0.3, 0.5, 0.99, 1.0])
def test_a_quantile_of_flows_drawn_again_is_that_of_the_flows_written_out(level: float, entry: int | None) -> None:
    rng = np.random.default_rng(1)
    start = np.concatenate([np.repeat(rng.random(30), 12), rng.random(40)])
    mixed = rng.permutation(len(start))
    flows = Flows(start, np.round(rng.exponential(1.0, len(start)), 2), start[mixed], (mixed < 360).astype(np.int64))
    for draw in range(20):
        again = flows.again(stream(draw, "again"))
        assert again.quantile(level, entry) == float(np.quantile(again.times(entry), level))
    assert flows.again(stream(0, "again")).quantile(level, 7) is None


def test_flows_of_one_entry_are_drawn_alike_alone_and_with_all_others() -> None:
    entry = np.array([0, 1, 1, 1, 0, 1, 2])
    flows = Flows(np.arange(7.0), np.arange(7.0), np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0]), entry)
    for seed in range(20):
        alone = flows.again(np.random.default_rng(seed)).of_entry(1).size
        together = flows.again(np.random.default_rng(seed)).whole
        assert alone.tolist() == together.size[together.entry == 1].tolist()
        assert {0, 2} <= set(together.entry.tolist())
