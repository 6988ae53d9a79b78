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
    """A row of these fields, padded so that it never spans more cache lines than it must."""
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
    ("since", "i8"),  # when bytes last rose from 0
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
MEMORY = table(
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
    ("spare", "i8"),  # bytes of the pool that stay free for what groups may take beyond their headroom
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
    # Where holes come back: mean window of its flows; 1 where a place is open that one of its packets waits for; fluid
    # that had come when that was drawn or the memory was not full, and when packets last met it full.
    ("window", "f8"),
    ("open", "f8"),
    ("open_come", "f8"),
    ("met_come", "f8"),
    ("burst_since", "f8"),
    ("service_since", "f8"),  # bytes come in since its last burst; sent since a packet was begun
    ("paced", "i8"),  # senders that pace its bursts, each by itself; 0 where acknowledgements clock them
    # Holes that packets have left in it, see ``packet.fluid_holes``: after how long [ps] they come back, 0 where they
    # do not; the first of their rows, and how many those are less one, 0 for none; shortest time between two of them
    ("hole_trip", "i8"),
    ("first_hole", "i8"),
    ("hole_mask", "i8"),
    ("hole_least", "i8"),
    ("holes", "i8"),  # how many, whole run
    ("hole_come", "i8"),
    ("hole_left", "i8"),  # how many had come back when that was last asked, and had left
    ("rate_since", "i8"),
    ("rate_until", "i8"),  # when its rate was set, and up to when it is, where holes come back
    ("late", "f8"),  # bytes by which it was behind its rate when a packet last came since; at least 0
    ("charged", "i8"),
    ("packets", "i8"),  # bytes and packets that the memory holds for it
    ("offered", "f8"),
    ("lost", "f8"),
    ("sent", "f8"),  # whole run
    ("counted_offered", "i8"),
    ("counted_lost", "i8"),
    ("counted_sent", "i8"),
    ("counted_bytes", "i8"),
    # where classes may be paused
    ("first_part", "i8"),
    ("last_part", "i8"),  # its parts, the last not included
    ("stood", "i8"),
    ("stood_at", "i8"),  # time that its port was paused, whole run, and since when it is; -1 while it is not
)

#: A packet, or several close together, during which no fluid has left a port; or an instant at which a step has begun.
HOLE = table(
    ("begin", "i8"),
    ("until", "i8"),  # ps
    ("sent", "f8"),  # bytes of fluid that had left by then, whole run
)

#: The fluid at one port of a switch with lossless classes that came in by one other port: bytes of the link, and bytes
#: per picosecond.
FLUID_PART = table(
    ("ingress", "i8"),  # by which it came in
    ("at", "i8"),
    ("held", "f8"),  # a time of its fluid's steps, and what waited then
    ("comes", "f8"),
    ("lost", "f8"),  # what comes, and was lost, since then
    ("refused", "f8"),  # packets lost and not yet counted
    ("charged", "i8"),  # bytes that its priority group holds for it
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

#: One pause, of a class or of the whole port: as its switch asks for it, and its effect at the other end of the link.
PAUSE = table(
    ("begin", "i8"),
    ("end", "i8"),  # at the port that is paused: from when until when; NEVER
    ("timer_at", "i8"),  # when its event is pending there; NEVER for none
    ("of", "i8"),  # when that was asked for whose frame made it begin
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
    ("sort", "i1"),  # DATA, ACK, CNP, PAUSE_FRAME, PROBE, PROBE_REPLY, SETUP or SETUP_REPLY
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
#: The last of several segments that left together, which asks for an acknowledgement at once.
PUSH = 64
#: Sorts of packets: data, acknowledgement, congestion notification.
DATA, ACK, CNP = 0, 1, 2
#: A probe for telemetry, which its receiver sends back as a reply; their ``stamp`` says when it was sent.
PROBE, PROBE_REPLY = 4, 5
#: A packet that sets up a connection, and the answer to it; their ``stamp`` says when the former was sent.
SETUP, SETUP_REPLY = 6, 7
#: A pause frame: ``seq`` is the pause it concerns (its number at the port, 8 for the whole port), plus 16 to resume.
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
