"""Swift: windows, also of less than a packet, set from round trips and a target delay (Kumar et al., SIGCOMM 2020)."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Time, quantity
from footroom.kernel.hooks import hook_part, law_hook, row
from footroom.parts.congestion.law import RDMA, Hooks, Law

# Parameters.
_INCREASE, _DECREASE, _MOST_CUT, _BASE, _HOP, _RANGE, _STEEP, _OFFSET, _LEAST, _MOST, _FIRST, _PATIENCE = range(12)
# The law's own memory: the window in packets; target of the path without flow scaling, and when the window was last cut
# [ps]; line rate; bits of a full packet on the link; the last round trip [ps]; expiries of the timer since then.
_WINDOW, _TARGET, _CUT, _LINE, _BITS, _DELAY, _EXPIRIES = range(7)


@hook_part
def _apply(f, own, params, window):
    """Set window and rate within their bounds."""
    window = min(max(window, params[_LEAST]), params[_MOST])
    own[_WINDOW] = window
    f.cwnd = math.floor(max(window, 1.0))
    # Below one packet, one packet leaves every round trip over the window.
    f.rate = own[_LINE] if window >= 1.0 else min(own[_LINE], own[_BITS] * window / (own[_DELAY] * 1e-12))


@hook_part
def _cut(f, own, params, now):
    """A loss: cut the window by as much as one cut may take, at most once in a round trip."""
    window = own[_WINDOW]
    if now - own[_CUT] >= own[_DELAY]:
        window *= 1.0 - params[_MOST_CUT]
        own[_CUT] = now
    _apply(f, own, params, window)


@law_hook
def _on_start(flow, own, params, report):
    f, r = row(flow), row(report)
    if r.resumed != 0:
        return 0
    own[_LINE] = f.rate
    own[_BITS] = 8.0 * float(r.bytes)
    own[_DELAY] = float(r.base_rtt)
    base = params[_BASE] if params[_BASE] > 0.0 else float(r.base_rtt)
    own[_TARGET] = base + float(r.hops) * params[_HOP]
    own[_WINDOW] = min(params[_FIRST], params[_MOST])
    f.cwnd = math.floor(max(own[_WINDOW], 1.0))
    return 0


@law_hook
def _on_ack(flow, own, params, report):
    f, r = row(flow), row(report)
    window, delay, now = own[_WINDOW], float(r.rtt), float(r.now)
    own[_DELAY] = delay
    own[_EXPIRIES] = 0.0
    scaling = min(max(params[_STEEP] / math.sqrt(window) + params[_OFFSET], 0.0), params[_RANGE])
    target = own[_TARGET] + scaling
    if delay < target:
        count = float(r.acked)
        window += params[_INCREASE] * count / window if window >= 1.0 else params[_INCREASE] * count
    elif now - own[_CUT] >= delay:
        window *= max(1.0 - params[_DECREASE] * (delay - target) / delay, 1.0 - params[_MOST_CUT])
        own[_CUT] = now
    _apply(f, own, params, window)
    return 0


@law_hook
def _on_gap(flow, own, params, report):
    f, r = row(flow), row(report)
    own[_DELAY] = float(r.rtt)
    own[_EXPIRIES] = 0.0
    _cut(f, own, params, float(r.now))
    return 0


@law_hook
def _on_expiry(flow, own, params, report):
    f, r = row(flow), row(report)
    own[_EXPIRIES] += 1.0
    if own[_EXPIRIES] >= params[_PATIENCE]:
        own[_CUT] = float(r.now)
        _apply(f, own, params, params[_LEAST])
    else:
        _cut(f, own, params, float(r.now))
    return 0


class Swift(Law):
    """Raises its window while round trips are below a target, and cuts it once per round trip in proportion beyond it.

    The target is ``base_target``, ``hop_target`` for every switch, and more the smaller the window is (flow scaling).
    Windows of less than a packet are paced: a packet every round trip over the window. A loss cuts the window by
    ``largest_cut``, at most once per round trip; ``timeouts_to_minimum`` timeouts in a row set ``minimum_window``.
    """

    about: ClassVar[About] = About(
        title="Swift",
        summary="Keeps round trips at a target delay; a window may be a small fraction of a packet.",
        sources=(
            "Kumar et al., SIGCOMM 2020, section 3, algorithm 1",
            "Broadcom/csg-htsim, swift.cpp: values the paper does not give",
        ),
        holds="fabrics whose hosts add no delay",
        departures="no window for the delay of the receiving host (ecwnd); a loss is what the receiver of "
        "go_back_n or selective recovery reports; the paper gives no base target and no constants: "
        "those of csg-htsim are used",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    recoveries: ClassVar[tuple[str, ...]] = RDMA
    acknowledged_one_by_one: ClassVar[bool] = True
    kind: Literal["swift"] = "swift"
    base_target: Time | None = quantity(
        None,
        "s",
        "Target round trip without switches; none means the longest in the network without queueing.",
        gt=0,
        le=60,
        source="Kumar et al. 2020, section 3.5; 20 us in csg-htsim",
    )
    hop_target: Time = quantity(
        20e-6 / 6.55,
        "s",
        "What every switch on the path adds to the target.",
        ge=0,
        le=1,
        symbol="ħ",
        source="Kumar et al. 2020, section 3.5; value of csg-htsim",
    )
    scaling_range: Time = quantity(
        100e-6,
        "s",
        "Maximum that flow scaling adds to the target; 0 switches it off.",
        ge=0,
        le=1,
        symbol="fs_range",
        source="Kumar et al. 2020, section 3.5; value of csg-htsim",
    )
    scaling_least: float = quantity(
        0.1,
        "packet",
        "Window at which flow scaling adds the most.",
        gt=0,
        le=1e6,
        symbol="fs_min_cwnd",
        source="Kumar et al. 2020, section 3.5; value of csg-htsim",
        advanced=True,
    )
    scaling_most: float = quantity(
        100.0,
        "packet",
        "Window at which flow scaling ends.",
        gt=0,
        le=1e6,
        symbol="fs_max_cwnd",
        source="Kumar et al. 2020, section 3.5; value of csg-htsim",
        advanced=True,
    )
    additive_increase: float = quantity(
        1.0,
        "packet",
        "Increase per round trip while round trips are below the target.",
        gt=0,
        le=1000,
        symbol="ai",
        source="Kumar et al. 2020, algorithm 1; value of csg-htsim",
    )
    multiplicative_decrease: float = quantity(
        0.8,
        "1",
        "Strength of a cut.",
        gt=0,
        le=1,
        symbol="β",
        source="Kumar et al. 2020, algorithm 1; value of csg-htsim",
    )
    largest_cut: float = quantity(
        0.5,
        "1",
        "Maximum share of the window that one cut removes.",
        gt=0,
        lt=1,
        symbol="max_mdf",
        source="Kumar et al. 2020, algorithm 1; value of csg-htsim",
    )
    minimum_window: float = quantity(
        0.001, "packet", "Smallest window.", ge=1e-6, le=1, source="Kumar et al. 2020, section 3.6", advanced=True
    )
    maximum_window: float = quantity(
        1e6,
        "packet",
        "Largest window; the paper gives no value.",
        ge=1,
        le=1e9,
        source="Kumar et al. 2020, algorithm 1",
        advanced=True,
    )
    initial_window: float = quantity(
        12.0, "packet", "Window at the start.", gt=0, le=1e6, source="csg-htsim", advanced=True
    )

    timeouts_to_minimum: int = quantity(
        5,
        "1",
        "Timeouts in a row, without an acknowledgement, after which the window is set to the smallest.",
        ge=1,
        le=1000,
        symbol="RETX_RESET_THRESHOLD",
        source="Kumar et al. 2020, algorithm 1, which gives no value; 5 in csg-htsim, a guess as its code says",
        advanced=True,
    )

    @model_validator(mode="after")
    def _ordered(self) -> Swift:
        if self.scaling_most <= self.scaling_least:
            raise PydanticCustomError("at:scaling_most", "scaling_most must exceed scaling_least")
        return self

    def scaling(self) -> tuple[float, float]:
        """Flow scaling [s]: alpha and beta of clip(alpha / sqrt(window) + beta, 0, scaling_range)."""
        least, most = 1.0 / math.sqrt(self.scaling_least), 1.0 / math.sqrt(self.scaling_most)
        alpha = self.scaling_range / (least - most)
        return alpha, -alpha * most

    def hooks(self) -> Hooks:
        return Hooks(_on_start, _on_ack, on_gap=_on_gap, on_expiry=_on_expiry)

    def scratch(self) -> int:
        return 7

    def parameters(self) -> tuple[float, ...]:
        alpha, beta = self.scaling()
        return (
            self.additive_increase,
            self.multiplicative_decrease,
            self.largest_cut,
            (self.base_target or 0.0) * 1e12,
            self.hop_target * 1e12,
            self.scaling_range * 1e12,
            alpha * 1e12,
            beta * 1e12,
            self.minimum_window,
            self.maximum_window,
            self.initial_window,
            float(self.timeouts_to_minimum),
        )
