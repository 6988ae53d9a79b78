"""Stability over two fields of a scenario at once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from footroom.base import deadline
from footroom.base.errors import InvalidInput
from footroom.base.notebook import pandas
from footroom.calculators.stability.fields import Spot, spot_of, values_of
from footroom.calculators.stability.sweep import phase_margins
from footroom.engines.fluid.linear import Matrix, stack_of
from footroom.engines.fluid.roots import rightmost_many
from footroom.scenario import Scenario
from footroom.scenario.kinds import set_field
from footroom.scenario.source import Source, load

if TYPE_CHECKING:
    from footroom.calculators.stability.document import MapDocument

#: Most cells of one map.
MOST_CELLS = 10_000
#: Least number of cells answered together, in whole rows: enough to fill a batch, few enough to stop between two.
_TOGETHER = 200

Axis = tuple[str, Any]
_STILL = "a root lies on the imaginary axis: the linear equations decide nothing"


@dataclass(frozen=True)
class StabilityMap:
    """Rows along y, columns along x; None where there is no linear answer, for the reason at ``reasons[row][column]``.

    growth: real part of the rightmost root, 1/s.  phase_margin: degrees, if asked for; None where none describes the
    verdict.  queue: in equilibrium, B.  first: index of the first row, when only some were asked for.
    """

    x: tuple[str, tuple[float, ...]]
    y: tuple[str, tuple[float, ...]]
    growth: tuple[tuple[float | None, ...], ...]
    phase_margin: tuple[tuple[float | None, ...], ...] | None
    queue: tuple[tuple[float | None, ...], ...]
    stable: tuple[tuple[bool | None, ...], ...]
    reasons: dict[str, list[tuple[int, int]]]
    first: int
    spent_s: float

    def to_dict(self) -> MapDocument:
        """Plain data; reasons: sentence to the cells [row, column] it holds for, rows counted from ``first``."""
        found: MapDocument = {
            "x": {"path": self.x[0], "values": list(self.x[1])},
            "y": {"path": self.y[0], "values": list(self.y[1])},
            "first": self.first,
            "rightmost": [list(row) for row in self.growth],
            "queue": [list(row) for row in self.queue],
            "stable": [list(row) for row in self.stable],
            "reasons": self.reasons,
            "spent_s": self.spent_s,
        }
        if self.phase_margin is not None:
            found["phase_margin_deg"] = [list(row) for row in self.phase_margin]
        return found

    def to_frame(self) -> Any:
        """One row per cell. Needs pandas."""
        return pandas().DataFrame(
            [
                {
                    self.x[0]: x,
                    self.y[0]: y,
                    "stable": self.stable[i][j],
                    "rightmost": self.growth[i][j],
                    "queue": self.queue[i][j],
                    **({} if self.phase_margin is None else {"phase_margin_deg": self.phase_margin[i][j]}),
                }
                for i, y in enumerate(self.y[1][self.first : self.first + len(self.stable)])
                for j, x in enumerate(self.x[1])
            ]
        )

    def figure(self) -> Any:
        """Plotly: growth over both fields with the border of stability. Needs plotly."""
        from footroom.calculators.stability.figure import draw_map

        return draw_map(self)


def stability_map(
    scenario: Source,
    x: Axis,
    y: Axis,
    *,
    margins: bool = False,
    rows: tuple[int, int] | None = None,
    on_progress: Callable[[float, float | None], None] | None = None,
    on_stop: Callable[[StabilityMap], None] | None = None,
) -> StabilityMap:
    """Rightmost root and queue in equilibrium over two numeric fields; margins: phase margins too.

    x, y: (path, values), values a list or a range such as "2:64:lin32", "10us:200us:log40".  rows: only those from the
    first to before the second.  Each cell's root is exact, and the number of nodes is high enough to miss no root on
    the right; but unlike ``analyse`` a map does not check with the other method.
    on_progress: called with the fraction done, 0 to 1, and the seconds left, none while unknown.  on_stop: called with
    the rows that are done, if any, where the map ends early, before the error is raised.

    Raises InvalidInput, Unsupported.
    """
    began = time.monotonic()
    base = load(scenario)
    if x[0] == y[0]:
        raise InvalidInput.at("y", y[0], "the two fields must differ")
    across, up = values_of(base, *x, beside=y), values_of(base, *y, beside=x)
    if len(across) * len(up) > MOST_CELLS:
        raise InvalidInput.at("x", f"{len(across)} x {len(up)} cells", f"a map has at most {MOST_CELLS} cells")
    low, high = (0, len(up)) if rows is None else rows
    if not 0 <= low < high <= len(up):
        raise InvalidInput.at("rows", list(rows or ()), f"two indices from 0 to {len(up)} are needed, the lower first")
    spots: list[Spot] = []
    cells = _Cells(np.empty(0), np.empty(0), [])
    step = max(1, _TOGETHER // len(across))
    try:
        for first in range(low, high, step):
            after = min(high, first + step)
            part = list(_spots(base, (x[0], across), (y[0], up[first:after])))
            answered = _answers(part, margins=margins)
            spots, cells = spots + part, cells.followed_by(answered)
            if on_progress is not None:
                done = (after - low) / (high - low)
                on_progress(done, (time.monotonic() - began) * (1.0 - done) / done)
    except BaseException:
        if on_stop is not None and spots:
            on_stop(_drawn((x[0], across), (y[0], up), spots, cells, low, margins=margins, began=began))
        raise
    return _drawn((x[0], across), (y[0], up), spots, cells, low, margins=margins, began=began)


def _drawn(
    x: tuple[str, Sequence[float]],
    y: tuple[str, Sequence[float]],
    spots: Sequence[Spot],
    cells: _Cells,
    first: int,
    *,
    margins: bool,
    began: float,
) -> StabilityMap:
    """The map of cells that are answered, whole rows of them from row ``first`` on."""
    across = x[1]
    queue = [None if spot.point is None else spot.point.values["queue"] for spot in spots]
    reasons: dict[str, list[tuple[int, int]]] = {}
    for i, why in enumerate(cells.reasons):
        if why:
            reasons.setdefault(why, []).append((i // len(across), i % len(across)))

    def table(values: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
        plain = [None if isinstance(v, float) and not math.isfinite(v) else v for v in values]
        return tuple(tuple(plain[i : i + len(across)]) for i in range(0, len(plain), len(across)))

    return StabilityMap(
        (x[0], tuple(across)),
        (y[0], tuple(y[1])),
        table(cells.growth.tolist()),
        table(cells.phase.tolist()) if margins else None,
        table(queue),
        table([None if why else bool(root < 0.0) for root, why in zip(cells.growth, cells.reasons, strict=True)]),
        reasons,
        first,
        time.monotonic() - began,
    )


def _spots(base: Scenario, x: tuple[str, Sequence[float]], y: tuple[str, Sequence[float]]) -> Iterator[Spot]:
    """Row by row. A combination that the document does not allow is a reason, not an end."""
    raw = base.to_dict()
    for up in y[1]:
        row = set_field(raw, y[0], up)
        for across in x[1]:
            deadline.check()
            try:
                yield spot_of(Scenario.parse(set_field(row, x[0], across)))
            except InvalidInput as error:
                yield Spot(None, None, str(error))


@dataclass(frozen=True)
class _Cells:
    """Growth [1/s], phase margin [degrees] (NaN for none), and why a cell has no verdict (empty when it has)."""

    growth: Matrix
    phase: Matrix
    reasons: list[str]

    def followed_by(self, more: _Cells) -> _Cells:
        """These cells, then ``more``."""
        return _Cells(
            np.concatenate([self.growth, more.growth]),
            np.concatenate([self.phase, more.phase]),
            self.reasons + more.reasons,
        )


def _answers(spots: Sequence[Spot], *, margins: bool) -> _Cells:
    """Systems of one shape are answered together."""
    found = _Cells(np.full(len(spots), np.nan), np.full(len(spots), np.nan), [spot.reason for spot in spots])
    shapes: dict[Any, list[int]] = {}
    for i, spot in enumerate(spots):
        if spot.linear is not None:
            shapes.setdefault((spot.linear.present.shape, len(spot.linear.delayed)), []).append(i)
    for members in shapes.values():
        systems = [linear for i in members if (linear := spots[i].linear) is not None]
        stack = stack_of(systems)
        growth = rightmost_many(systems).real
        found.growth[members] = growth
        for i, still in zip(members, stack.on_axis(growth * stack.unit), strict=True):
            if still or not math.isfinite(found.growth[i]):
                found.reasons[i] = _STILL if still else "no characteristic root was found"
        if margins:
            told = [i for i, member in enumerate(members) if not found.reasons[member]]
            found.phase[[members[i] for i in told]] = phase_margins([systems[i] for i in told], growth[told] < 0.0)
    return found
