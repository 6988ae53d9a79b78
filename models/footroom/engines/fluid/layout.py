"""Layout of the arrays that a bottleneck's equations share: state, parameters, looked-up values, signals.

    state    queue | marking's own state | one block per group of flows | offered, carried, lost
    params   the link | the marking's | one row per group: what every law has, then the law's own
    seen     one block per group, laid out by its law
    signals  queue, overflow, arrivals | probability, window | the sending rate of one flow, group by group | the blocks
             of the state

Queue and windows are in packets, rates in packets per second, times in seconds.
"""

from __future__ import annotations

# State components. Blocks begin at BLOCKS; the balances follow the last block.
QUEUE, MARKING_STATE, BLOCKS = 0, 1, 2
OFFERED, CARRIED, LOST = 0, 1, 2
BALANCES = 3

# Signals; the first REMEMBERED_SIGNALS can be looked up in the past.
OVERFLOW, ARRIVALS, PROBABILITY, WINDOW, RATES = 1, 2, 3, 4, 5
REMEMBERED_SIGNALS = 3

# Parameters of the link.
CAPACITY, PER_PACKET, BUFFER, GROUPS_NUMBER = 0, 1, 2, 3
BACKGROUND = 4  # packets/s that do not react
BACKGROUND_DROPS = 5  # 1: the marking drops packets of the background
BALANCE = 6  # where in the state the balances begin
SMOOTH = 7  # 1: the past is read as a cubic, 0: as straight lines (laws that jump)
PROBABILITY_AT, MARKING_SLOPE_AT = 8, 9  # addresses of the marking's functions
MARKING = 10  # first of the marking's own parameters
GROUPS = 18  # first row of a group

# A group's row. STATE, SEEN: where its blocks begin. *_AT: addresses of its law's functions.
COUNT, BASE, STATE, SEEN = 0, 1, 2, 3
RATE_AT, LOOK_AT, SLOPE_AT, PROJECT_AT = 4, 5, 6, 7
DROPS = 8  # 1: the marking drops packets of this group
OWN = 9  # first of the law's own parameters
PER_GROUP = 40
MOST_MARKING, MOST_OWN = GROUPS - MARKING, PER_GROUP - OWN
