"""What a switch chip determines of its headroom in SONiC, beyond what ``footroom.parts.asics`` knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_KIB = 1024.0


@dataclass(frozen=True)
class Chip:
    """shipped: the chip's name in the shipped tables.  sonic: what SONiC's ASIC_TABLE and plugins say of it.
    sku: switch model whose table gives the form and parameters of SONiC's formula where none are named; of the chip's
    tables the one whose parameters reproduce most of its shipped rows, empty where no table follows the formula.
    note: what the reader must know of SONiC's formula on it.
    """

    shipped: str = ""
    sonic: Mapping[str, Any] = field(default_factory=dict)
    sku: str = ""
    note: str = ""


_PIPELINE = {"pipeline_latency": 19 * _KIB}
_TILE = {**_PIPELINE, "tile_delay": 120e-9}
CHIPS: dict[str, Chip] = {
    "spectrum": Chip("Spectrum", {**_PIPELINE, "lane_rate": 25e9}, "ACS-SN2201"),
    "spectrum-2": Chip("Spectrum-2", {**_PIPELINE, "lane_rate": 50e9}, "ACS-MSN3700"),
    "spectrum-3": Chip("Spectrum-3", {**_PIPELINE, "lane_rate": 50e9}, "Mellanox-SN4280-C48"),
    "spectrum-4": Chip("Spectrum-4", {**_TILE, "lane_rate": 100e9}, "Mellanox-SN5600-C256S1"),
    "spectrum-5": Chip("Spectrum-5", {**_TILE, "lane_rate": 100e9}, "Mellanox-SN5640-C448O16"),
    "spectrum-6": Chip(
        "Spectrum-6",
        {"pipeline_latency": 42 * _KIB, "extra_headroom": 18 * _KIB, "lane_rate": 200e9},
        "ACS-SN6600",
        "its shipped table is older than the 18 KiB that form 2026 adds, and has 1810 "
        "quanta at 800 Gb/s where SONiC's plugin has 905",
    ),
    "tofino2": Chip("Tofino2", {"form": "barefoot", "pipeline_latency": 68 * _KIB, "peer_response_time": 9 * _KIB}),
    "tomahawk": Chip("Tomahawk"),
    "tomahawk2": Chip("Tomahawk2"),
    "tomahawk3": Chip("Tomahawk3"),
    "tomahawk4": Chip("Tomahawk4"),
    "tomahawk5": Chip("Tomahawk5"),
    "tomahawk6": Chip("Tomahawk6"),
    "trident2": Chip("Trident2"),
    "trident3-x7": Chip("Trident3"),
    "trident3-x5": Chip("Trident3"),
    "trident4-x9": Chip("Trident4"),
    "jericho2": Chip("Jericho2"),
    "jericho2c-plus": Chip("Jericho2C+"),
    "qumran3d": Chip("Qumran3D"),
    "teralynx-7": Chip("Teralynx7"),
    "teralynx-10": Chip("Teralynx10"),
}
