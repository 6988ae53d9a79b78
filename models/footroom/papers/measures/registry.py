"""The measures by name. Adding one is a pure function on answers and a line here."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from footroom.papers.measures import (
    completion,
    delay,
    drops,
    headroom,
    memory,
    policies,
    queries,
    setting,
    sharing,
    transfers,
    utilisation,
)

#: ``extremes``: of flows; a bootstrap gives no interval for an extreme (Bickel and Freedman 1981).
Source = Literal["windows", "flows", "extremes", "metrics", "memories", "document"]


@dataclass(frozen=True)
class Measure:
    """A named number. rests_on: the data it is computed from; ``document`` needs no run."""

    function: Callable[..., float]
    rests_on: Source

    @property
    def simulated(self) -> bool:
        """Whether its cases have to be run."""
        return self.rests_on != "document"

    def check(self, given: dict[str, Any]) -> None:
        """Raise TypeError unless ``given`` are this measure's parameters."""
        inspect.signature(self.function).bind((), **given)


_BY_SOURCE: dict[Source, tuple[Callable[..., float], ...]] = {
    "windows": (
        utilisation.utilisation,
        utilisation.peak_utilisation,
        utilisation.utilisation_gap,
        drops.drop_rate,
        drops.greatest_drop_rate,
        drops.drop_onset,
        drops.drop_rate_at,
        delay.rtt_mean,
        delay.rtt_quantile,
        delay.rtt_share_above,
    ),
    "flows": (
        completion.fct_mean,
        completion.fct_deviation,
        completion.fct_quantile,
        completion.dominance,
        completion.quantile_ratio,
        completion.quantile_gap,
        policies.lead,
        policies.rank,
        queries.query_mean,
        queries.query_quantile,
        queries.query_share_below,
    ),
    "extremes": (completion.smallest_flow, completion.largest_flow),
    "metrics": (
        setting.metric,
        transfers.by_entry,
        transfers.slowdown,
        transfers.queue,
        sharing.jain_mean,
        sharing.jain_worst_step,
        sharing.starved_share,
        sharing.truncated_throughput,
        sharing.truncated_reach,
        sharing.starvation_stretch,
        headroom.groups_sum,
        headroom.burst_without_pause,
        headroom.goodput_between,
        headroom.deadlocks_avoided,
    ),
    "memories": (memory.observed, memory.held_share, memory.fullest, headroom.headroom_at_maxima),
    "document": (
        setting.setting,
        transfers.sizes_upto,
        headroom.headroom_of_one,
        headroom.headroom_share,
        headroom.buffer_time,
    ),
}

MEASURES: dict[str, Measure] = {
    function.__name__: Measure(function, source) for source, functions in _BY_SOURCE.items() for function in functions
}
