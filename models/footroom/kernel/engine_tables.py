"""The tables of the packet engine's loop itself: pending events, its own scalars, and what it logs.

Times are integer picoseconds; see ``footroom.kernel.tables``.
"""

from __future__ import annotations

import numpy as np

from footroom.kernel.tables import table

#: The pending event of one component.
EVENT = table(
    ("when", "i8"),
    ("following", "i4"),
    ("preceding", "i4"),  # in its bucket
    ("place", "i4"),  # in the heap; below 0 in a wheel
)

#: The engine's own scalars.
STATE = table(
    ("now", "i8"),
    ("status", "i8"),
    ("events", "i8"),
    ("pause_at", "i8"),  # number of events after which the loop returns in the midst; NEVER for not at all
    ("flow_base", "i8"),
    ("queue_base", "i8"),
    ("memory_base", "i8"),
    ("packet_base", "i8"),  # addresses of the tables
    ("ingress_base", "i8"),
    ("group_base", "i8"),
    ("port_base", "i8"),
    ("report_base", "i8"),  # and of the report to laws
    ("telemetry_base", "i8"),
    ("heap", "i8"),  # events in the overflow heap
    ("wheel", "i8"),  # events in the timing wheel
    ("shift", "i8"),  # a bucket of the wheel is 2^shift picoseconds wide
    ("bucket", "i8"),  # number of the bucket of the latest event
    ("words", "i8"),  # which words of the bitmap have bits
    ("far_words", "i8"),  # the same of the coarse wheel
    ("far_at", "i8"),  # no event of the coarse wheel is earlier; NEVER when it is empty
    ("free", "i8"),
    ("free_count", "i8"),
    ("packets", "i8"),
    ("ring_top", "i8"),
    ("ring_free", "i8", (40,)),  # free list per ring size, by exponent
    ("next_flow", "i8"),
    ("active", "i8"),
    ("finished", "i8"),
    ("traced", "i8"),
    ("tracing", "i8"),
    ("queries", "i8"),  # lines of the list of queries that were answered
    ("query_room", "i8"),  # lines of that list beyond which the loop returns to have it grown
    ("passing", "i8"),  # whether some sharing policy counts packets that find their port idle
    ("awaited", "i8"),  # whether the loop returns when a flow ends
    ("created", "i8"),
    ("arrived", "i8"),
    ("dropped", "i8"),  # packets of both sorts, whole run
    ("delivered", "i8"),  # data packets that reached their receiver, whole run
    # first component of each range (footroom.engines.packet.components), and how many there are
    ("wires", "i8"),
    ("flow_timers", "i8"),
    ("flow_start", "i8"),
    ("pause_timers", "i8"),
    ("refresh_timers", "i8"),
    ("receiver_slots", "i8"),
    ("law_timers", "i8"),
    ("components", "i8"),
    ("gap", "i8"),  # bytes of a link between two packets
    ("spare", "i8"),  # free packets below which the loop returns to have the table grown
    ("route_end", "i8"),  # place of an end in the route table: where pause frames are
    ("starters", "i8"),  # flows that start by themselves; the others, which follow one, come after them
    ("extra", "i8"),  # a second packet to offer after the one at hand; -1 for none
    ("unsent", "i8"),  # the flow that found a table full while it sent, and goes on first of all; -1 for none
    ("logging", "i8"),  # whether pauses are logged
    ("logged", "i8"),
    ("log_lost", "i8"),  # lines of the log in use, and lines for which there was no room
    ("walks", "i8"),  # queues that were walked for the log
)

#: One line of the log of pauses. what: PAUSE_ASKED and the rest.  pause: its row in the table of pauses.  Asked for:
#: the ``port`` and class where most bytes of the group wait, all bytes of that queue, and when its oldest packet came.
#: Held: since when; ``bytes`` is the time at which that pause was asked for.  Stalled: the flow whose packets waited,
#: and since when.
PAUSE_LOG = table(
    ("what", "i8"),
    ("pause", "i8"),
    ("at", "i8"),
    ("port", "i8"),
    ("klass", "i8"),
    ("bytes", "i8"),
    ("flow", "i8"),
    ("since", "i8"),
)
#: A switch asks for a pause; it lets it end; a pause has held a port back; it has held packets of a flow back.
PAUSE_ASKED, PAUSE_ENDED, PAUSE_HELD, PAUSE_STALLED = 0, 1, 2, 3

#: One query that was answered over a connection that carries a stream of them: whose, and when.
QUERY = np.dtype([("flow", "i8"), ("when", "i8")])

#: One line of the trace: what (0 arrival, 1 departure, 2 drop, 3 delivery), where, whose; ack: the packet's sort.
TRACE = table(("time", "i8"), ("what", "i4"), ("port", "i4"), ("flow", "i4"), ("ack", "i4"), ("seq", "i8"))
