"""All tables of one simulation, and the constants compiled code shares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Table = npt.NDArray[np.void]

#: Marks an index as never negative: Python's counting from the end costs a tenth of the engine's speed.
u = np.uint64

# Why the loop returned before its time was up.
DONE, GROW_PACKETS, GROW_SEGMENTS, TRACE_FULL, FLOW_ENDED, PAUSED, GROW_QUERIES = 0, 1, 2, 3, 4, 5, 6

#: Free packets below which the loop returns to have the table grown: an event may need two acknowledgements. Where
#: classes are lossless it may send pause frames besides, as many as a switch has pauses.
FEWEST_FREE = 4

#: Lines of the list of queries to begin with; it grows.
FEWEST_QUERIES = 1024

#: Lines of the log of pauses between two looks at it.
PAUSE_LINES = 65536

#: The bit of pause frames among those of a port's classes.
FRAMES = 1 << 8

# Modes of a sender.
OPEN, RECOVERY, LOSS = 0, 1, 2

# Recovery styles.
NEWRENO, SACK, PRR, GO_BACK_N, SELECTIVE = 0, 1, 2, 3, 4

# Flags of an outstanding segment; RECEIVED belongs to the receiver. PROBED: sent again though not lost.
SACKED, LOST, RESENT, RECEIVED, PROBED = 1, 2, 4, 8, 16

# What a line of the trace reports.
ARRIVAL, DEPARTURE, DROP, DELIVERY = 0, 1, 2, 3

#: Queue histogram: exact below 128 B, then 128 bins per power of two, so a quantile is within 0.8 %.
SUB_BITS = 7
BINS = (1 << SUB_BITS) * 42

#: Buckets of either timing wheel: 64 words of 64 bits.
BUCKET_BITS = 12
BUCKETS = 1 << BUCKET_BITS

# Where a pending component is when it is not in the heap: in the fine or the coarse wheel.
NEAR, FAR = -1, -2

#: Smallest ring of segments, as a power of two.
RING_MIN = 4


class Tables(NamedTuple):
    """Views handed to compiled code; the owner replaces an array to grow it."""

    state: Table
    ports: Table
    queues: Table
    switches: Table
    ingresses: Table
    groups: Table
    pauses: Table
    pause_log: Table
    stalled: Ints
    classes: Table
    flows: Table
    packets: Table
    telemetry: Ints
    withheld: Ints
    segments: Table
    samples: Table
    receivers: Table
    offers: Table
    fluids: Table
    parts: Table
    holes: Table
    routes: Ints
    report: Table
    scratch: npt.NDArray[np.float64]
    slots: Table
    heads: Ints
    bits: Ints
    far_heads: Ints
    far_bits: Ints
    heap: Ints
    histogram: Ints
    queries: Table
    trace: Table


class SampledTables(Tables):
    """Those of a run without lossless classes, RDMA hosts and telemetry; see ``packet.features``."""


class AllottedTables(Tables):
    """As PlainTables, but receivers set windows for all connections of their host together."""


class PlainTables(Tables):
    """As SampledTables, but for laws that use no delivery rates."""


class FluidTables(Tables):
    """Those of a run in which fluid passes ports beside packets, without lossless classes, RDMA hosts, telemetry."""


class RdmaFluidTables(Tables):
    """As FluidTables, with RDMA hosts."""


class LosslessFluidTables(Tables):
    """As RdmaFluidTables, with lossless classes, whose pauses stop fluid and packets alike."""
