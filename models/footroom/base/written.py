"""Numbers as a sentence writes them."""

from __future__ import annotations

from decimal import Decimal


def count(value: float) -> str:
    """A number of things, to three digits below a thousand and whole from there on: 0.00002, 3.5, 41.7, 1670."""
    return f"{value:.0f}" if value >= 999.5 else f"{Decimal(f'{value:.3g}'):f}"
