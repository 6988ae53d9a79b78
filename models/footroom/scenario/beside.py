"""Long flows that share a drop-tail queue with transfers: what their bursts lose has no place in theory and fluid."""

from __future__ import annotations

from footroom.parts.congestion import Bbr
from footroom.parts.marking import NoMarking
from footroom.scenario.bottleneck import Bottleneck

#: Share of the link that transfers must ask for before their bursts count.
LEAST_LOAD = 0.01

_REASON = (
    "Transfers arrive beside the long flows, and this model knows them as a load without bursts. With transfers of "
    "30 kB that were 5 and 30 % of the load packets lost 1.2 to 17 times as much, and the mean queue was up to 40 % of "
    "the buffer off: ask packets, or the engine hybrid."
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
