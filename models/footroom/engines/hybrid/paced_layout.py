"""Rows that the fluid of paced flows is kept in."""

from __future__ import annotations

# A flow's row; the row that its law sees lies in a table of ``kernel.flow_tables.FLOW`` beside it. START: s.  RATE:
# bytes/s that its law lets out.  SENDS: bytes/s that leave its host, less where flows share its link.  ACCOUNTED: s up
# to when SENT, bytes of the whole run, is counted.  TOLD: bytes of SENT that its law has been told of.  NOTIFIES: s
# from when on its receiver sends the next notification, by when that reaches the sender.  ROUTE, HOST: rows.
# FOLLOWING: the next flow of the same host, -1 for none.  TIMED: whether a wake-up of its law is in the ring.
# INTERVAL: s between two notifications to it.
START, RATE, SENDS, ACCOUNTED, SENT, TOLD, NOTIFIES, ROUTE, HOST, FOLLOWING, TIMED, INTERVAL = range(12)
ROW = 12

# A route's row. RATE_NOW: bytes/s of its flows.  TRIP: s of propagation and transmission, there and back.  FIRST, LAST,
# THERE: its first pass of a port, the one after its last, and the one after its receiver.  ANSWER: bytes of
# acknowledgements for each byte.  MEMBERS, MEMBERS_END: where its flows are listed.
RATE_NOW, TRIP, FIRST, LAST, THERE, ANSWER, MEMBERS, MEMBERS_END = range(8)
ROUTE_ROW = 8

# A pass is a route at one port. COMES: bytes/s.  HELD: bytes that wait.  OF: its route.  LEFT: bytes/s that left.
# LAG: steps after which what left the port before is here.  WIRE: where it is in the list of what is on the way, for
# all but one of these steps.  ELAPSED: s from the sender to here without waits.  PART: its row among the parts of
# fluid that priority groups hold, -1 for none.  PUT, CAME: bytes put on the wire to here, and come from it.
COMES, HELD, OF, LEFT, LAG, WIRE, ELAPSED, PART, PUT, CAME = range(10)
PASS_ROW = 10

# A port's row. LEFT_BEFORE, GONE: bytes that it had sent and lost at the last step.  DELAY: s.  UNTIL_MARK: packets,
# each counted with its chance of a mark, until the next mark.  MARKED: packets marked and not yet counted.  ANSWERED:
# bytes of acknowledgements not yet counted as packets.  BEGINS, ENDS: its passes in their list.  AVERAGE: bytes, of its
# queue, where the marking has a memory.  KEPT: part of what came over the last step that was not lost.
# SPELLS: of losses, each a round trip after the one before.  LOST_AT: s, the latest loss.  LONGEST: s, of all DELAYs.
LEFT_BEFORE, GONE, DELAY, UNTIL_MARK, MARKED, ANSWERED, BEGINS, ENDS = range(8)
AVERAGE, KEPT, SPELLS, LOST_AT, LONGEST = range(8, 13)
PORT_ROW = 13

# A host's row. LINE: bytes/s of its link.  FIRST_FLOW: -1 for none.  SUM: bytes/s that the laws of its flows let out.
# PORT: its row among the ports, -1 where nothing else uses the link.  PACKETS: bytes of packets that it had sent at the
# last step.  WAIT: bytes that a packet of its flows waits for.  CHANGED: whether laws have changed rates since.
LINE, FIRST_FLOW, SUM, PORT, PACKETS, WAIT, CHANGED = range(7)
HOST_ROW = 7

# The clock. STEP: s.  DUE: ps at which the next step is.  COUNT: steps up to now.  PACKET, ANSWER_SIZE: bytes.
# STARTED: flows started.  FREE: first free entry of the ring.  GIVEN: bytes that came to the first ports of routes.
# APART: s from one spell of losses to the next.
STEP, DUE, COUNT, PACKET, ANSWER_SIZE, STARTED, FREE, GIVEN, APART = range(9)
CLOCK_ROW = 9

# Addresses of a flow's law: its parameters and its hooks, 0 for none.
PARAMS, ON_START, ON_NOTICE, ON_TIMER, ON_SENT = range(5)
LAW_ROW = 5
# Addresses of what all flows share: their rows of ``FLOW``, what laws are told, and the hooks of the markings.
FLOW_BASE, REPORT_BASE, RED, STEPS = range(4)
ADDRESSES = 4

#: Entries of the ring of what is to happen: a flow, what it is, and the next entry of the same step.
NOTICE, TIMER = 0, 1

PICO = 1e12
