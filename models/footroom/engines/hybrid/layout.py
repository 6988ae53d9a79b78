"""Rows and lists that the fluid beside packets is kept in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.engines.fluid.per_flow.kernel import ROW as OWN_ROW
from footroom.kernel.tables import rows, table

# A flow's row goes on where that of ``per_flow`` ends. START: s. MOST: packets its receiver takes. SENT, LOST: packets,
# whole run. PLACE: where it is listed among the flows that send, -1 before its start and after its end. BY_SHARE: the
# gain of a law that marks cut by their share, 0 for one that they cut as losses do. LEAST_WINDOW: packets. HITS: times
# that it heard of a mark. LAW: its row among the senders that are told delivery rates, -1 for none. MOVED: s up to
# which its window has moved. FOLLOWING: the next flow of its route that has started, -1 for none.
MOST, ROUTE, SENT, LOST, PLACE, BY_SHARE, MOVED, FOLLOWING = range(OWN_ROW, OWN_ROW + 8)
LEAST_WINDOW, HITS, LAW, START = range(OWN_ROW + 8, OWN_ROW + 12)
#: A whole number of lines of the processor's cache, as for routes.
ROW = 32

# A port's row. LEFT_BEFORE, GONE: bytes that it had sent and lost at the last step. OWED: bytes lost that flows have
# yet to lose. DELAY: s. DUE_OUT: bytes that it has sent and blocks have not. COME: bytes of the blocks that come over
# this step. ANSWERED: bytes of acknowledgements that have left it and were not counted as packets. PASSES: whether
# nothing ever waits there. LEVEL: bytes of its queue at the last step. MARKED_BEFORE, REFUSED_BEFORE: marked packets
# and dropped acknowledgements that were not counted yet. SUM, SQUARES: of the windows of senders that pace.
# FIRST, LAST: blocks that wait; NEW, NEW_LAST: those that come.
LEFT_BEFORE, GONE, OWED, DELAY, DUE_OUT, COME, ANSWERED, PASSES, LEVEL, MARKED_BEFORE, REFUSED_BEFORE = range(11)
SUM, SQUARES = 11, 12
PORT_ROW = 13
FIRST, LAST, NEW, NEW_LAST = range(4)
PORT_LISTS = 4

# A route's row. NIC: most bytes/s that its sender sends. CREDIT: bytes by which windows have grown and that are still
# to be sent, below 0 where acknowledgements are still to come that let nothing out. TRIP: s of propagation and
# transmission. WAIT: s in queues. WINDOWS: packets in the network of all its flows. INSIDE: bytes in the network.
# ACKED: bytes that come back at this step. AT_HOST: bytes that wait for its host's link. COUNTED: bytes sent since
# windows last moved.
# STEPS: TRIP in steps. ALONE: its only flow, -1 for several. HELD_UP: whether its host held it up since. LISTED:
# whether it sends over this step. HELD_BACK: share of what comes back that is not sent again while CREDIT is below 0.
# LEFT: bytes that its flow still has to send, inf without an end. SHAPED: bytes/s that its host lets out, 0 for no
# limit, in bursts of BURST bytes. OPEN: bytes left of the present burst. NEXT: s when the next one may begin. WOKEN:
# whether it waits for that. PLACED: where it is listed among the routes with flows, -1 where it is not.
# QUEUES: whether it waits in a queue of its host that others share, AT_NIC: bytes of it there, AT_MOST: most of them.
# SMALL_QUEUE: s of its own rate that may wait there, LEAST_QUEUE: bytes that may at least. ANSWER: bytes of
# acknowledgements for each byte that it sends. THERE: ports up to its receiver. TOGETHER: bytes that it sends at least,
# what one acknowledgement lets out. BACK, MARKS: packets that came back, and marked ones, since windows last moved.
# REFUSED: 1 where its acknowledgements are dropped where data are marked. SAMPLED: as LAW of its only flow. ENTRY: its
# first port. FIRST_FLOW: of those that have started, -1 for none. WISHED: bytes of it that are in WISH. WATCHED: is it
# among the routes whose windows move every time. LATEST, HEARD: where classes are lossless, round trip [s] of what came
# back last, and the step it did in.
(
    # what comes back touches, then what is sent, then what windows that move touch: one line of the cache each
    SAMPLED,
    ACKED,
    BACK,
    MARKS,
    LISTED,
    INSIDE,
    AT_HOST,
    CREDIT,
    LEFT,
    QUEUES,
    SHAPED,
    COUNTED,
    AT_NIC,
    NIC,
    ENTRY,
    HELD_UP,
    WINDOWS,
    ALONE,
    TRIP,
    WAIT,
    HELD_BACK,
    FIRST_FLOW,
    WISHED,
    WATCHED,
    OPEN,
    BURST,
    TOGETHER,
    NEXT,
    WOKEN,
    PLACED,
    STEPS,
    THERE,
    ANSWER,
    AT_MOST,
    SMALL_QUEUE,
    LEAST_QUEUE,
    REFUSED,
    LATEST,
    HEARD,
) = range(39)
ROUTE_ROW = 40
#: Cache lines at the beginning of a flow's and of a route's row that windows that move touch.
LINES_MOVED = 3
#: The same of a route's row that what comes back and is sent touches.
LINES_SENT = 2

# The clock: seconds of a step, picoseconds when the next one is due, steps up to then, flows started, steps between two
# moves of windows, first free block and how many are free, and bytes of a packet. SPAN: steps that are taken at once
# now. LONGEST: most of them. WISH: bytes by which windows have grown and that are still to be sent. FLOWS, ROUTES:
# flows that send, and routes that have some. ANSWER_SIZE: bytes of an acknowledgement. RED, STEPS_AT: addresses of
# the markings. BY_TURNS: whether routes whose windows only grow slowly take turns to move. WATCHED_COUNT: those that do
# not. TURN: where the next turn begins.
STEP, DUE, COUNT, STARTED, EVERY, FREE, FREE_COUNT, PACKET, SPAN, LONGEST, WISH, FLOWS, ROUTES, ANSWER_SIZE = range(14)
RED, STEPS_AT, BY_TURNS, WATCHED_COUNT, TURN = range(14, 19)
CLOCK_ROW = 19

#: What a route sends in one step. answers: bytes that it acknowledges on its way back, when ``bytes`` are those of the
#: acknowledgements. marked: packets of it that are. sent: step in which its sender sent it.
BLOCK = table(
    ("route", "i4"),
    ("hop", "i4"),
    ("bytes", "f8"),
    ("answers", "f8"),
    ("marked", "f8"),
    ("following", "i8"),
    ("sent", "f8"),
)

#: Blocks that a slot's own row holds: more than usually come back in one step. Any others follow one another.
INLINE = 27
#: What comes back to its senders in one step. count: blocks. first, last: those that do not stand in ``blocks``, -1 for
#: none. bytes: of all.
SLOT = table(("count", "i4"), ("first", "i4"), ("last", "i4"), ("blocks", "i4", (INLINE,)), ("bytes", "f8"))
#: Cache lines of such a row.
LINES_SLOT = SLOT.itemsize // 64

PICO = 1e12


def aligned(count: int, row: int) -> npt.NDArray[np.float64]:
    """``count`` rows of ``row`` zeros; the first begins on a cache line."""
    return rows(count, table(("row", "f8", (row,))))["row"]
