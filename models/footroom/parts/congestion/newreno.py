"""NewReno: additive increase by one segment per round trip, halving on loss (RFC 5681, RFC 6582)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import quantity
from footroom.kernel.hooks import law_hook, row
from footroom.parts.congestion.law import Hooks, Law


@law_hook
def _on_start(flow, own, params, report):
    r = row(report)
    if r.resumed != 0:
        return 0
    f = row(flow)
    f.cwnd = float(r.window)
    f.ssthresh = 1e18
    return 0


@law_hook
def grow(flow, own, params, report):
    """Slow start, then one segment per round trip; params: byte counting, segments of the window that may be unused.

    A burst that waits for room leaves up to that much of the window unused, and still the window is what limits the
    flow (Linux: tcp_tso_should_defer sets is_cwnd_limited, tcp_cwnd_validate keeps it for a window).
    """
    f, r = row(flow), row(report)
    if f.una < f.cut_end and f.mode == 0:  # cut for a mark: it grows again once that round trip is over
        return 0
    # Without byte counting one acknowledgement counts as one segment however many it covers (RFC 5681 eq. 2 and 3).
    count = float(r.delivered) if params[0] != 0.0 else 1.0
    if f.cwnd < f.ssthresh:
        # A window that was not used up is no evidence that a larger one is safe (RFC 7661; Linux: half in slow start).
        if 2.0 * r.flight < f.cwnd:
            return 0
        step = min(count, f.ssthresh - f.cwnd)
        f.cwnd += step
        count -= step
    elif r.flight + 1.0 < f.cwnd - max(params[1], min(float(r.burst), f.cwnd / 3.0)):
        return 0
    if count > 0.0:
        f.cwnd += count / f.cwnd
    return 0


@law_hook
def halve(flow, own, params, report):
    """Half of what is in flight becomes the threshold."""
    f = row(flow)
    if f.una < f.cut_end:  # cut for a mark of the same window of data (RFC 3168 §6.1.2, RFC 8257 §3.5)
        return 0
    # Limited transmit may have sent two segments beyond the window; they do not count (RFC 6675 §5).
    f.ssthresh = max(min(float(row(report).flight), f.cwnd) / 2.0, 2.0)
    return 0


@law_hook
def _on_ecn(flow, own, params, report):
    f = row(flow)
    # A mark counts as a loss, once per window of data, and nothing is sent again (RFC 3168 §6.1.2).
    if row(report).marked > 0 and f.mode == 0 and f.una > f.cut_end:
        f.ssthresh = max(f.cwnd / 2.0, 2.0)
        f.cwnd = f.ssthresh
        f.cut_end = f.nxt
        f.cwr = 1
    return 0


class NewReno(Law):
    """Grows by one segment per round trip and halves when a segment is lost.

    Holds for any loss rate the recovery style survives. Departs from RFC 5681: growth counts acknowledged segments
    (RFC 3465, as Linux does), so that it does not depend on delayed acknowledgements; switch it off with
    ``byte_counting``.
    """

    about: ClassVar[About] = About(
        title="NewReno",
        summary="One segment more per round trip, half on loss.",
        sources=("RFC 5681", "RFC 6582", "RFC 3465", "RFC 3168 for marks"),
        holds="drop-tail and RED bottlenecks; long round trips with few flows take minutes to settle",
        departures="growth counts acknowledged segments, as Linux does",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["newreno"] = "newreno"
    byte_counting: bool = quantity(
        True, "1", "Grow by acknowledged segments rather than by acknowledgements.", source="RFC 3465", advanced=True
    )

    def hooks(self) -> Hooks:
        return Hooks(_on_start, grow, halve, halve, _on_ecn)

    def parameters(self) -> tuple[float, ...]:
        # Acknowledgements of two segments leave this many of the window unused.
        return (float(self.byte_counting), 2.0)
