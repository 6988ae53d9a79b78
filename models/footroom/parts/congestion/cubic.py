"""CUBIC: a window that climbs a cubic of the time since the last loss (RFC 9438)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import quantity
from footroom.kernel.hooks import Hook, law_hook, row
from footroom.parts.congestion.hystart import WORDS, again, begin, renumber, slow_start
from footroom.parts.congestion.law import Hooks, Law

# Parameters.
_C, _BETA, _FRIENDLY, _CONVERGES, _UNUSED, _STEEPENS, _FIRST = range(7)
# The law's own memory: window at the last loss, 0 for none yet; when this stage of congestion avoidance began, 0 for
# not yet; K; Reno's window; the window before the last cut; when the last acknowledgement came; whether the last cut
# was for a timeout; whether a loss since then, or a mark, has shown how large the window may be. Then HyStart's words.
_TOP, _EPOCH, _K, _RENO, _PRIOR, _LAST, _EXPIRED, _SHOWN, _HYSTART = range(9)
# What cuts a window.
_LOSS, _TIMEOUT, _MARK = range(3)


@law_hook
def _on_start(flow, own, params, report):
    r = row(report)
    if r.resumed != 0:
        own[_EPOCH] = 0.0  # the pause does not count as time (RFC 9438 §5.8)
        renumber(own, _HYSTART)
        return 0
    f = row(flow)
    f.cwnd = float(r.window)
    f.ssthresh = 1e18
    begin(own, _HYSTART, float(r.now), float(r.hystart), float(r.payload), float(r.paced))
    return 0


@law_hook
def _grow(flow, own, params, report):
    f, r = row(flow), row(report)
    if f.una < f.cut_end and f.mode == 0:  # cut for a mark: it grows again once that round trip is over
        return 0
    now, count = float(r.now), float(r.delivered)
    since = now - own[_LAST]
    own[_LAST] = now
    # A window that was not used up is no evidence that a larger one is safe, and that time does not count (§5.8).
    if f.cwnd < f.ssthresh:
        used = 2.0 * r.flight >= f.cwnd
        if r.hystart != 0:
            # Linux looks at every acknowledgement, and lets the window grow only where it is used up.
            count = slow_start(own, _HYSTART, f, now, float(r.sample_rtt), count)
        if not used:
            return 0
        step = min(count, f.ssthresh - f.cwnd)
        f.cwnd += step
        count -= step
        if count <= 0.0:
            return 0
    elif r.flight + 1.0 < f.cwnd - max(params[_UNUSED], min(float(r.burst), f.cwnd / 3.0)):
        if own[_EPOCH] > 0.0:
            own[_EPOCH] += since
        return 0
    if own[_EPOCH] == 0.0:
        own[_EPOCH] = now
        own[_RENO] = f.cwnd
        if own[_EXPIRED] != 0.0 or own[_TOP] <= f.cwnd:  # after a timeout (§4.8), or nothing to climb back to
            own[_TOP] = f.cwnd
            own[_K] = 0.0
        else:
            own[_K] = ((own[_TOP] - f.cwnd) / params[_C]) ** (1.0 / 3.0)
        own[_EXPIRED] = 0.0
    age = (now - own[_EPOCH]) * 1e-12 - own[_K]
    ahead = age + float(f.srtt) * 1e-12
    # RFC 9438 §4.3; alpha may become 1 once the window before the cut has been won back.
    steep = params[_STEEPENS] != 0.0 and own[_RENO] >= own[_PRIOR]
    alpha = 1.0 if steep else 3.0 * (1.0 - params[_BETA]) / (1.0 + params[_BETA])
    own[_RENO] += alpha * count / f.cwnd
    target = min(params[_C] * ahead * ahead * ahead + own[_TOP], 1.5 * f.cwnd)
    searching = own[_SHOWN] == 0.0 and params[_FIRST] > 0.0
    if searching:
        target = max(target, (1.0 + params[_FIRST]) * f.cwnd)
    slower = params[_FRIENDLY] != 0.0 and params[_C] * age * age * age + own[_TOP] < own[_RENO]
    if target > f.cwnd and (searching or not slower):
        f.cwnd += (target - f.cwnd) / f.cwnd * count
    if slower:
        f.cwnd = max(f.cwnd, own[_RENO])
    return 0


def _cut(cause: int) -> Hook:
    """The hook that is told of a loss, a timeout or a mark."""

    @law_hook
    def _reduce(flow, own, params, report):
        f, r = row(flow), row(report)
        if cause == _MARK:
            if r.marked == 0 or f.mode != 0 or f.una <= f.cut_end:  # at most once per window of data
                return 0
        elif f.una < f.cut_end:  # cut for a mark of the same window of data
            return 0
        own[_TOP] = f.cwnd * (1.0 + params[_BETA]) / 2.0 if f.cwnd < own[_TOP] and params[_CONVERGES] != 0.0 else f.cwnd
        own[_PRIOR] = f.cwnd
        own[_EPOCH] = 0.0
        own[_EXPIRED] = 1.0 if cause == _TIMEOUT else 0.0
        own[_SHOWN] = 0.0 if cause == _TIMEOUT else 1.0
        if cause == _TIMEOUT:
            again(own, _HYSTART, float(r.now), float(f.nxt))
        # Limited transmit may have sent two segments beyond the window; they do not count (RFC 6675 §5).
        window = min(float(r.flight), f.cwnd) * params[_BETA]
        f.ssthresh = max(window, 2.0)
        if cause == _MARK:
            f.cwnd = max(window, 1.0)
            f.cut_end = f.nxt
            f.cwr = 1
        return 0

    return _reduce


_on_loss, _on_timeout, _on_ecn = _cut(_LOSS), _cut(_TIMEOUT), _cut(_MARK)


class Cubic(Law):
    """Falls to ``beta`` on loss, then climbs W(t) = C (t - K)^3 + W_max back to where the loss was and beyond.

    K = cbrt((W_max - W) / C), with W the window after the cut, does not depend on the round trip. Where that is slower
    than Reno, as on short paths, the window follows a straight line that is as fair as Reno's.
    """

    about: ClassVar[About] = About(
        title="CUBIC",
        summary="The window grows as a cubic function of the time since the last loss, which cut it to 0.7.",
        sources=("RFC 9438", "Vardoyan, Hollot, Towsley, INFOCOM 2018 (arXiv 1801.02741)"),
        holds="windows of about 4 packets or more; the mean of flows that are not in step",
        departures="closed forms, and fluid under marking or beside BBR: no fast convergence, and the Reno-friendly "
        "window keeps its slope. packet: growth counts acknowledged segments, and the "
        "Reno-friendly window never lowers the window",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["cubic"] = "cubic"
    growth: float = quantity(
        0.4,
        "1",
        "How steep the cubic is, in packets per cubed second.",
        gt=0,
        le=100,
        symbol="C",
        source="RFC 9438 §5",
        advanced=True,
    )
    beta: float = quantity(
        0.7, "1", "Factor on the window at a loss; Linux has 717/1024.", gt=0, lt=1, symbol="β", source="RFC 9438 §4.6"
    )
    reno_friendly: bool = quantity(
        True,
        "1",
        "Never grow more slowly than the Reno-friendly window.",
        source="RFC 9438 §4.3; Linux tcp_friendliness",
        advanced=True,
    )
    friendly_steepens: bool = quantity(
        False,
        "1",
        "Once the Reno-friendly window is back where the loss was, it grows by a whole packet per round "
        "trip (a SHOULD of RFC 9438). Linux keeps the slope of 0.53.",
        source="RFC 9438 §4.3; Linux tcp_cubic.c",
        advanced=True,
    )
    first_growth: float = quantity(
        0.05,
        "1",
        "Minimum growth per round trip, as a share of the window, between slow start and the first loss, and after "
        "a timeout until the next loss; in the packet engines. RFC 9438 has none.",
        ge=0,
        le=0.5,
        source="Linux tcp_cubic.c: cnt at most 20 while last_max_cwnd is 0",
        advanced=True,
    )
    fast_convergence: bool = quantity(
        True,
        "1",
        "A loss below the window of the loss before lowers W_max further, to W (1 + β)/2, so that newer "
        "flows get their share sooner; in the packet engines.",
        source="RFC 9438 §4.7; Linux fast_convergence",
        advanced=True,
    )

    def hooks(self) -> Hooks:
        return Hooks(_on_start, _grow, _on_loss, _on_timeout, _on_ecn)

    def scratch(self) -> int:
        return _HYSTART + WORDS

    def parameters(self) -> tuple[float, ...]:
        # Acknowledgements of two segments leave this many of the window unused.
        return (
            self.growth,
            self.beta,
            float(self.reno_friendly),
            float(self.fast_convergence),
            2.0,
            float(self.friendly_steepens),
            self.first_growth,
        )
