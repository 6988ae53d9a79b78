"""``footroom asics``: the switch chips that questions can start from."""

from __future__ import annotations

import argparse

from footroom.cli import show
from footroom.parts.asics import ASICS, Asic, asic_named

_ROWS = (
    ("vendor", ""),
    ("name", ""),
    ("part", ""),
    ("capacity", "bit/s"),
    ("ports", ""),
    ("buffer_nominal", "B"),
    ("buffer_usable", "B"),
    ("cell", "B"),
    ("buffer_time", "s"),
    ("external_memory", ""),
    ("confidence", ""),
    ("source", ""),
    ("note", ""),
)


def command(chosen: argparse.Namespace) -> int:
    """List all, or show one."""
    if chosen.asic is not None:
        found = asic_named(chosen.asic, "ID")
        if chosen.json:
            show.print_json(found.to_dict())
        else:
            _print(found)
    elif chosen.json:
        show.print_json({"asics": [asic.to_dict() for asic in ASICS]})
    else:
        rows = [
            [
                asic.id,
                asic.vendor,
                asic.ports,
                _value(asic, "capacity", "bit/s"),
                _value(asic, "buffer", "B"),
                _value(asic, "cell", "B"),
                asic.confidence,
            ]
            for asic in ASICS
        ]
        header = ["id", "vendor", "ports", "capacity", "memory", "cell", "confidence"]
        print(show.table(rows, header, words=(0, 1, 2, 6)))
        print("?: inferred or without a source; -: not known; memory: usable where known, else nominal")
    return 0


def _value(asic: Asic, name: str, unit: str) -> str:
    value = getattr(asic, name)
    if value is None:
        return "-"
    doubt = name in asic.unsure or (name == "buffer" and f"buffer_{_buffer_of(asic)}" in asic.unsure)
    return (show.number(value, unit) if unit else str(value)) + ("?" if doubt else "")


def _buffer_of(asic: Asic) -> str:
    return "nominal" if asic.buffer_usable is None else "usable"


def _print(asic: Asic) -> None:
    print(asic.id)
    for name, unit in _ROWS:
        if getattr(asic, name) not in (None, ""):
            print(f"    {name:<16}{_exact(asic, name, unit)}")


def _exact(asic: Asic, name: str, unit: str) -> str:
    """Sizes to the byte here, because cells are counted."""
    value = getattr(asic, name)
    if unit == "B":
        return f"{value} B" + (" (unsure)" if name in asic.unsure else "")
    return _value(asic, name, unit)
