"""DCTCP: cut in proportion to the share of marked packets (RFC 8257)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import quantity
from footroom.kernel.hooks import law_hook, row
from footroom.parts.congestion.law import Hooks, Law
from footroom.parts.congestion.newreno import grow, halve

# Parameters; those before them are of ``grow``.
_GAIN, _LEAST, _FIRST = 2, 3, 4
# The law's own state: share of marked packets, acknowledged and marked segments of the present window, and its end.
_ALPHA, _ACKED, _MARKED, _END = 0, 1, 2, 3


@law_hook
def _on_start(flow, own, params, report):
    f, r = row(flow), row(report)
    if r.resumed != 0:
        own[_END] = 0.0
        return 0
    f.cwnd = float(r.window)
    f.ssthresh = 1e18
    own[_ALPHA] = params[_FIRST]
    return 0


@law_hook
def _on_ecn(flow, own, params, report):
    f, r = row(flow), row(report)
    own[_ACKED] += r.acked
    own[_MARKED] += r.marked
    # One window of data has been acknowledged (RFC 8257 §3.3, steps 5 to 8), the last of it included, as in Linux.
    if float(f.una) >= own[_END]:
        own[_ALPHA] += params[_GAIN] * (own[_MARKED] / own[_ACKED] - own[_ALPHA])
        own[_ACKED] = 0.0
        own[_MARKED] = 0.0
        own[_END] = float(f.nxt)
    if r.marked > 0 and f.mode == 0 and f.una > f.cut_end:
        f.cwnd = max(f.cwnd * (1.0 - own[_ALPHA] / 2.0), params[_LEAST])
        f.ssthresh = f.cwnd
        f.cut_end = f.nxt
    return 0


class Dctcp(Law):
    """Grows as Reno and, once per marked window, cuts by half the running share of marked packets."""

    about: ClassVar[About] = About(
        title="DCTCP",
        summary="One segment more per round trip; marks cut by half their running share.",
        sources=(
            "Alizadeh et al., SIGCOMM 2010, §3.1 and §3.3",
            "Alizadeh, Javanmard, Prabhakar, SIGMETRICS 2011",
            "RFC 8257",
        ),
        holds="step marking and windows above two packets; flows in step with one another",
        departures="the fluid engine cuts the window bit by bit as marks arrive and treats hosts without ECN as "
        "Reno; the packet engine cuts at once and grows again after that round trip",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    accurate_echo: ClassVar[bool] = True
    kind: Literal["dctcp"] = "dctcp"
    g: float = quantity(
        1.0 / 16.0,
        "1",
        "Weight of the latest window in the moving average of the marked fraction.",
        gt=0,
        le=1,
        symbol="g",
        source="RFC 8257 §3.3, Linux",
    )
    minimum_window: float = quantity(
        2.0,
        "packet",
        "Minimum window after a mark.",
        ge=1,
        le=1000,
        symbol="W_min",
        source="Linux tcp_dctcp",
        advanced=True,
    )
    initial_alpha: float = quantity(
        1.0,
        "1",
        "Share of marked packets a new flow assumes; the fluid engine starts from what its flows see.",
        ge=0,
        le=1,
        symbol="α₀",
        source="RFC 8257 §4.2, Linux",
        advanced=True,
    )

    def hooks(self) -> Hooks:
        return Hooks(_on_start, grow, halve, halve, _on_ecn)

    def scratch(self) -> int:
        return 4

    def parameters(self) -> tuple[float, ...]:
        # Segments of the window that stay unused when acknowledgements cover two segments.
        return (1.0, 2.0, self.g, self.minimum_window, self.initial_alpha)
