"""A warning about long flows whose round trips are equal to the picosecond."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.engines.plan.lossless import Lossless
from footroom.scenario import Scenario

Ints = npt.NDArray[np.int64]

#: Measured with the preset wan-bottleneck (50 NewReno flows, 1 Gb/s, 20 ms, no marking), means of 5 seeds.
_MEASURED = (
    "50 NewReno flows at 1 Gb/s and 20 ms fill 89.9 % of the link and lose 0.23 % with 100 packets of buffer; with "
    "round trips spread by ±20 % they fill 92.7 % and lose 0.31 %. With 50 packets it is 88.7 % and 77.2 %, 0.24 % "
    "and 0.51 %."
)
#: Of 7 NewReno and 7 CUBIC flows, 40 Mb/s, 28 ms, 46 packets (docs/validation.md). Linux: three runs.
_PHASES = (
    "Of 7 NewReno flows beside 7 of CUBIC at 40 Mb/s and 28 ms with 46 packets of buffer, NewReno gets 40 % with "
    "1 µs, 44 % with one packet's time; in Linux it gets 47 to 54 %."
)


def may_lose(lossless: Lossless | None, classes: Ints) -> npt.NDArray[np.bool_]:
    """Whether flows of these classes may lose packets: those of classes that are lossless at every switch do not."""
    if lossless is None:
        return np.ones(len(classes), np.bool_)
    found: npt.NDArray[np.bool_] = ~np.asarray(lossless.classes.all(axis=0))[classes]
    return found


def equal_round_trips(
    scenario: Scenario,
    names: list[str],
    lasting: npt.NDArray[np.bool_],
    rtt: Ints,
    forward: Ints,
    routes: Ints,
    watched: dict[int, tuple[int, int]],
    laws: list[str],
    jitter: int,
    packet_time: Ints,
) -> tuple[str, ...]:
    """A note where two long flows or more share a watched link and a round trip, to the picosecond.

    lasting: which flows never end and may lose packets.  rtt: propagation of each [ps].  forward: where each flow's
    route begins in ``routes``.  watched: port to its two nodes.  laws: of every flow.  jitter: of hosts [ps].
    packet_time: of a full packet by port [ps]; where jitter is shorter, which of several laws loses packets depends on
    phases.
    """
    together: dict[tuple[int, int], int] = {}
    mixed: dict[tuple[int, int], set[str]] = {}
    for flow in np.flatnonzero(lasting).tolist():
        at = int(forward[flow])
        while (port := int(routes[at])) >= 0:
            if port in watched:
                key = port, int(rtt[flow])
                together[key] = together.get(key, 0) + 1
                mixed.setdefault(key, set()).add(laws[flow])
            at += 1
    if not together or max(together.values()) < 2:
        return ()
    (port, delay), count = max(together.items(), key=lambda item: item[1])
    link = " to ".join(names[node] for node in watched[port])
    remedy = (
        "Set topology.rtt_spread to how much your paths differ."
        if hasattr(scenario.topology, "rtt_spread")
        else "Give the links of your hosts different delays to see flows out of step."
    )
    told = (
        f"{count} long flows on the link {link} have exactly the same round trip ({delay / 1e9:g} ms), so many of them "
        "lose packets and cut their windows at the same time. Real paths differ."
    )
    phases = "" if len(mixed[port, delay]) < 2 or jitter >= packet_time[port] else _phases(int(packet_time[port]))
    return (f"{told} {_MEASURED} {remedy}{phases}",)


def _phases(packet_time: int) -> str:
    """Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992, section 3: a random time at the
    hosts of up to one packet's service time takes phase effects away.
    """
    return (
        " These flows are of several congestion controls. Which of them find the buffer full depends on where in the "
        "time of a packet their acknowledgements come, and so do their shares (Floyd and Jacobson 1992). Set "
        f"host.jitter to {packet_time / 1e6:.3g} µs, a packet's time on this link, or spread the round trips. {_PHASES}"
    )
