"""BBR version 3: what its memory holds beyond that of version 1, its parameters and phases."""

from __future__ import annotations

from footroom.parts.congestion.bbr_v1_words import WORDS

# Parameters beyond those of version 1.
MARKS = 8


# Phases of ProbeBW.
UP, DOWN, CRUISE, REFILL = 0.0, 1.0, 2.0, 3.0


# What acknowledgements report on: nothing, refilling, a probe that starts, one in effect, one that has stopped.
INIT, REFILLING, STARTING, FEEDBACK, STOPPING = 0.0, 1.0, 2.0, 3.0, 4.0


# Memory beyond that of version 1.
(
    PROBE_MIN,
    PROBE_MIN_AT,
    INITIAL,
    FULL_NOW,
    MARKED_ROUNDS,
    LOSS_IN_CYCLE,
    ECN_IN_CYCLE,
    LOSS_ROUND_END,
    BW_LATEST,
    BW_LO,
    BW_HI,
    BW_NEW,
    IN_LATEST,
    LO,
    HI,
    UP_COUNT,
    UP_ACKS,
    UP_ROUNDS,
    WAIT,
    ELIGIBLE,
    ALPHA,
    SAMPLES,
    TOO_HIGH,
    RISKY,
    ROUNDS_SINCE,
    LOSS_ROUND_STARTS,
    LOSS_IN_ROUND,
    ECN_IN_ROUND,
    ACK_PHASE,
    CUT_END,
) = range(WORDS, WORDS + 30)


# Words that version 1 uses for its policer are free here.
LOSS_EVENTS, ALPHA_ARRIVED, ALPHA_MARKED = range(WORDS - 3, WORDS)
