"""What a congestion control is to the packet engine: hooks called by address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from footroom.base.component import Component
from footroom.kernel.hooks import Hook

#: Loss recoveries of TCP and of RDMA hosts (``host.recovery``).
TCP, RDMA = ("prr", "sack", "newreno"), ("go_back_n", "selective")


@dataclass(frozen=True)
class Hooks:
    """Compiled hooks of one law, each a ``footroom.kernel.hooks.law_hook``, and what their report holds.

    on_start: the flow begins. window: the initial one.  resumed: 1 where it runs over the connection of one that has
    ended; window, threshold and the law's own memory are then those of that flow, and only what counts segments begins
    anew.
    on_ack: new data was acknowledged outside recovery. delivered; flight, before it; rtt.
    on_loss: loss recovery begins; sets ssthresh. flight.
    on_timeout: the retransmission timer expired; sets ssthresh. flight.
    on_ecn: new data was acknowledged, also in recovery, before on_ack; none for a law that does not understand marks.
    acked, marked, flight, rtt.
    on_sample: for a law that sets window and pacing by the delivery rate (RFC draft cheng-iccrg-delivery-rate-
    estimation): every acknowledgement, also in recovery, once losses are known. The law alone then sets ``cwnd``, also
    in recovery, and ``pace_rate`` [segments/s]; on_ack is not called, and on_timeout is called at every timeout, after
    segments were marked as lost. delivered, prior_flight, sample, interval, prior_arrived, sample_rtt, limited, lost,
    sent_flight, since_losses, since_marked, echo.
    on_lost: with on_sample, for each segment found lost, before anything else reacts to it. lost_flight, lost_since,
    lost_limited; now, delivered.

    Over TCP on_ack, on_loss and on_timeout are needed. Where switches write telemetry, on_ack is also called with the
    address of the telemetry that came back: by an acknowledgement, before anything else is done with it, or by a probe.

    Over RDMA a law sets the flow's ``rate`` [bit/s], at first that of its host's link; the hooks are on_start, on_ack
    (every acknowledgement, with acked and delivered and, where switches write telemetry, its address, and rtt) and
    five more, none of which is needed. At the start its window is endless; bytes: a full packet
    on the link; base_rtt; hops (the first two also over TCP, with ``rate`` and tcp, where it reads telemetry).  It may
    set ``cwnd``, the most segments outstanding: another one may leave while fewer are.

    on_notice: a congestion notification arrived. flight.
    on_timer: the time in the flow's ``law_at`` [ps], which any hook may set, has come; it is now NEVER again.
    on_sent: a packet was sent. bytes: on the link, headers and gap included.
    on_gap: a receiver reported a gap and recovery begins, before on_ack of the same acknowledgement. rtt.
    on_expiry: the retransmission timer expired.
    """

    on_start: Hook
    on_ack: Hook | None = None
    on_loss: Hook | None = None
    on_timeout: Hook | None = None
    on_ecn: Hook | None = None
    on_notice: Hook | None = None
    on_timer: Hook | None = None
    on_sent: Hook | None = None
    on_gap: Hook | None = None
    on_expiry: Hook | None = None
    on_sample: Hook | None = None
    on_lost: Hook | None = None


class Law(Component):
    """Base of the congestion controls that the packet engines know.

    accurate_echo: whether the receiver reports every mark (RFC 8257 §3.2) or repeats one until the sender has reacted
    (RFC 3168 §6.1.3); with the former acknowledgements understand marks too.
    """

    #: A law is written for the packet engine; a law that other engines support as well lists them.
    engines: ClassVar[tuple[str, ...]] = ("packet",)
    accurate_echo: ClassVar[bool] = False
    #: Whether receivers over RDMA acknowledge every packet, whatever ``host.ack_every`` says.
    acknowledged_one_by_one: ClassVar[bool] = False
    #: Loss recoveries of the hosts it runs on; the first one unless the host says otherwise.
    recoveries: ClassVar[tuple[str, ...]] = TCP
    #: Size of the sender's write buffer, in windows (Linux sndbuf_expand).
    provision: ClassVar[int] = 2
    #: Note that every run with several of its flows carries; empty for none.
    caution: ClassVar[str] = ""

    def on_hosts(self, profile: str | None) -> Law:
        """As hosts of a ``host.profile`` run it, for parameters whose automatic value depends on that."""
        return self

    def repaired_by(self) -> tuple[str, ...]:
        """Those of ``recoveries`` that these parameters allow."""
        return self.recoveries

    def notices(self) -> float | None:
        """Least time [s] between two congestion notifications that a receiver sends to one flow; none for none."""
        return None

    def at_line_rate(self, window: float, buffer: float, marked: bool) -> float:
        """Share of the time, 0 to 1, in which RDMA flows go on at line rate though a switch that may drop is full.

        window: line rate times round trip [bytes].  buffer: of the switch [bytes].  marked: whether a full switch has
        marked all packets. For estimates of cost, by what was measured (``tests.validation.tools.cost_estimates``).
        """
        return 0.0

    def telemetry(self) -> bool:
        """Whether switches write telemetry into its data packets."""
        return False

    def probes(self) -> bool:
        """Whether, over TCP, a probe once per round trip carries telemetry rather than its data packets."""
        return False

    def allots(self) -> bool:
        """Whether receivers set windows for all connections of their host together; the law's own memory is theirs."""
        return False

    def overhead(self) -> int:
        """Bytes of header that telemetry takes of each packet that carries it."""
        return 0

    def hooks(self) -> Hooks:
        """The compiled hooks."""
        raise NotImplementedError

    def scratch(self) -> int:
        """Words of memory of its own that every flow has, all 0 at first; the hooks' second argument."""
        return 0

    def estimates(self, own: Sequence[float]) -> tuple[float, float] | None:
        """Bandwidth [segments/s] and shortest round trip [ps] in a flow's own memory, 0 while unknown.

        None for a law that keeps no estimate of its path.
        """
        return None

    def parameters(self) -> tuple[float, ...]:
        """The hooks' parameter array."""
        raise NotImplementedError
