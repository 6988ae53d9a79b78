"""BBR version 1: the order of its parameters and of the words of its memory, and its modes."""

from __future__ import annotations

# Parameters.
INTERVAL, PROBE_TIME, SPARED, WINDOW_GAIN, POLICER, AGGREGATION, PROBE_EXTRA, DEPARTURE = range(8)


# Modes.
STARTUP, DRAIN, PROBE_BW, PROBE_RTT = 0.0, 1.0, 2.0, 3.0


# The law's own memory.
(
    MODE,
    MIN_RTT,
    MIN_AT,
    PROBE_END,
    ROUND_DONE,
    BW,
    _BW1,
    _BW2,
    _BW3,
    _BW4,
    _BW5,
    ROUNDS,
    NEXT_ROUND,
    PHASE_AT,
    STATE,
    CONSERVES,
    ROUND_STARTS,
    IDLE,
    PACING_GAIN,
    CWND_GAIN,
    FULL,
    FULL_ROUNDS,
    FULL_BW,
    PHASE,
    TIMED,
    PRIOR,
    EPOCH_AT,
    EPOCH_ACKED,
    EXTRA,
    _EXTRA1,
    EXTRA_ROUNDS,
    EXTRA_TURN,
    BURST,
    PAYLOAD,
    LT_USED,
    LT_SAMPLING,
    LT_BW,
    LT_ROUNDS,
    LT_ARRIVED,
    LT_AT,
    LT_LOST,
) = range(41)


WORDS = 41


MAX_BW = BW + 1

MILLISECOND = 1e9  # picoseconds
