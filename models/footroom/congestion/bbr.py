"""BBR: paced at the measured bandwidth of the bottleneck (Cardwell et al., ACM Queue 2016; Linux)."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component
from footroom.quantity import Time, quantity

#: Of ProbeRTT, by version [s].
_INTERVALS = {1: 10.0, 2: 5.0}


class Bbr(Component):
    """Sends at the highest rate at which packets were lately delivered, and holds back little else.

    Version 1 ignores losses; its windows of two bandwidth-delay products leave about one in a deep buffer, and a
    shallow buffer loses up to a fifth. Version 2 probes every few seconds, and less far where more than 2 % are lost.
    """

    about: ClassVar[About] = About(
        title="BBR", summary="Paces at the measured bandwidth, probing a quarter above it now and then.",
        sources=("Cardwell et al., ACM Queue 14(5), 2016", "Linux tcp_bbr.c",
                 "Scherrer, Legner, Perrig, Schmid, IMC 2022"),
        holds="paths of at least some packets per flow; bandwidth that changes slowly",
        departures="closed forms and fluid only: no start-up, no aggregation of packets; the bandwidth filter spans "
                   "one cycle; flows begin as unevenly spread over the cycle as by chance; marks are not answered",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid")
    kind: Literal["bbr"] = "bbr"
    version: Literal[1, 2] = quantity(
        1, "1", "1 as in Linux since 2016; 2 answers to losses and probes less often.",
        source="Linux tcp_bbr.c; Scherrer et al., IMC 2022")
    probe_rtt_interval: Time | None = quantity(
        None, "s", "ProbeRTT begins this long after the last lowest round trip; none means 10 s in version 1 and "
        "5 s in version 2, 0 that it never does.", ge=0, le=3600, source="Linux bbr_min_rtt_win_sec", advanced=True)
    probe_rtt_time: Time = quantity(0.2, "s", "How long ProbeRTT lasts, at least a round trip.", gt=0, le=60,
                                    source="Linux bbr_probe_rtt_mode_ms", advanced=True)

    @property
    def interval(self) -> float:
        """Seconds without a lower round trip that bring on ProbeRTT, 0 for never."""
        return _INTERVALS[self.version] if self.probe_rtt_interval is None else self.probe_rtt_interval
