"""Numbers as a person writes them in a formula: short, and exact where the input was."""

from __future__ import annotations

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def plain(value: float) -> str:
    """Up to nine significant digits, no exponent for whole numbers."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.9g}"


def rate(value: float) -> str:
    """A rate [bit/s] with its prefix: 100 Gb/s."""
    return _scaled(value, "b/s")


def time(value: float) -> str:
    """A time [s] with its prefix: 1.5 µs."""
    return _scaled(value, "s") if value else "0 s"


def size(value: float) -> str:
    """A size in bytes, to the bit: 44340 B."""
    return f"{plain(round(value * 8) / 8)} B"


def factor(value: float) -> str:
    """A factor with six significant digits."""
    return f"{value:.6g}"


def _scaled(value: float, unit: str) -> str:
    scale, prefix = next(((s, p) for s, p in _PREFIXES if abs(value) >= s * (1 - 1e-12)), _PREFIXES[-1])
    return f"{value / scale:.6g} {prefix}{unit}"
