"""BBR: paced at the measured bandwidth of the bottleneck (Cardwell et al., ACM Queue 2016; Linux; Google's v3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from footroom.base.component import About, Profile
from footroom.base.quantity import Time, quantity
from footroom.parts.congestion import bbr_v1, bbr_v1_words, bbr_v3, bbr_v3_words
from footroom.parts.congestion.law import Hooks, Law

#: Interval of ProbeRTT, by version [s].
_INTERVALS = {1: 10.0, 2: 5.0, 3: 5.0}
_ENGINES = {1: ("theory", "fluid", "packet", "reference"), 2: ("theory", "fluid"), 3: ("packet", "reference")}


class Bbr(Law):
    """Sends at the highest rate at which packets were lately delivered, and holds back little else.

    Version 1 ignores losses; its windows of two bandwidth-delay products leave about one in a deep buffer, and a
    shallow buffer loses up to a fifth. Versions 2 and 3 probe every few seconds, and less far where more than 2 % are
    lost.
    """

    about: ClassVar[About] = About(
        title="BBR",
        summary="Paces at the measured bandwidth, probing a quarter above it now and then.",
        sources=(
            "Cardwell et al., ACM Queue 14(5), 2016",
            "Linux tcp_bbr.c and tcp_rate.c",
            "Scherrer, Legner, Perrig, Schmid, IMC 2022",
            "google/bbr, branch v3, tcp_bbr.c",
        ),
        holds="paths that hold at least a few packets per flow; bandwidth that changes slowly",
        departures="closed forms and fluid: no start-up, no aggregation of packets; the bandwidth filter spans "
        "one cycle; flows are spread over the cycle as unevenly as random starts would be; marks "
        "have no effect. packet: versions 1 and 3, with exact times and rates; version 1 without ECN",
    )
    recoveries: ClassVar[tuple[str, ...]] = ("prr", "sack")
    provision: ClassVar[int] = 3
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile(
            "linux",
            "Linux since 5.1",
            {
                "version": 1,
                "pacing_margin": 0.01,
                "aggregation": True,
                "probe_extra": 2,
                "departure_time": True,
                "policer": True,
            },
            "Linux tcp_bbr.c",
            "Its hosts are host.profile linux.",
        ),
        Profile(
            "google_v3",
            "Google's version 3",
            {"version": 3, "pacing_margin": 0.01, "aggregation": True, "probe_extra": 2, "departure_time": True},
            "google/bbr, branch v3, tcp_bbr.c",
            "Its hosts are host.profile linux.",
        ),
        Profile(
            "linux_4_13",
            "Linux 4.13",
            {
                "version": 1,
                "pacing_margin": 0.0,
                "aggregation": False,
                "probe_extra": 0,
                "departure_time": False,
                "policer": True,
            },
            "Linux 4.13 tcp_bbr.c",
            "As first shipped, 2016 to 2018.",
        ),
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["bbr"] = "bbr"
    version: Literal[1, 2, 3] = quantity(
        1,
        "1",
        "1 as in Linux since 2016; 2 and 3 react to losses and probe less often: 2 in closed forms and fluid, "
        "3 in the packet engines.",
        source="Linux tcp_bbr.c; Scherrer et al., IMC 2022; google/bbr, branch v3",
    )
    probe_rtt_interval: Time | None = quantity(
        None,
        "s",
        "Time from the last lowest round trip to ProbeRTT; none means 10 s in version 1 and 5 s in versions 2 and "
        "3, 0 means no ProbeRTT.",
        ge=0,
        le=3600,
        source="Linux bbr_min_rtt_win_sec",
        advanced=True,
    )
    probe_rtt_time: Time = quantity(
        0.2,
        "s",
        "Duration of ProbeRTT, at least one round trip.",
        gt=0,
        le=60,
        source="Linux bbr_probe_rtt_mode_ms",
        advanced=True,
    )
    pacing_margin: float = quantity(
        0.01,
        "1",
        "Margin of the pacing rate below the measured bandwidth; in the packet engines.",
        ge=0,
        lt=1,
        source="Linux bbr_pacing_margin_percent",
        advanced=True,
    )
    aggregation: bool = quantity(
        True,
        "1",
        "Enlarge the window by what recent bursts of acknowledgements reported beyond the measured bandwidth; in "
        "the packet engines.",
        source="Linux bbr_update_ack_aggregation, since 5.1",
        advanced=True,
    )
    probe_extra: int = quantity(
        2,
        "packet",
        "Extra segments while probing, so that probing has an effect on short paths too; in the packet engines.",
        ge=0,
        le=100,
        source="Linux bbr_quantization_budget",
        advanced=True,
    )
    departure_time: bool = quantity(
        True,
        "1",
        "End a phase by the data that will be in flight when the next burst leaves, instead of by the data in "
        "flight now; in the packet engines.",
        source="Linux bbr_packets_in_net_at_edt, since 4.20",
        advanced=True,
    )
    policer: bool | None = quantity(
        None,
        "1",
        "Assume a policer when two intervals of about the same rate both lose a fifth, and keep to that rate for 48 "
        "rounds, as Linux does. Automatic: only on hosts of profile linux. In the packet engines, with version 1.",
        source="Linux bbr_lt_bw_sampling",
        advanced=True,
    )

    caution: ClassVar[str] = (
        "Shares and drops of several BBR flows depend on which of them measured the link first: in Linux and in the "
        "packet engines one run may drop 1.5 times as much as another. Compare seeds (docs/bbr.md)."
    )

    ecn_low: bool = quantity(
        False,
        "1",
        "With version 3, react to marks where the round trip is at most 5 ms: for routes known to mark at a shallow "
        "threshold.",
        source="google/bbr, branch v3: TCP_ECN_LOW, bbr_ecn_max_rtt_us",
        advanced=True,
    )

    def on_hosts(self, profile: str | None) -> Bbr:
        """As hosts of a profile run it."""
        return self if self.policer is not None else self.model_copy(update={"policer": profile == "linux"})

    def repaired_by(self) -> tuple[str, ...]:
        """Version 3 judges each loss on detection, which goes by the order of sending."""
        return ("prr",) if self.version == 3 else self.recoveries

    @property
    def accurate_echo(self) -> bool:  # type: ignore[override]
        """Whether the receiver reports every mark."""
        return self.version == 3 and self.ecn_low

    @property
    def interval(self) -> float:
        """Seconds without a lower round trip that bring on ProbeRTT, 0 for never."""
        return _INTERVALS[self.version] if self.probe_rtt_interval is None else self.probe_rtt_interval

    def known_to(self) -> tuple[str, ...]:
        return _ENGINES[self.version]

    def hooks(self) -> Hooks:
        if self.version == 3:
            return Hooks(
                bbr_v3.on_start,
                on_loss=bbr_v1.on_loss,
                on_timeout=bbr_v3.on_timeout,
                on_ecn=bbr_v3.on_ecn if self.ecn_low else None,
                on_sample=bbr_v3.on_sample,
                on_lost=bbr_v3.on_lost,
            )
        return Hooks(bbr_v1.on_start, on_loss=bbr_v1.on_loss, on_timeout=bbr_v1.on_timeout, on_sample=bbr_v1.on_sample)

    def scratch(self) -> int:
        return bbr_v3.WORDS if self.version == 3 else bbr_v1_words.WORDS

    def estimates(self, own: Sequence[float]) -> tuple[float, float]:
        """Largest delivery rate in the filter, and the shortest round trip."""
        most = max(own[bbr_v3_words.BW_HI], own[bbr_v3_words.BW_NEW]) if self.version == 3 else own[bbr_v1_words.MAX_BW]
        return float(most), float(own[bbr_v1_words.MIN_RTT])

    def parameters(self) -> tuple[float, ...]:
        return (
            self.interval * 1e12,
            self.probe_rtt_time * 1e12,
            1.0 - self.pacing_margin,
            2.0,
            float(bool(self.policer)),
            float(self.aggregation),
            float(self.probe_extra),
            float(self.departure_time),
            float(self.ecn_low),
        )
