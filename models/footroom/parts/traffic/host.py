"""The end host's stack: what belongs to the sender and receiver whatever the congestion control."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.parts.congestion.hystart import Choice
from footroom.parts.traffic.option import Known, known_to_some, option
from footroom.parts.traffic.profiles import PROFILES, filled

#: What a host keeps where its flows change from TCP to RDMA or back: every other field belongs to one of the two.
EITHER_TRANSPORT = ("ecn", "mss", "jitter", "ack_priority")

#: The engines that know packets.
PACKETS = ("packet", "reference")


class Host(Document):
    """Transport machinery shared by all flows of one traffic class.

    Sizes are in bytes, times in seconds. Defaults follow Linux where RFCs leave a choice; a profile sets what all
    hosts of its kind do, and fields given beside it override it.
    """

    model_config = ConfigDict(
        json_schema_extra=lambda schema: schema.update(profiles=[dict(vars(profile)) for profile in PROFILES.values()])
    )

    #: Fields that only some engines know: to those engines and why the others refuse it. Options say so themselves.
    only: ClassVar[Known] = {"rate_limit": (PACKETS, "flows are limited by their network only here")}

    profile: Literal["linux", "rfc"] | None = quantity(
        None,
        "1",
        "A set of host options: linux (what Linux 6 does) or rfc (RFC 6675 recovery, a timeout of at least 1 s). "
        "Fields set beside it override it; none leaves every field at its own default.",
        source="docs/traffic.md, Host profiles",
    )
    recovery: Literal["newreno", "sack", "prr", "go_back_n", "selective"] | None = quantity(
        None,
        "1",
        "Loss recovery. TCP: newreno (RFC 6582, one hole per round trip), sack (RFC 6675), prr (RFC 9937 on top of "
        "sack, with losses detected by send order as in RFC 8985; what Linux does). RDMA: go_back_n (all that came "
        "beyond a gap is sent again), selective (IRN: only holes are, and every packet is acknowledged). Automatic: "
        "prr over TCP and go_back_n over RDMA. HPCC runs over both; automatic means RDMA.",
        source="RFC 6582, RFC 6675, RFC 9937 (formerly 6937), RFC 8985; Mittal et al., SIGCOMM 2018, for RDMA",
    )
    ack_every: int = option(
        2,
        "packet",
        "Segments per acknowledgement; filled gaps are acknowledged at once, gaps as sack_delay says. RDMA hosts "
        "acknowledge every packet with recovery selective, and with every congestion control but DCQCN.",
        ge=1,
        le=64,
        symbol="b",
        source="RFC 5681 §4.2",
    )
    quick_acks: int = option(
        0,
        "packet",
        "Segments at the start of a flow that are acknowledged one by one; Linux has 16, and again after pauses.",
        ge=0,
        le=1000,
        source="Linux TCP_MAX_QUICKACKS",
        advanced=True,
    )
    receive_buffer: Size | None = option(
        None,
        "B",
        "Memory that a receiver gives a connection at first, which grows with what a round trip brings. Linux "
        "acknowledges at once each segment by which the window may still grow, and quick_acks more when that is over; "
        "none means quick_acks alone. The window itself does not limit the sender, see receive_window.",
        ge=4096,
        le=1e9,
        source="Linux tcp_rmem[1], tcp_grow_window, tcp_rcv_space_adjust",
        advanced=True,
    )
    write_buffer: Size | None = option(
        None,
        "B",
        "Most memory for what a sender has written and is not acknowledged, or only selectively. It grows to twice the "
        "window, under BBR three times. With recovery sack or prr; none for no limit.",
        ge=65536,
        le=1e12,
        source="Linux tcp_wmem[2], tcp_sndbuf_expand, sk_stream_write_space",
        advanced=True,
    )
    ack_delay: Time = option(
        0.04,
        "s",
        "Longest time an acknowledgement is withheld.",
        gt=0,
        le=1,
        source="Linux minimum; RFC 5681 §4.2 allows up to 500 ms",
    )
    sack_delay: Time = option(
        0.0,
        "s",
        "How long reports of a gap after the third are held back, at most a twentieth of the round trip; 0 for none.",
        ge=0,
        le=1,
        source="Linux tcp_comp_sack_delay_ns, __tcp_ack_snd_check; RFC 5681 §4.2 asks for each at once",
        advanced=True,
    )
    push_acks: bool = option(
        False,
        "1",
        "Whether the last of several segments that leave together is acknowledged at once.",
        source="Linux: PSH on segments of one batch (5.4), tcp_measure_rcv_mss (6.6); see docs/traffic.md",
        advanced=True,
    )
    min_rto: Time = option(
        0.2,
        "s",
        "Smallest retransmission timeout; with recovery go_back_n the timeout itself, which never backs off.",
        gt=0,
        le=60,
        source="Linux; RFC 6298 says 1 s",
    )
    rto_floor: Literal["variance", "total"] = option(
        "variance",
        "1",
        "What min_rto bounds: by how much the timeout exceeds the round trip (Linux), or the whole (RFC 6298).",
        source="Linux tcp_rto_min; RFC 6298 §2.4",
        advanced=True,
    )
    timeout_losses: Literal["all", "overdue"] = option(
        "all",
        "1",
        "What is taken for lost when the retransmission timer expires: all that is outstanding and not selectively "
        "acknowledged, or overdue: of that the oldest segment, and what has been out for as long as the latest round "
        "trip; the rest counts as in flight (Linux). With recovery newreno it is all.",
        source="RFC 6298 §5, RFC 6675 §5.1; Linux tcp_timeout_mark_lost, tcp_rack_skb_timeout; RFC 8985 §6.3",
        advanced=True,
    )
    partial_timer: Literal["first", "each"] = option(
        "first",
        "1",
        "With recovery newreno, which partial acknowledgements of a recovery restart the retransmission timer: each "
        "(slow but steady: one hole per round trip for as long as it takes; Linux) or only the first (impatient: "
        "many holes end in a timeout).",
        source="RFC 6582 §3.2 and §4; Linux tcp_ack, FLAG_SET_XMIT_TIMER",
        advanced=True,
    )
    recovery_end: Literal["flight", "ssthresh"] = option(
        "flight",
        "1",
        "With recovery newreno, the window when a recovery ends: one segment more than is outstanding, at most "
        "ssthresh (no burst), or ssthresh itself (a burst where little is outstanding; Linux).",
        source="RFC 6582 §3.2, step 3; Linux tcp_end_cwnd_reduction",
        advanced=True,
    )
    mark_cut: Literal["at_once", "round_trip"] = option(
        "at_once",
        "1",
        "With recovery prr, how a window is cut for a mark: at_once, so that nothing is sent until what is "
        "outstanding fits (RFC 3168), or over a round_trip, in which a part of what arrives is sent (Linux). With the "
        "other recoveries it is cut at once.",
        source="RFC 3168 §6.1.2; Linux tcp_enter_cwr, tcp_cwnd_reduction; RFC 9937",
        advanced=True,
    )
    send_buffer: int | None = option(
        None,
        "1",
        "With recovery newreno, the most that a recovery may have outstanding, as a multiple of what was at the "
        "start of the flow's largest: the send buffer; none for no limit.",
        ge=1,
        le=1000,
        source="Linux tcp_sndbuf_expand: twice the window",
        advanced=True,
    )
    initial_rto: Time | None = quantity(
        None,
        "s",
        "Retransmission timeout until data has measured a round trip; none means what a handshake leads to, "
        "which measures the path with the queues that stand on it; 1 s is the standard's value for a connection "
        "without a measurement.",
        gt=0,
        le=60,
        source="RFC 6298 §2.1 and 2.2",
        advanced=True,
    )
    setup: Literal["none", "packets"] = option(
        "none",
        "1",
        "How a TCP transfer over a new connection sets it up: none (it is there) or packets (a request and its answer "
        "cross the network first, sent again after 1, 2, 4 s if lost; after two losses the window starts with one "
        "segment). Completion times begin with the first data. Queries have their own field, handshake.",
        source="RFC 6298 §2.1 and 5.5; Linux TCP_TIMEOUT_INIT, tcp_init_transfer",
    )
    tail_loss_probe: bool = option(
        False,
        "1",
        "Send a probe two round trips after the last acknowledgement, so that a lost tail need not wait for the "
        "timeout, and take a hole for a loss a quarter of a round trip after one or two later segments have come.",
        source="RFC 8985 §7 and §6.2; Linux tcp_early_retrans 3, tcp_recovery 1",
    )
    probe_margin: Time = option(
        0.002,
        "s",
        "What tail_loss_probe waits beyond two round trips, and beyond a quarter of one, because of coarse timers; 0 "
        "is exactly RFC 8985.",
        ge=0,
        le=1,
        source="Linux TCP_TIMEOUT_MIN, two ticks of 1 ms",
        advanced=True,
    )
    timer_tick: Time = option(
        0.0,
        "s",
        "Tick of the host's clock, by which timers for retransmission and probes go off: the wait is rounded up to "
        "whole ticks, and one is added; from 63 ticks on it ends with a slot of eight ticks, from 504 on of 64. Hosts "
        "tick at random times. 0 is a clock without ticks; Linux for 250 Hz, its default, has 4 ms, for 1000 Hz 1 ms.",
        ge=0,
        le=1,
        source="Linux CONFIG_HZ; usecs_to_jiffies; kernel/time/timer.c, calc_index and calc_wheel_index",
        advanced=True,
    )
    nack_interval: Time = option(
        500e-6,
        "s",
        "With recovery go_back_n, least time between two reports of the same gap.",
        gt=0,
        le=1,
        source="alibaba-edu/High-Precision-Congestion-Control, rdma-hw.cc: NACK Generation Interval",
        advanced=True,
    )
    low_rto: Time = option(
        100e-6,
        "s",
        "With recovery selective, timeout while at most low_rto_packets are outstanding.",
        gt=0,
        le=60,
        symbol="RTO_low",
        source="Mittal et al., SIGCOMM 2018, section 4.1",
        advanced=True,
    )
    low_rto_packets: int = option(
        3,
        "packet",
        "With recovery selective, most outstanding packets with which the timeout is low_rto.",
        ge=0,
        le=1000,
        symbol="N",
        source="Mittal et al., SIGCOMM 2018, section 4.1",
        advanced=True,
    )
    high_rto: Time = quantity(
        320e-6,
        "s",
        "With recovery selective, timeout while more than low_rto_packets are outstanding.",
        gt=0,
        le=60,
        symbol="RTO_high",
        source="Mittal et al., SIGCOMM 2018, section 4.1: the longest round trip of that network",
        advanced=True,
    )
    idle_restart: Literal["linux", "rfc5681", "none"] = option(
        "linux",
        "1",
        "What happens to the window when a connection that carries several transfers has sent nothing for a "
        "retransmission timeout: linux halves it for every such time, down to initial_window, and lifts the threshold "
        "to three quarters of it; rfc5681 sets it to initial_window at most; none keeps it.",
        source="Linux tcp_slow_start_after_idle, RFC 2861; RFC 5681 §4.1",
        advanced=True,
    )
    initial_window: int = option(
        10, "packet", "Initial window in segments.", ge=1, le=1000, symbol="IW", source="RFC 6928"
    )
    hystart: Choice = option(
        "none",
        "1",
        "How slow start of CUBIC ends before it loses packets: linux (acknowledgements of one round trip that keep "
        "coming for half of the shortest one, or round trips an eighth longer) or rfc9406 (HyStart++: round trips an "
        "eighth longer than before, then slower growth for up to five of them); none waits for a loss.",
        source="Linux tcp_cubic.c, hystart_update; RFC 9406",
        advanced=True,
    )
    ecn: bool = quantity(
        True,
        "1",
        "Both ends understand marks; where they do not, a switch that marks drops the packet instead.",
        source="RFC 3168",
        advanced=True,
    )
    receive_window: Size | None = quantity(
        None,
        "B",
        "Receiver's window; over RDMA the most that a flow has outstanding. Automatic: it never limits, but "
        "with recovery selective it means the bandwidth-delay product of the longest path.",
        ge=1,
        le=1e12,
        source="for selective: BDP-FC, Mittal et al., SIGCOMM 2018, section 3.2",
        advanced=True,
    )
    pacing: bool = option(
        False,
        "1",
        "Spread packets at 2·cwnd/SRTT while cwnd is below half of ssthresh and at 1.2·cwnd/SRTT from there on; what "
        "is outstanding counts where that is more than cwnd.",
        source="Linux tcp_update_pacing_rate, tcp_pacing_ss_ratio 200, tcp_pacing_ca_ratio 120; fq",
        advanced=True,
    )
    rate_limit: Rate | None = quantity(
        None,
        "bit/s",
        "Maximum rate of one flow, headers included, its packets or bursts spaced evenly from the first one on; none "
        "means as fast as its link.",
        gt=0,
        le=1e14,
        source="Linux SO_MAX_PACING_RATE, tc fq maxrate",
        advanced=True,
    )
    small_queue: Time | None = option(
        0.001,
        "s",
        "How much of one flow waits in its host's own transmit queue, as time at 1.2·cwnd/SRTT and never less than two "
        "bursts; none means all that the window allows.",
        gt=0,
        le=60,
        source="Linux TCP small queues (sk_pacing_shift)",
        advanced=True,
    )
    autosize: bool = option(
        False,
        "1",
        "Bursts as long as Linux makes them, whatever burst says: what 1/1024 s holds at the flow's pacing rate, from "
        "two segments to 64 kB. A flow that is not paced takes the rate that pacing would give it.",
        source="Linux tcp_tso_autosize, sk_pacing_shift 10, tcp_min_tso_segs 2; without its part that grows on round "
        "trips below 1 ms (Linux 5.18 and later)",
        advanced=True,
    )
    burst_limit: int = option(
        65535,
        "packet",
        "Most segments of a burst that autosize makes; 1 is a host whose segmentation offload is off. What BBR adds to "
        "its window for bursts does not shrink with it.",
        ge=1,
        le=65535,
        source="Linux ip link gso_max_segs, tcp_tso_segs; bbr_tso_segs_goal ignores it",
        advanced=True,
    )
    burst: int = option(
        1,
        "packet",
        "Segments sent back to back (segmentation offload): with more outstanding, the sender waits until it may send "
        "that many, or a third of its window where that is less.",
        ge=1,
        le=64,
        source="Linux tcp_tso_should_defer, tcp_tso_win_divisor",
        advanced=True,
    )
    ack_priority: int | None = quantity(
        None,
        "1",
        "Class of the packets that receivers send: acknowledgements and congestion notifications. Automatic: the "
        "highest class where switches have headroom, and the class of the data elsewhere.",
        ge=0,
        le=7,
        source="Shan et al., DSH, ICDCS 2023, §V: one of eight classes for control packets",
        advanced=True,
    )
    mss: Size | None = quantity(
        None,
        "B",
        "Payload per full packet; none means MTU minus 52 B of IPv4, TCP and timestamps.",
        ge=1,
        le=65536,
        symbol="MSS",
        advanced=True,
    )
    jitter: Time | None = quantity(
        None,
        "s",
        "Largest random processing delay at a host, drawn per packet, order kept. Automatic: 1 µs, or one full "
        "packet at the bottleneck's rate where that is shorter. 0 switches it off.",
        ge=0,
        le=0.1,
        source="Floyd and Jacobson 1991, §3: removes phase effects",
        advanced=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _profiled(cls, given: Any) -> Any:
        return filled(given) if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _can_probe(self) -> Host:
        if self.tail_loss_probe and self.recovery == "newreno":
            raise PydanticCustomError("at:tail_loss_probe", "needs recovery sack or prr; newreno has no SACK")
        return self


Host.only = {**Host.only, **known_to_some(Host)}
