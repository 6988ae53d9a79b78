"""Leaving slow start before it loses packets: HyStart as in Linux (tcp_cubic.c), and HyStart++ (RFC 9406).

Both look at the round trip of the newest segment that an acknowledgement covers. Linux's ends slow start when the
acknowledgements of one round trip have kept coming for half the shortest round trip, or when even the shortest of one
round trip exceeds the shortest of all by an eighth, at least 4 ms and at most 16 ms. HyStart++ compares with the round
trip before, then grows a quarter as fast for up to five round trips, and goes on as before if the delay was a mistake.

Departs from Linux: times are exact, not whole microseconds, and acknowledgements during the repair of losses, and those
that report segments beyond a gap, do not count.
"""

from __future__ import annotations

from typing import Literal, get_args

from footroom.kernel.hooks import hook_part

#: Choices of ``host.hystart``, and their numbers in compiled code.
Choice = Literal["none", "linux", "rfc9406"]
NONE, LINUX, PLUS_PLUS = range(len(get_args(Choice)))

#: Words of memory: the choice; bytes of a segment; whether the sender is paced; whether Linux's has ended slow start;
#: when the round began, when the train of acknowledgements last went on, the segment that ends the round, its shortest
#: round trip and the samples it had; the shortest of all, or of the round before; the baseline of the conservative slow
#: start, 0 outside it; rounds of it.
WORDS = 12
_CHOICE, _PAYLOAD, _PACED, _FOUND, _BEGAN, _TRAIN, _END, _SHORTEST, _SAMPLES, _BEFORE, _BASELINE, _ROUNDS = range(WORDS)

_LEAST, _MOST = 4e9, 16e9  # ps; both sources
_SAMPLES_NEEDED = 8.0  # both sources
_ENDLESS = 1e30
_SLOW_START = 1e18  # slow start threshold of a flow that has not left its first slow start
# Linux: acknowledgements this far apart are one train, the window from which it looks, and what sending and receiving
# in bursts of 64 kB may add to the round trip.
_GAP, _LOWEST, _CUSHION, _BURSTS = 2e9, 16.0, 1e9, 4.0 * 65536.0
# RFC 9406 §4.3.
_LIMIT, _GROWTH, _CONSERVATIVE_ROUNDS = 8.0, 4.0, 5.0


@hook_part
def begin(own, at, now, choice, payload, paced):
    """A connection begins; its memory lies in own[at:at + WORDS]."""
    own[at + _CHOICE] = choice
    own[at + _PAYLOAD] = payload
    own[at + _PACED] = paced
    again(own, at, now, 0.0)


@hook_part
def again(own, at, now, upto):
    """Begin anew, as Linux does after a timeout. upto: the segment after those outstanding."""
    own[at + _FOUND] = 0.0
    own[at + _BEFORE] = _ENDLESS
    own[at + _BASELINE] = 0.0
    _next_round(own, at, now, upto)


@hook_part
def renumber(own, at):
    """Segments count from 0 again."""
    own[at + _END] = 0.0


@hook_part
def _next_round(own, at, now, upto):
    own[at + _BEGAN] = own[at + _TRAIN] = now
    own[at + _END] = upto
    own[at + _SHORTEST] = _ENDLESS
    own[at + _SAMPLES] = 0.0


@hook_part
def slow_start(own, at, f, now, trip, count):
    """An acknowledgement in slow start, before the window grows.

    trip: round trip [ps] of the newest segment acknowledged.  count: segments by which it may widen the window. Returns
    by how many it does. Sets the threshold to the window where slow start is to end.
    """
    if own[at + _CHOICE] == LINUX:
        _look(own, at, f, now, trip)
        return count
    if own[at + _CHOICE] == PLUS_PLUS and f.ssthresh >= _SLOW_START:
        return _widen(own, at, f, now, trip, count)
    return count


@hook_part
def _look(own, at, f, now, trip):
    """Linux hystart_update."""
    own[at + _BEFORE] = min(own[at + _BEFORE], trip)
    if own[at + _FOUND] != 0.0:
        return
    if f.una > own[at + _END]:
        _next_round(own, at, now, float(f.nxt))
    if f.cwnd < _LOWEST:
        return
    shortest = own[at + _BEFORE]
    found = False
    if now - own[at + _TRAIN] <= _GAP:
        own[at + _TRAIN] = now
        # Linux doubles the pacing rate in slow start, so this is two bursts on the way and two at the hosts.
        longest = shortest + min(_CUSHION, _BURSTS / 2.0 * float(f.srtt) / (own[at + _PAYLOAD] * f.cwnd))
        if own[at + _PACED] == 0.0:
            longest /= 2.0
        found = now - own[at + _BEGAN] > longest
    own[at + _SHORTEST] = min(own[at + _SHORTEST], trip)
    if own[at + _SAMPLES] < _SAMPLES_NEEDED:
        own[at + _SAMPLES] += 1.0
    elif own[at + _SHORTEST] > shortest + min(max(shortest / 8.0, _LEAST), _MOST):
        found = True
    if found:
        own[at + _FOUND] = 1.0
        f.ssthresh = f.cwnd


@hook_part
def _widen(own, at, f, now, trip, count):
    """RFC 9406 §4.2; the segments by which the window grows."""
    if f.una >= own[at + _END]:  # a round is over
        if own[at + _BASELINE] > 0.0:
            own[at + _ROUNDS] += 1.0
            if own[at + _ROUNDS] >= _CONSERVATIVE_ROUNDS:
                f.ssthresh = f.cwnd
                return count
        own[at + _BEFORE] = own[at + _SHORTEST]
        _next_round(own, at, now, float(f.nxt))
    own[at + _SHORTEST] = min(own[at + _SHORTEST], trip)
    own[at + _SAMPLES] += 1.0
    if own[at + _PACED] == 0.0:
        count = min(count, _LIMIT)
    if own[at + _BASELINE] > 0.0:
        count /= _GROWTH
    if own[at + _SAMPLES] >= _SAMPLES_NEEDED:
        if own[at + _BASELINE] > 0.0:
            if own[at + _SHORTEST] < own[at + _BASELINE]:
                own[at + _BASELINE] = 0.0
        elif own[at + _BEFORE] < _ENDLESS:
            margin = max(_LEAST, min(own[at + _BEFORE] / 8.0, _MOST))
            if own[at + _SHORTEST] >= own[at + _BEFORE] + margin:
                own[at + _BASELINE] = own[at + _SHORTEST]
                own[at + _ROUNDS] = 0.0
    return count
