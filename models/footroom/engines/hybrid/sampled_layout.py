"""Rows that fluid is kept in whose senders are told delivery rates: BBR."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footroom.kernel.tables import table

#: What was known when a block was sent, for the sample of its delivery rate, as ``kernel.flow_tables.SAMPLE`` of its
#: last packet. lost: packets of it that were lost on the way. phase: when within a step it comes, 0 to 1.
STAMP = table(
    ("sent", "i8"),
    ("arrived", "i8"),
    ("arrived_at", "i8"),
    ("first_sent", "i8"),
    ("limited", "i4"),
    ("flight", "i4"),
    ("losses", "i8"),
    ("lost", "f8"),
    ("phase", "f8"),
)

# A sender's row; what its law sees lies in a table of ``kernel.flow_tables.FLOW`` beside it. Counts are of packets.
# FLOW_AT: its flow's row.  BYTES, LOST_BACK: arrived bytes and losses that the sender has heard of and its law has not.
# GONE: lost on the way, which the sender counts as in flight.  BACK: arrived or lost, as far as the law knows.  SENT.
# REPAIRS: to be sent again.  RECOVER: SENT when recovery began.  END: SENT of the last packet that recovery waits for.
# REPAIRED, SINCE: repairs, and all packets, sent in this recovery.  HEARD_AT: ps, of the last block that came back.
# STOPPED: whether the window stopped it.  INITIAL: first window.  PAYLOAD: bytes of a packet.  BURST: sent together.
# EVERY: packets that one acknowledgement reports.  LEAST: ps, of a round trip without queues.  MOST: packets that its
# receiver takes.  TICKS: whether its host's clock ticks.  TAKEN: bytes
# that ports have taken from its blocks.
(
    FLOW_AT,
    BYTES,
    LOST_BACK,
    GONE,
    BACK,
    SENT,
    REPAIRS,
    RECOVER,
    END,
    REPAIRED,
    SINCE,
    HEARD_AT,
    STOPPED,
    INITIAL,
    PAYLOAD,
    BURST,
    EVERY,
    LEAST,
    MOST,
    TICKS,
    TAKEN,
) = range(21)
ROW = 21

# Addresses of a sender's law: its parameters and its hooks, 0 for none.
PARAMS, ON_START, ON_LOSS, ON_LOST, ON_SAMPLE = range(5)
LAW_ROW = 5
# Addresses of what all share: their rows of ``FLOW``, and what laws are told.
FLOW_BASE, REPORT_BASE = range(2)


class Sampled(NamedTuple):
    """All senders that are told delivery rates.

    stamps: rows of STAMP, one for every block; one row where there is no such sender.  rows: of FLOW.  own: (senders,
    ROW).  newest: rows of STAMP, of the block that each heard of last.  laws: (senders, LAW_ROW).  addresses: (2,).
    """

    stamps: np.ndarray
    rows: np.ndarray
    own: npt.NDArray[np.float64]
    newest: np.ndarray
    laws: npt.NDArray[np.int64]
    addresses: npt.NDArray[np.int64]
