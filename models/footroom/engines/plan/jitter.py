"""How long a packet may be held up at a host, at random."""

from __future__ import annotations

from collections.abc import Sequence

from footroom.parts.traffic import AnyTraffic
from footroom.scenario import Scenario

_PICOSECONDS = 10**12


def jitter_of(entries: Sequence[AnyTraffic], scenario: Scenario, cables: Sequence[int]) -> int:
    """Largest delay at a host [ps]: the longest that an entry asks for. All hosts have the same.

    cables: delays of the links that leave hosts [ps].
    """
    return max(_asked(entry, scenario, cables) for entry in entries)


def _asked(entry: AnyTraffic, scenario: Scenario, cables: Sequence[int]) -> int:
    """``host.jitter``, or a microsecond, or one full packet at the slowest watched link where that is shorter.

    ``host.jitter_packets`` lengthens that, to at most twice the shortest cable: half of the jitter comes out of the
    cable of a host, so that the mean round trip stays what the scenario says.
    """
    host = entry.host
    if host.jitter is not None:
        return round(host.jitter * _PICOSECONDS)
    packet = scenario.run.mtu * 8.0 / scenario.topology.slowest_watched() * _PICOSECONDS
    usual = min(_PICOSECONDS // 10**6, round(packet))
    return (
        usual if host.jitter_packets is None else max(usual, min(round(host.jitter_packets * packet), 2 * min(cables)))
    )
