"""What the compiled loop works on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footroom.calculators.emulator.arrivals import Ints

Table = npt.NDArray[np.void]

# Columns of ``counts``, one row per port.
OFFERED, OFFERED_BYTES, DROPPED, DROPPED_BYTES, SENT, SENT_BYTES, PEAK = range(7)
# Columns of ``bursts``, one row per burst.
BURST_PACKETS, BURST_BYTES, BURST_DROPPED, BURST_DROPPED_BYTES, BURST_FIRST = range(5)
# Columns of ``series``, one row per port and step.
SEEN, LOWEST, HIGHEST, LAST, ASKED, LIMIT_LOWEST, LIMIT_HIGHEST, LOST = range(8)
# Columns of ``memory``, one row per step.
USED_SEEN, USED_LOWEST, USED_HIGHEST, USED_LAST = range(4)


class Replay(NamedTuple):
    """One policy applied to one stream of arrivals.

    scalars: step of the series [ps] (0 for none), whether to stop at the first packet of a burst (of any packet, where
    there are no bursts) that is dropped, first such packet (-1), time of the last departure, number of entries of
    ``waiting`` in use.  bases: addresses of the switch row, the queue rows, a blank flow row and the packet row, which
    is filled with the present packet.  rate: of every port, picoseconds per byte times 2^16.  due: when each port sends
    next.  waiting: the ports that have packets waiting, in no order.  taken, wire: bytes of
    memory and byte times of a link that each packet takes.
    """

    scalars: Ints
    bases: Ints
    time: Ints
    port: Ints
    size: Ints
    taken: Ints
    wire: Ints
    flow: Ints
    seq: Ints
    burst: Ints
    following: Ints
    switch: Table
    queues: Table
    packet_row: Table
    rate: Ints
    busy: Ints
    due: Ints
    waiting: Ints
    counts: Ints
    bursts: Ints
    series: Ints
    memory: Ints


# Places in ``scalars``.
STEP, STOP, FIRST_DROP, END, BACKLOGGED = range(5)
