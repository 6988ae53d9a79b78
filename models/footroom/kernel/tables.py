"""The tables compiled code works on: one row per port, queue, switch, packet, traffic class and flow.

Times are integer picoseconds, sizes integer bytes, sequence numbers count segments from 0. Congestion windows are
floating-point segments. ``-1`` means none.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: Smallest size of a packet, and size of a pure acknowledgement where frames are not modelled [B]: the shortest
#: Ethernet frame.
ACK_SIZE = 64

#: No deadline.
NEVER = np.int64(2**62)


#: Bytes of a line of the processor's cache.
_LINE = 64


def table(*fields: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> np.dtype[np.void]:
    """A row of these fields, filled up so that it never lies across more cache lines than it must."""
    tight = np.dtype(list(fields), align=True)
    size = tight.itemsize
    rest = -size % _LINE if size > _LINE else (1 << (size - 1).bit_length()) - size
    return np.dtype([*fields, ("filling", "i1", (rest,))], align=True) if rest else tight


def rows(count: int, table: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """``count`` rows of zeros that begin on a cache line, so that a row of one line does not lie across two."""
    memory = np.zeros(count * table.itemsize + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    return memory[start : start + count * table.itemsize].view(table)


#: The sending side of one direction of a link: transmitter, then the packets on the wire.
PORT = table(
    # what every packet touches comes first, so that it lies in few cache lines
    ("busy_until", "i8"),  # end of the transmission under way
    ("eligible", "i4"),  # bit k is set while packets of class k wait and may be sent: waiting and not paused
    ("armed", "i4"),  # whether its transmitter has an event pending; it has while anything is eligible
    ("line_head", "i4"),
    ("line_tail", "i4"),  # packets on the wire, oldest first
    ("last_arrival", "i8"),  # when the newest of them arrives
    ("rate", "i8"),  # picoseconds per byte, times 2^16
    ("delay", "i8"),  # propagation
    ("jitter", "i8"),  # largest random extra delay; order is kept
    ("switch", "i8"),  # the switch it belongs to; -1 at a host
    # what every packet that waits touches
    ("queue", "i8"),  # first of this port's queues: all classes of card 0, then of card 1 ...
    ("bytes", "i8"),  # waiting bytes; those charged, where it keeps memory
    ("changed", "i8"),  # when bytes last changed
    ("area", "f8"),  # integral of bytes over time [B·ps]
    ("largest", "i8"),  # most bytes since the window opened
    ("peak", "i8"),  # most bytes since a recorder last looked
    ("histogram", "i8"),  # row of the queue histogram; -1 when not watched
    ("waiting", "i4"),  # bit k is set while packets of class k wait, bit 8 while pause frames do
    ("backlog", "i4"),  # packets waiting in all its queues
    ("offered", "i8"),
    ("sent", "i8"),
    ("sent_bytes", "i8"),  # packets; bytes with the gaps between them
    ("card", "i4"),  # ingress line card of what arrives over this port at the other end
    ("cards", "i4"),  # from how many ingress line cards its packets come
    ("classes", "i2"),  # how many classes
    ("lossless", "i2"),  # bit k is set where class k is lossless
    ("sized", "i1"),  # whether its scheduler asks for the sizes of the next packets
    ("ranked", "i1"),  # the lowest of the classes that it serves by strict priority, before all below them
    ("keeps", "i2"),  # bit k is set where memory of class k is charged until the end of the transmission
    ("paused", "i2"),  # bit k is set while class k must not be sent
    ("sending", "i4"),  # the packet being sent whose memory is kept, -1 for none
    ("sending_of", "i8"),  # its queue's number
    ("marker", "i8"),  # address of the marking; 0 for none
    ("marker_params", "i8"),
    ("marks_late", "i8"),  # whether packets that may be marked are as they leave, not as they come
    ("random", "u8"),  # splitmix64 state
    # rarely
    ("dropped", "i8"),
    ("marked", "i8"),
    ("choose", "i8"),  # address of the scheduler's hook; 0 where there is one class
    ("choose_own", "i8"),
    ("choose_params", "i8"),  # addresses of its memory of this port, and of its parameters
    ("heads", "i8", (8,)),  # size of the next packet of each class, where the scheduler asks for them
    ("emptied", "i4"),  # bit k is set where class k has run empty since the last choice
    ("granted", "i8", (8,)),  # the card that last sent of each class
    ("frame_head", "i4"),
    ("frame_tail", "i4"),  # pause frames waiting to be sent, oldest first; ahead of all packets
    ("stopped", "i4"),  # bit k is set while a pause of class k holds, bit 8 while one of the whole port does
    ("held", "i8"),
    ("held_at", "i8"),  # time that its classes were paused, added up, and until when that is
    ("frame_until", "i8"),  # end of the last pause frame's transmission
    ("fluid", "i8"),  # row of the fluid that passes it; -1 for none
)

#: Packets waiting for one port in one class, on one ingress line card where there are several.
QUEUE = table(
    ("head", "i4"),
    ("tail", "i4"),
    ("packets", "i8"),
    ("bytes", "i8"),  # charged: where the port keeps memory, the packet being sent is among them
    ("reserved", "i8"),  # bytes that are this queue's own
    ("peak", "i8"),  # most bytes since a recorder last looked
    ("memory", "i8"),  # the memory it lies in; -1 at a host
    ("limit_packets", "i8"),
    ("limit_bytes", "i8"),  # most it may hold whatever the policy says
    ("klass", "i8"),  # its class
    ("index", "i8"),  # its number within its memory
    ("rate_at", "i8"),  # address of its port's rate
    ("dropped", "i8"),
    ("marked", "i8"),  # packets, whole run
    ("random", "u8"),  # splitmix64 state of the marking
    ("average", "f8"),
    ("averaged", "i8"),  # the marking's moving average of bytes, and when it was last brought up
    ("state", "f8", (16,)),  # the policy's own
)

#: One memory, shared by the queues of a switch or of one of its line cards.
SWITCH = table(
    ("buffer", "i8"),  # all of it
    ("pool", "i8"),  # what is left after the reserved parts
    ("shared", "i8"),  # bytes of the pool in use
    ("used", "i8"),  # bytes in use
    ("queues", "i8"),  # queues that share it
    ("policy", "i8"),  # address of the sharing policy's limit
    ("on_enqueue", "i8"),
    ("on_dequeue", "i8"),
    ("on_drop", "i8"),
    ("on_pass", "i8"),  # of its other hooks; 0 for none
    ("params", "i8"),  # address of its parameters
    ("largest", "i8"),  # most bytes in use since the window opened
    ("peak", "i8"),  # most shared bytes since a recorder last looked
    ("scratch", "i8"),  # address of the policy's own memory
    ("cell", "i8"),  # bytes of a cell: every packet takes whole ones; 1 where bytes are counted
    ("gap", "i8"),  # bytes of a link between two packets
    # where classes are lossless, in the row of the pool that their priority groups share
    ("place", "i8"),
    ("resume", "i8"),  # addresses of the headroom's hooks
    ("pauses", "i8"),  # pauses that hold, of groups and of whole ports
    ("retest", "i8"),  # most shared bytes in use at which one of them may end without a release of its own
    ("ingress", "i8"),  # the first port that packets come in by; -1 for none
    # and in the row of the whole memory
    ("headroom", "i8"),
    ("headroom_pool", "i8"),  # bytes of headroom in use, and the most that may be
    ("headroom_largest", "i8"),  # most of it since the window opened
)

#: Fluid that passes a port beside its packets: bytes of the link, and bytes per picosecond.
FLUID = table(
    ("port", "i8"),
    ("queue", "i8"),  # -1 for none; the queue it waits in
    ("rate", "f8"),  # at which it arrives
    ("at", "i8"),  # when the row was last brought up to date
    ("work", "f8"),  # bytes of fluid and packets still to be sent
    ("inside", "f8"),
    ("waiting", "f8"),  # fluid that waits, and packets that do
    ("limit", "f8"),  # most that may wait
    ("packet", "f8"),  # size of its packets
    ("burst", "f8"),  # packets that it would come in together
    ("gap", "f8"),
    ("gap_at", "i8"),  # room that its packets leave when it fills the memory, and when it was found
    ("full_at", "i8"),  # since when it has filled the memory, -1 where it does not
    ("burst_since", "f8"),
    ("service_since", "f8"),  # bytes come in since its last burst; sent since a packet was begun
    ("charged", "i8"),
    ("packets", "i8"),  # bytes and packets that the memory holds for it
    ("offered", "f8"),
    ("lost", "f8"),
    ("sent", "f8"),  # whole run
    ("counted_offered", "i8"),
    ("counted_lost", "i8"),
    ("counted_sent", "i8"),
    ("counted_bytes", "i8"),
)

#: What a switch keeps for the packets that come in over one port's wire, where classes are lossless.
INGRESS = table(
    ("headroom", "i8"),
    ("limit", "i8"),  # bytes of headroom in use by all its groups, and the most that may be
    ("shared", "i8"),  # shared bytes of all its groups
    ("pauses", "i4"),  # bit k is set while group k asks for a pause, bit 8 while the whole port does
    ("classes", "i4"),  # bit k is set where class k is lossless
    ("insurance", "i8"),
    ("xon_offset", "i8"),  # of the port as a whole
    ("memory", "i4"),
    ("pool", "i4"),  # rows of the memory and of the pool that its groups share
    ("next", "i4"),  # the next port of the same pool; -1 for none
    ("opposite", "i4"),  # the port that pause frames leave by
    ("headroom_largest", "i8"),  # most headroom since the window opened
    ("response", "i8"),
    ("pause_time", "i8"),
    ("refresh", "i8"),  # see footroom.engines.plan.lossless
    ("alphas", "f8", (8,)),  # of its groups; 0 where there is none
    ("sent", "i8", (8,)),  # packets that its switch has sent over the port itself, by class, whole run
)

#: A priority group: the packets of one lossless class that came in by one port.
GROUP = table(
    ("own", "i8"),
    ("shared", "i8"),
    ("headroom", "i8"),  # bytes by where they are charged
    ("reserved", "i8"),
    ("limit", "i8"),  # bytes that are its own; most headroom it may use
    ("alpha", "f8"),
    ("xon", "i8"),
    ("xon_offset", "i8"),
    ("klass", "i8"),
    ("largest", "i8"),
    ("headroom_largest", "i8"),  # most bytes outside and in headroom since the window opened
    ("dropped", "i8", (5,)),  # packets, whole run, by cause: NO_MEMORY and the rest
)

#: One pause, of a class or of the whole port: as its switch asks for it, and as it holds at the other end of the link.
PAUSE = table(
    ("begin", "i8"),
    ("end", "i8"),  # at the port that is paused: from when until when; NEVER
    ("timer_at", "i8"),  # when its event is pending there; NEVER for none
    ("held", "i8"),
    ("held_at", "i8"),  # time that it held, whole run, and since when it does; -1 while it does not
    ("refresh", "i8"),
    ("refresh_at", "i8"),  # at the switch: when it is asked for again; when the event is pending
    ("asked", "i8"),
    ("asked_at", "i8"),  # time from Xoff to Xon, whole run, and since when; -1 while not asked for
    ("first", "i8"),  # when it was first asked for; -1 for never
    ("frames", "i8"),  # frames that ask for it, whole run
)

#: One packet; a data packet turns into its acknowledgement in place.
PACKET = table(
    ("next", "i4"),
    ("flow", "i4"),
    ("hop", "i4"),  # position in the route table
    ("size", "i4"),  # bytes of its frame, or of the IP packet where frames are not modelled
    ("sort", "i1"),  # DATA, ACK, CNP, PAUSE_FRAME, PROBE or PROBE_REPLY
    ("klass", "i1"),  # its class of traffic, which picks the queue at every switch
    ("flags", "i2"),  # see ECT and the rest
    ("ingress", "i4"),  # the port over whose wire it came to where it is
    ("seq", "i8"),  # data: its segment; otherwise: next segment expected
    ("time", "i8"),  # on the wire: when it arrives
    ("stamp", "i8"),  # when the data was sent, echoed
    ("left", "i8"),
    ("right", "i8"),  # the block of segments received beyond a gap; empty when equal
)

#: Flags of a packet: its sender understands marks; it was marked; its receiver saw a mark; its sender has reacted.
ECT, CE, ECHO, CWR = 1, 2, 4, 8
#: An acknowledgement that reports a gap, to RDMA hosts.
NACK = 16
#: Switches write telemetry into it.
INT = 32
#: Sorts of packets: data, acknowledgement, congestion notification.
DATA, ACK, CNP = 0, 1, 2
#: A probe for telemetry, which its receiver sends back as a reply; their ``stamp`` says when it was sent.
PROBE, PROBE_REPLY = 4, 5
#: A pause frame: ``seq`` is the pause it speaks of (its number at the port, 8 for the whole port), plus 16 to resume.
PAUSE_FRAME = 3
#: How many pauses a port has, the last (WHOLE) for the port itself; the bit of resuming.
PAUSES, RESUME_BIT = 9, 16

#: Telemetry of one packet, a row of integers: how many switches it has left, then four words for each of them.
HOPS, HOP_WORDS = 5, 4
#: Of these four: when it left [ps], bytes that its port had sent before, bytes that waited there behind it, and the
#: port's picoseconds per byte times 2^16.
HOP_TIME, HOP_BYTES, HOP_QUEUE, HOP_RATE = 1, 2, 3, 4
#: Words of such a row: three cache lines.
TELEMETRY_WORDS = 24

#: Why a packet of a lossless class was dropped: the memory was full; its group had no headroom left, its port, or the
#: pool of headroom; it was to be marked and its sender does not understand marks.
NO_MEMORY, NO_GROUP, NO_PORT, NO_POOL, NO_MARK = 0, 1, 2, 3, 4

#: One flow: sender and receiver. A law may write cwnd, ssthresh, cut_end, cwr, rate, law_at and its
#: own memory; it reads the rest.
FLOW = table(
    # what nearly every acknowledgement touches comes first, so that it lies in few cache lines
    ("una", "i8"),
    ("nxt", "i8"),
    ("top", "i8"),  # oldest unacknowledged, next to send, highest ever sent + 1
    ("cwnd", "f8"),
    ("ssthresh", "f8"),
    ("segments", "i8"),
    ("klass", "i8"),
    ("end", "i8"),  # data; traffic class; last byte acknowledged, -1 under way
    ("ring", "i8"),
    ("ring_size", "i8"),  # the ring of segments between una and top
    ("mode", "i8"),  # 0 open, 1 recovery, 2 after a timeout
    ("sacked", "i8"),
    ("lost", "i8"),
    ("resent", "i8"),  # segments outstanding of each sort
    ("rto_at", "i8"),
    ("timer_at", "i8"),
    ("rto", "i8"),
    ("srtt", "i8"),
    ("rttvar", "i8"),
    ("min_rtt", "i8"),
    ("force", "i8"),  # segments that may be sent whatever the window
    ("newest", "i8"),  # latest sending known to have arrived
    ("resent_head", "i8"),  # oldest segment sent again
    ("high1", "i8"),  # high1 to high3: highest selectively acknowledged
    ("cut_end", "i8"),  # sender: marks below this segment have been reacted to
    ("cwr", "i8"),  # sender: whether the next new segment says that the window was cut
    ("scratch", "i8"),  # address of the law's own memory
    ("forward", "i8"),
    ("wake_at", "i8"),
    ("delivered", "i8"),
    ("pace_left", "i8"),
    ("at_host", "i8"),
    ("blocked", "i8"),  # its packets in its host's queue; whether it waits for them to leave
    # receiver
    ("rcv", "i8"),
    ("beyond", "i8"),  # next expected; segments received beyond a gap
    ("pending", "i8"),
    ("pending_stamp", "i8"),
    ("ack_at", "i8"),
    ("reverse", "i8"),
    ("echo", "i8"),  # the mark to report, 0 or 1
    ("priority", "i8"),
    ("ack_priority", "i8"),  # class of its data, and of what its receiver sends
    # rarely
    ("rcv_left", "i8"),
    ("rcv_right", "i8"),  # receiver: the block the newest segment beyond a gap belongs to
    ("mark", "i8"),  # how far losses were marked
    ("recover", "i8"),
    ("dupacks", "i8"),
    ("repair", "i8"),  # where to look for the next to resend
    ("high2", "i8"),
    ("high3", "i8"),
    ("block_left", "i8"),
    ("block_right", "i8"),  # last block processed
    ("resent_tail", "i8"),
    ("prr_delivered", "i8"),
    ("prr_out", "i8"),
    ("prr_flight", "i8"),
    ("partial", "i8"),  # partial acknowledgements seen in this recovery
    ("rescue", "i8"),  # where the recovery ended that last sent its final segment again on suspicion
    ("tried", "i8"),  # oldest segment at the last timeout
    ("pace_at", "i8"),  # earliest next burst; pace_left counts the segments left of the present one
    ("granted", "i8"),  # segments that may still leave of the burst of new data that has begun
    ("ready", "i8"),  # segments that the application has handed over: all, or those of queries it has begun
    ("start", "i8"),
    ("last_size", "i8"),
    ("answered", "i8"),  # queries answered so far
    ("lead", "i8"),  # connection set-up between start and first data
    ("following", "i8"),  # the flow that starts after this one's end; -1 for none
    ("gap", "i8"),  # from the end that it waits for to its start
    ("barrier", "i8"),  # the first flow of the query that begins when the one it answers has ended; -1 for none
    ("awaited", "i4"),
    ("together", "i4"),  # of that first flow: answers still awaited; how many flows start with it
    ("window", "f8"),  # segments to start with; 0 for slow start
    ("continues", "i8"),  # the flow before it on the same connection; -1 for a new one
    ("waits", "i8"),  # whether its time has come before that one's end
    ("last_sent", "i8"),  # when it last sent; kept for persistent connections only
    ("quick", "i8"),  # segments at the start that are acknowledged one by one
    ("timeouts", "i8"),
    ("retransmissions", "i8"),  # counters, like delivered
    ("dropped", "i8"),  # its data packets that some switch refused
    # only with tail loss probes
    ("probe_at", "i8"),  # when a probe is due, or a hole a loss; 0 when that is to be reckoned anew
    ("probe_end", "i8"),  # the segment after those outstanding when a probe was sent; -1 while none is under way
    ("handshake", "i8"),  # round trip known before any data; 0 for none
    ("probes", "i4"),  # counter, like timeouts
    ("probing", "i1"),  # whether a probe is to be sent as soon as pacing lets it
    ("probe_again", "i1"),  # whether the probe repeats a segment
    ("timed", "i1"),  # whether a round trip was measured since the last probe
    # only with a law that is told delivery rates
    ("pace_rate", "f8"),  # segments per second that the law lets out
    ("arrived", "i8"),
    ("arrived_at", "i8"),  # segments known to have arrived, and when the last of them was
    ("first_sent", "i8"),  # when the segments under way began to leave
    ("limited", "i8"),  # samples are those of a sender without data until so many have arrived; 0 for none
    ("losses", "i8"),  # segments marked as lost, again and again
    ("arrived_marked", "i8"),  # of those known to have arrived, how many the receiver reported as marked
    # whether the window was full when something was last sent, and within the window before; most outstanding in it
    ("window_full", "i8"),
    ("window_end", "i8"),
    ("most_out", "i8"),
    ("random", "u8"),  # splitmix64 state
    # only where a probe brings telemetry back
    ("asked_at", "i8"),  # when the probe under way was sent; -1 while none is
    # of RDMA hosts, the second also with such a law, the first also with telemetry
    ("rate", "f8"),  # most it sends [bit/s]: what its law says
    ("paced_at", "i8"),
    ("paced_bits", "i8"),  # when its last packet or burst left, and its bits on the link
    ("law_at", "i8"),  # when the law's timer is due, set by the law
    ("law_armed", "i8"),  # when the event of that timer is pending
    ("timed_from", "i8"),  # when the retransmission timer was last restarted
    ("nack_at", "i8"),
    ("nacked", "i8"),  # receiver: when the gap before that segment may be reported again
    ("cnp_at", "i8"),  # receiver: when the next notification may be sent
    ("notices", "i8"),  # receiver: notifications sent, a counter
    # only where receivers allot windows
    ("host", "i8"),  # the receiving host's row
    ("edge", "i8"),  # sender: the segment after those that the receiver has offered to take
    ("heard", "i8"),  # sender: when the newest acknowledgement that has come was sent; 0 for none
)

#: What a host knows that allots windows to its connections; see ``packet.allotment``.
RECEIVER = table(
    ("capacity", "f8"),  # of its link [bit/ps]
    ("until", "i8"),
    ("length", "i8"),  # end of this half of a slot, and how long it is
    ("phase", "i8"),
    ("slot", "i8"),  # which half; number of the slot
    ("bytes", "i8"),  # arrived in the first half
    ("measured", "f8"),
    ("available", "f8"),  # spare rate at its end, and what is left of that [bit/ps]
    ("trips", "f8"),
    ("weight", "f8"),  # round trips of what arrived, times bytes; bytes
    ("windows", "f8"),
    ("connections", "i8"),  # sum of the windows, and how many
)

#: What an acknowledgement brings where receivers allot windows: the end of what is offered, and when it was sent; a
#: data packet brings back the latter.
OFFER = table(("edge", "i8"), ("at", "i8"))

#: One outstanding segment of a flow.
SEGMENT = table(("sent", "i8"), ("next", "i4"), ("prev", "i4"), ("flags", "i8"))

#: What was known when an outstanding segment was sent last, for the sample of its delivery rate.
SAMPLE = table(
    ("arrived", "i8"),
    ("arrived_at", "i8"),
    ("first_sent", "i8"),  # the flow's fields at that moment
    ("limited", "i4"),  # whether its sender was without data
    ("flight", "i4"),  # segments in flight, this one included
    ("losses", "i4"),
    ("marked", "i4"),  # the flow's losses and arrived_marked
)

#: What a law is told: the last thing that happened to one flow. Counts are of segments; a hook says what it reads.
REPORT = table(
    ("now", "i8"),  # time
    ("acked", "i8"),  # newly acknowledged in order
    ("delivered", "i8"),  # newly known to have arrived, in order or by selective acknowledgement
    ("flight", "i8"),  # outstanding
    ("marked", "i8"),  # of those acknowledged, how many the receiver reports as marked
    ("rtt", "i8"),  # round trip that this acknowledgement measures; -1 for none
    ("window", "i8"),  # initial window
    ("burst", "i8"),  # segments of new data that wait for each other
    ("bytes", "i8"),  # of the link that the packet sent just now takes; at the start, a full packet
    ("resumed", "i8"),  # whether the flow goes on over the connection of one that has ended
    # with a sample of the delivery rate
    ("prior_flight", "i8"),  # segments in flight before
    ("prior_arrived", "i8"),  # segments known to have arrived when the newest one of these was sent
    ("sample", "i8"),  # segments that have arrived since; -1 where nothing new has
    ("interval", "i8"),  # the time that took [ps]; at most 0 where it tells nothing
    ("since", "i8"),  # when the arrivals began to be counted
    ("sample_rtt", "i8"),  # round trip of the newest segment; -1 where it was sent twice; also with hystart
    ("limited", "i8"),  # whether its sender was without data
    ("lost", "i8"),  # segments newly marked as lost
    ("sent_flight", "i8"),  # segments in flight once the newest one had been sent
    ("since_losses", "i8"),
    ("since_marked", "i8"),  # segments lost, and arrivals reported as marked, since then
    ("echo", "i8"),  # whether this acknowledgement reports a mark
    # of one segment that is found lost: in flight once it had been sent; lost since, itself included, or 0 where only
    # the probe of a lost tail shows that one was; whether its sender was without data
    ("lost_flight", "i8"),
    ("lost_since", "i8"),
    ("lost_limited", "i8"),
    ("handshake", "i8"),  # round trip known before any data; 0 for none
    ("autosize", "i8"),  # whether bursts are as long as the pacing rate makes them
    ("payload", "i8"),  # bytes in a full segment
    ("hystart", "i8"),  # how slow start ends before a loss; see footroom.parts.congestion.hystart
    ("paced", "i8"),  # whether the host paces what its window lets out
    ("telemetry", "i8"),  # address of what switches wrote into the packet; 0 for nothing
    ("probe", "i8"),  # whether a probe brought it back, not an acknowledgement
    ("tcp", "i8"),  # at the start: whether it runs over TCP
    ("hops", "i8"),  # at the start: switches on the path
    ("base_rtt", "i8"),  # at the start: the longest round trip in the network without queueing
)
