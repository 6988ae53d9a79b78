"""What a switch chip determines of its headroom, beyond what ``footroom.asics`` knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_KIB = 1024.0


@dataclass(frozen=True)
class Law:
    """Shipped headroom as k·(A + C·(t0 + 2·D)/8), fitted for the smallest largest relative error.

    inflation: k, None for cell/84.  fixed: A [B].  reaction: t0 [s].  error: the largest relative difference over the
    ``rows`` rows of ``tables`` that do not repeat the value of a longer cable or a faster speed, and are not of the
    speeds ``without`` [bit/s].
    """

    inflation: float | None
    fixed: float
    reaction: float
    error: float
    rows: int
    tables: tuple[str, ...]
    without: tuple[float, ...] = ()
    note: str = ""

    def words(self) -> str:
        """How well it holds."""
        several = f"{self.rows} shipped rows" if self.rows > 1 else "one shipped row"
        within = f"law of the chip's tables: {several} within {100 * self.error:.1f} %"
        return f"{within}; {self.note}" if self.note else within


@dataclass(frozen=True)
class Chip:
    """shipped: the chip's name in the shipped tables.  sonic: what SONiC's ASIC_TABLE and plugins say of it."""

    shipped: str = ""
    sonic: Mapping[str, Any] = field(default_factory=dict)
    law: Law | None = None


_PIPELINE = {"pipeline_latency": 19 * _KIB}
_TILE = {**_PIPELINE, "tile_delay": 120e-9}
#: Two jumbo frames and the time of the newer Broadcom chips, fitted to Tomahawk 5.
_TOMAHAWK5 = (20136.2, 2.13515e-6)
_TRIDENT3 = Law(None, 10341.8, 3.16155e-6, 0.0506, 15, ("a8cf083e",))
CHIPS: dict[str, Chip] = {
    "spectrum": Chip("Spectrum", _PIPELINE),
    "spectrum-2": Chip("Spectrum-2", _PIPELINE),
    "spectrum-3": Chip("Spectrum-3", _PIPELINE),
    "spectrum-4": Chip("Spectrum-4", _TILE),
    "spectrum-5": Chip("", _TILE),
    "spectrum-6": Chip("", {"pipeline_latency": 42 * _KIB, "extra_headroom": 18 * _KIB}),
    "tofino2": Chip("", {"form": "barefoot", "pipeline_latency": 68 * _KIB, "peer_response_time": 9 * _KIB}),
    "tomahawk": Chip("Tomahawk", law=Law(2.60807, 7486.1, 3.99444e-6, 0.0858, 15, ("0b5d680e",),
                                         note="k lies above cell/84 = 2.48 for a reason unknown")),
    "tomahawk2": Chip("Tomahawk2", law=Law(None, 10490.4, 3.31122e-6, 0.0443, 15, ("eeb1322d",),
                                           note="Dell's table; Arista's of this chip is near k = 1.27")),
    "tomahawk3": Chip("Tomahawk3", law=Law(1.32355, 24103.4, 2.16762e-6, 0.0006, 10, ("06d19555",),
                                           note="k well below cell/84: a mix of packet sizes is assumed")),
    "tomahawk4": Chip("Tomahawk4", law=Law(None, 17988.8, 2.00023e-6, 0.0222, 15, ("2d65f8c6",))),
    "tomahawk5": Chip("Tomahawk5", law=Law(None, *_TOMAHAWK5, 0.0073, 14, (
        "12028bb0", "d360a4b0", "bd6d2529", "a87c6cd2", "84bcd971", "5174b5f4", "ccc68e17"))),
    "tomahawk6": Chip("", law=Law(None, *_TOMAHAWK5, 0.002, 1, (),
                                  note="A and t0 are those of Tomahawk 5; the row is that of sonic-buildimage pull "
                                       "request 29565")),
    "trident2": Chip("Trident2", law=Law(1.20919, 36058.5, 0.19092e-6, 0.0018, 9, ("b4cd5128",), (1e9, 10e9),
                                         note="1 and 10 Gb/s have 40560 B whatever the cable")),
    "trident3-x7": Chip("Trident3", law=_TRIDENT3),
    "trident3-x5": Chip("Trident3", law=_TRIDENT3),
    "trident4-x9": Chip("Trident4", law=Law(None, 18265.9, 2.04101e-6, 0.0224, 15, ("8bd5b89d",),
                                            note="Dell's table; Nokia's of this chip is near k = 1.24")),
    "jericho2c-plus": Chip("Jericho2C+", law=Law(1.33663, 31369.0, 1.04762e-6, 0.0094, 15, ("ba784705",), note=(
        "one of Arista's tables has a single value from 30 m to 2 km"))),
    "qumran3d": Chip("Qumran3D", law=Law(1.33663, 31369.0, 1.04762e-6, 0.0094, 15, ("ba784705",), note=(
        "Nokia's table, that of Jericho2C+; Arista's and Nexthop's differ"))),
    "teralynx-7": Chip("Teralynx7", law=Law(1.00973, 8649.7, 2.03471e-6, 0.0303, 20, ("0d881737",))),
}
