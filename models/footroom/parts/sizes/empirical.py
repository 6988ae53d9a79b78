"""Flow sizes measured in real networks, shipped with the package."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import field_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import quantity
from footroom.parts.sizes.common import FlowSizes


@functools.cache
def index() -> dict[str, dict[str, Any]]:
    """Name to title, interpolation rule, source and notes of every shipped distribution."""
    found: dict[str, dict[str, Any]] = json.loads(_data("index.json"))
    return found


def _data(name: str) -> str:
    return resources.files("footroom.parts.sizes").joinpath("data", name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Table:
    """size [B] and cumulative probability of one distribution; two rows with one size are an atom."""

    size: npt.NDArray[np.float64]
    cumulative: npt.NDArray[np.float64]
    linear: bool


@functools.cache
def table(name: str) -> Table:
    """The points of one shipped distribution."""
    rows = np.array([[float(x) for x in line.split(",")] for line in _data(f"{name}.csv").split()[1:]])
    return Table(rows[:, 0], rows[:, 1], index()[name]["interpolation"] != "step")


class Empirical(FlowSizes):
    """A measured distribution. Linear tables are interpolated between points, step tables take the upper point."""

    about: ClassVar[About] = About(
        title="Measured flow sizes",
        summary="A digitised distribution from a published measurement.",
        sources=("per distribution, see its entry",),
        departures="points between the digitised ordinates are interpolation, not data",
    )
    kind: Literal["empirical"] = "empirical"
    name: str = quantity("websearch_dctcp", "1", "Name of the distribution.")

    @field_validator("name")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in index():
            raise PydanticCustomError("distribution", f"must be one of: {', '.join(index())}")
        return value

    def mean(self) -> float:
        t = table(self.name)
        steps = np.diff(t.cumulative, prepend=0.0)
        if not t.linear:
            return float(np.sum(steps * t.size))
        middle = np.concatenate([t.size[:1], (t.size[1:] + t.size[:-1]) / 2])
        return float(np.sum(steps * middle))

    def quantile(self, levels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        t = table(self.name)
        right = np.minimum(np.searchsorted(t.cumulative, levels, side="right"), len(t.size) - 1)
        if not t.linear:
            return np.asarray(t.size[right])
        left = np.maximum(right - 1, 0)
        rise = t.cumulative[right] - t.cumulative[left]
        share = np.where(rise > 0, (levels - t.cumulative[left]) / np.where(rise > 0, rise, 1.0), 1.0)
        return np.asarray(t.size[left] + np.clip(share, 0.0, 1.0) * (t.size[right] - t.size[left]))
