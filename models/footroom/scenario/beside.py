"""Long flows that share a queue with transfers: what theory and fluid leave out there, and how far off they are."""

from __future__ import annotations

from footroom.parts.congestion import Bbr, Cubic
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.collisions import differ

_TIMES = ("fct_mean", "fct_p50", "fct_p95", "fct_p99", "slowdown_p50", "slowdown_p99")
#: Load of the transfers, as a share of the link, above which their bursts count.
LEAST_LOAD = 0.01

_REASON = (
    "Transfers arrive beside the long flows, and this model counts them as a load without bursts. With transfers of "
    "30 kB at 5 and 30 % of the load the packet simulation lost 1.2 to 17 times as much, and its mean queue "
    "differed by up to 40 % of the buffer: use it, or the hybrid engine."
)

#: CUBIC flows below which an overflow drops one to a few packets anyway.
FEWEST_CUBIC = 4
_MEETING = (
    "Round trips differ and senders do not pace, so bursts of different flows meet at a full buffer, and CUBIC "
    "loses more packets per cut than this model: its drop rates were {} to 0.9 times those of the packet simulation."
)

_BBR = (
    "Beside BBR's long flows transfers of 30 kB took from a sixteenth of this to twice as long in the packet "
    "simulation: use it, or the hybrid engine."
)
_MARKED = (
    "The 99th percentile beside marked long flows was 2.5 to 2.8 times this in the packet simulation: use it, or "
    "the hybrid engine."
)


def beside_transfers(seen: Bottleneck) -> str:
    """Why losses and queue do not hold where transfers in slow start arrive beside long flows; empty elsewhere.

    Found by ``footroom papers run ENGINES``, 24 cases of NewReno and CUBIC (docs/engines.md), with senders' links ten
    times as fast as the bottleneck. Transfers that are paced, or whose links are no faster than the bottleneck, bring
    no such bursts; BBR and marks were not found as far off.
    """
    if not seen.long_lived or not isinstance(seen.switch.marking, NoMarking):
        return ""
    if any(isinstance(entry.congestion, Bbr) for entry in seen.long_lived) or seen.access <= seen.capacity:
        return ""
    bursty = sum(entry.load for entry in seen.poisson if not entry.host.pacing)
    return _REASON if bursty > LEAST_LOAD else ""


def bursts_of_cubic(seen: Bottleneck, least: float) -> str:
    """Why a model's drop rate of CUBIC flows does not hold; empty where it does.

    least: the lowest ratio of the model's drop rate to that of packets that was found.

    CUBIC grows slowly, so an overflow loses few packets, and it matters whether a burst loses one or several of
    them: 20 flows at 200 Mb/s and 8 ms, round trips spread by a fifth, two products of buffer, lost 1.8
    packets per cut, 1.3 in the model, in about as many cuts. Paced, packets had 0.9 times its drop rate.
    """
    cubic = bool(seen.long_lived) and all(isinstance(entry.congestion, Cubic) for entry in seen.long_lived)
    paced = all(entry.host.pacing for entry in seen.long_lived)
    plain = isinstance(seen.switch.marking, NoMarking)
    return (
        _MEETING.format(f"{least:g}")
        if cubic and differ(seen) and plain and not paced and seen.flows >= FEWEST_CUBIC
        else ""
    )


def completion_beside(seen: Bottleneck) -> dict[str, str]:
    """Completion times to the reason why the fluid's do not hold beside long flows of BBR or under marks.

    Found by the same grid, 6 cases each: the fluid's times follow from its loss and queue alone.
    """
    if not seen.long_lived or sum(entry.load for entry in seen.poisson) <= LEAST_LOAD:
        return {}
    if any(isinstance(entry.congestion, Bbr) for entry in seen.long_lived):
        return dict.fromkeys(_TIMES, _BBR)
    return dict.fromkeys(("fct_p99", "slowdown_p99"), _MARKED) if not isinstance(seen.switch.marking, NoMarking) else {}
