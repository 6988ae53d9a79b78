"""Cells that small packets fill in part: SONiC's occupancy factor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from footroom.formulas.headroom import written
from footroom.formulas.headroom.schemes.forms import Form

if TYPE_CHECKING:
    from footroom.formulas.headroom.schemes.sonic_parameters import SonicParameters

#: Smallest Ethernet frame [B].
SMALLEST = 64


def worst_case_factor(cell: float, whole: bool) -> float:
    """Memory over bytes for the packets that fill their cells worst.

    cell [B].  whole: rounded up, as SONiC does since pull request 3235.  Cells up to 128 B are filled worst by packets
    one byte longer than a cell, larger ones by 64 B.
    """
    factor = cell / SMALLEST if cell > 2 * SMALLEST else 2 * cell / (1 + cell)
    return math.ceil(factor - 1e-9) if whole else factor


def small_share(percentage: float, rule: str, other: float) -> float:
    """Percentage of small packets as the formula uses it.

    rule ``packets``: as given.  ``bytes``: 64 B over the mean packet when ``other`` is the size of the rest [B].
    """
    if rule == "packets":
        return percentage
    return 100.0 * SMALLEST / ((percentage * SMALLEST + (100.0 - percentage) * other) / 100.0)


def occupancy(sonic: SonicParameters, form: Form, cell: float, percentage: float) -> tuple[float, str]:
    """Memory over bytes for the assumed mix of packets, and how it came about."""
    whole = form.whole_factor if sonic.whole_factor is None else sonic.whole_factor
    factor = worst_case_factor(cell, whole)
    other = sonic.lossless_mtu if sonic.share_mtu is None else sonic.share_mtu
    share = small_share(percentage, sonic.small_packet_rule or form.small_packet_rule, other)
    found = (100.0 - share + share * factor) / 100.0
    return found, f"(100 − {written.factor(share)} + {written.factor(share)} × {written.factor(factor)}) / 100"
