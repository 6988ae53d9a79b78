"""Numbers as a sentence writes them."""

from __future__ import annotations

from decimal import Decimal


def count(value: float) -> str:
    """A number of things, to three digits below a thousand and whole from there on: 0.00002, 3.5, 41.7, 1670."""
    return f"{value:.0f}" if value >= 999.5 else f"{Decimal(f'{value:.3g}'):f}"


#: Units in which a bound is written, each with what it is in the unit of the field; ``quantity`` reads all of them.
_SCALES = {
    "s": (("h", 3600.0), ("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9), ("ps", 1e-12)),
    "B": (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)),
    "bit/s": (("Tb/s", 1e12), ("Gb/s", 1e9), ("Mb/s", 1e6), ("kb/s", 1e3), ("b/s", 1.0)),
    "m": (("km", 1e3), ("m", 1.0)),
}


def bound(value: float, unit: str) -> str:
    """A bound with its unit, to twelve digits, as one would type it: 1 ps, 24 h, 1000 TB, 0.001 m, 64 packets."""
    if unit == "packet":
        return f"{value:.12g} packet{'' if value == 1 else 's'}"
    scales = _SCALES.get(unit, ())
    for name, size in scales:
        scaled = f"{value / size:.12g}"
        # An hour only where it is a whole number of them: 5400 s are better known than 1.5 h.
        if value and abs(value) >= size and (name != "h" or "." not in scaled):
            return f"{scaled} {name}"
    return f"{value:.12g} {unit}"
