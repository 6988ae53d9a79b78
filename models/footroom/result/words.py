"""Values as a person reads them: four digits, SI prefixes, units."""

from __future__ import annotations

from typing import Any

from footroom.parts.traffic import Host
from footroom.parts.traffic.option import units
from footroom.result.result import METRICS

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def number(value: float, unit: str) -> str:
    """Four significant digits, with an SI prefix where the unit takes one."""
    if unit in ("1", "packet") or value == 0.0:
        # Packets are counted: 500000, not 5e+05.
        text = f"{value:.0f}" if unit == "packet" and value == round(value) and abs(value) < 1e9 else f"{value:.4g}"
        return text if unit == "1" else f"{text} {unit}{'s' if unit == 'packet' else ''}"
    size = abs(value)
    factor, prefix = next(((f, p) for f, p in _PREFIXES if size >= f * 0.99995), _PREFIXES[-1])
    if unit in ("B", "bit/s") and factor < 1.0:
        factor, prefix = 1.0, ""
    return f"{value / factor:.4g} {prefix}{unit}"


def metric(name: str, value: float) -> str:
    """A metric's value as a person writes it."""
    unit = METRICS[name][0]
    if name == "utilisation":
        return f"{value:.2%}".replace("%", " %")
    if name == "drop_rate" and value != 0.0:
        return f"{value:.3e}"
    return number(value, unit)


def at_text(path: str, value: Any) -> str:
    """An axis value with its unit where the field is a size, a rate or a time."""
    if isinstance(value, dict):
        return str(value.get("kind", value))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    return number(float(value), _UNITS.get(path.rsplit(".", 1)[-1], "1"))


#: Units of fields by their name, for display only.
_UNITS = {
    "buffer": "B",
    "reserved": "B",
    "kmin": "B",
    "kmax": "B",
    "mtu": "B",
    "per_queue": "B",
    "minimum": "B",
    "maximum": "B",
    "size": "B",
    "rtt": "s",
    "duration": "s",
    "warmup": "s",
    "start": "s",
    "start_jitter": "s",
    "delay": "s",
    "bottleneck": "bit/s",
    "access": "bit/s",
    "rate": "bit/s",
    **units(Host),
}
