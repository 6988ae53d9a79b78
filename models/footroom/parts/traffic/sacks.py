"""How Linux holds back acknowledgements of segments beyond a gap (tcp_input.c, __tcp_ack_snd_check)."""

from __future__ import annotations

#: Reports of one gap that are sent at once: as many as tell its sender of a loss (TCP_FASTRETRANS_THRESH).
AT_ONCE = 3
#: Most segments that are held back together (tcp_comp_sack_nr).
MOST_TOGETHER = 44
#: None waits for longer than this part of the round trip.
PARTS_OF_TRIP = 20
