"""What the sender knows of its outstanding segments: acknowledged, selectively acknowledged, lost, resent."""

from __future__ import annotations

from footroom.base.compile_cache import helper
from footroom.engines.packet.rings import resent_remove, slot
from footroom.engines.packet.tables import LOST, NEWRENO, PROBED, RESENT, SACKED, u


@helper
def acknowledge(t, f, c, upto, now):
    """Forget the segments below ``upto``. Returns the round trip of the oldest one sent only once, or -1 (Karn).

    Without selective acknowledgements also -1 where one of them was sent again: that one filled a hole, and those above
    it may have arrived long before (Linux: FLAG_RETRANS_DATA_ACKED in tcp_clean_rtx_queue).
    """
    sample, seen = -1, 0
    for seq in range(f.una, upto):
        a = t.segments[u(slot(f, seq))]
        flags = a.flags
        seen |= flags
        if sample < 0 and flags & (RESENT | SACKED | LOST | PROBED) == 0:
            sample = now - a.sent
        if flags & SACKED:
            f.sacked -= 1
        if flags & LOST:
            f.lost -= 1
            if flags & RESENT:
                resent_remove(t, f, seq)
        a.flags = 0
    f.una = upto
    return -1 if c.recovery == NEWRENO and seen & RESENT else sample


@helper
def block(t, f, left, right):
    """Mark the reported block as received. Returns the number of segments that are news."""
    start = max(left, f.una)
    if left >= f.block_left and left <= f.block_right:
        start = max(start, f.block_right)  # the rest of the block was reported before
    f.block_left = left
    f.block_right = right
    news = 0
    for seq in range(start, right):
        a = t.segments[u(slot(f, seq))]
        if a.flags & SACKED:
            continue
        news += 1
        f.sacked += 1
        if a.flags & LOST:
            f.lost -= 1
            if a.flags & RESENT:
                resent_remove(t, f, seq)
        a.flags = (a.flags & ~LOST) | SACKED
        if seq > f.high1:
            f.high3 = f.high2
            f.high2 = f.high1
            f.high1 = seq
        elif seq > f.high2:
            f.high3 = f.high2
            f.high2 = seq
        elif seq > f.high3:
            f.high3 = seq
    return news


@helper
def mark_lost(t, f, below, newest):
    """Mark as lost what has not arrived and is ``below`` that segment, or was first sent before ``newest`` [ps].

    RFC 6675 IsLost and RFC 8985 step 5, both in a network that keeps order. What is examined was sent only once.
    """
    seq = max(f.mark, f.una)
    while seq < below or (seq < f.nxt and t.segments[u(slot(f, seq))].sent < newest):
        a = t.segments[u(slot(f, seq))]
        if a.flags & (SACKED | LOST) == 0:
            a.flags |= LOST
            f.lost += 1
            if seq < f.repair:
                f.repair = seq
        seq += 1
    f.mark = seq


@helper
def suspect(t, f):
    """A segment to send again though nothing shows that it is lost, now counted as such, or -1.

    RFC 6675 NextSeg: the lowest hole (rule 3), else, once a recovery, the last segment that has not been reported (rule
    4). Departs from it where that one was sent again before.
    """
    seq = max(f.mark, f.una)
    while seq < f.high1 and t.segments[u(slot(f, seq))].flags & (SACKED | LOST):
        seq += 1
    if seq >= f.high1:
        if f.una <= f.rescue:
            return -1
        seq = f.nxt - 1
        while t.segments[u(slot(f, seq))].flags & SACKED:
            seq -= 1
        if t.segments[u(slot(f, seq))].flags & LOST:
            return -1
        f.rescue = f.recover
    t.segments[u(slot(f, seq))].flags |= LOST
    f.lost += 1
    if seq < f.repair:
        f.repair = seq
    return seq


@helper
def mark_lost_again(t, f):
    """A resent segment is lost again if a later-sent one arrived (RFC 8985 without its reordering window)."""
    seq = f.resent_head
    while seq >= 0 and t.segments[u(slot(f, seq))].sent < f.newest:
        resent_remove(t, f, seq)
        if seq < f.repair:
            f.repair = seq
        seq = f.resent_head


@helper
def mark_overdue(t, f, now):
    """The timer expired: the oldest segment is lost, and what has been out for as long as the latest round trip."""
    seq = f.resent_head
    while seq >= 0:
        a = t.segments[u(slot(f, seq))]
        following = a.next
        if seq == f.una or a.sent + f.trip <= now:
            resent_remove(t, f, seq)
        seq = following
    f.mark = f.nxt
    for seq in range(f.una, f.nxt):
        a = t.segments[u(slot(f, seq))]
        if a.flags & (SACKED | LOST) == 0:
            if seq == f.una or a.sent + f.trip <= now:
                a.flags |= LOST
                f.lost += 1
            else:
                f.mark = min(f.mark, seq)
    f.repair = f.una


@helper
def mark_all_lost(t, f):
    """The timer expired: everything outstanding that is not known to have arrived is lost."""
    while f.resent_head >= 0:
        resent_remove(t, f, f.resent_head)
    for seq in range(f.una, f.nxt):
        a = t.segments[u(slot(f, seq))]
        if a.flags & (SACKED | LOST) == 0:
            a.flags |= LOST
            f.lost += 1
    f.repair = f.una
    f.mark = f.nxt
