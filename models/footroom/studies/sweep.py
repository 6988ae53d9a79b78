"""The answer of a study: points, as data, table, CSV or figure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from footroom.base.errors import Unsupported
from footroom.base.notebook import pandas
from footroom.result import METRICS, Result
from footroom.studies.document import UnsupportedDocument
from footroom.studies.study import Study


@dataclass(frozen=True)
class SweepPoint:
    """One engine's answer at one point. at: path to bare value in SI base units."""

    at: dict[str, Any]
    result: Result

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the shape of the public contract."""
        return {"at": dict(self.at), "result": self.result.to_dict()}


@dataclass(frozen=True)
class Refusal:
    """A point that an engine cannot answer, why, and which engines can."""

    at: dict[str, Any]
    engine: str
    message: str
    path: str = ""
    engines: tuple[str, ...] = ()

    def to_dict(self) -> UnsupportedDocument:
        """Plain data."""
        return {
            "at": dict(self.at),
            "engine": self.engine,
            "message": self.message,
            "path": self.path,
            "engines": list(self.engines),
        }


@dataclass(frozen=True)
class Sweep:
    """Answers of a study, point by point in the order of its axes, engines side by side.

    unsupported: what engines could not answer.  wall_s: time the study took [s]; runs found in a cache take none.
    """

    study: Study
    points: tuple[SweepPoint, ...]
    unsupported: tuple[Refusal, ...] = ()
    wall_s: float = 0.0

    def answered(self) -> Sweep:
        """The sweep itself if it has any point. Raises Unsupported with the first reason otherwise."""
        if not self.points and self.unsupported:
            first = self.unsupported[0]
            error = Unsupported(first.message)
            error.path, error.engines = first.path, first.engines
            raise error
        return self

    def whole(self) -> Sweep:
        """The sweep itself if every point has its answer. Raises Unsupported with the first reason otherwise."""
        return replace(self, points=()).answered() if self.unsupported else self

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the shape of the public contract."""
        return {
            "id": self.study.id,
            "points": [point.to_dict() for point in self.points],
            "unsupported": [refusal.to_dict() for refusal in self.unsupported],
            "wall_s": self.wall_s,
        }

    def to_csv(self) -> str:
        """Comma-separated values, see ``csv_of``."""
        return csv_of([point.to_dict() for point in self.points])

    def to_frame(self) -> Any:
        """A pandas table, one row per point and engine, columns as in ``csv_of``. Needs pandas."""
        return pandas().DataFrame(rows_of([point.to_dict() for point in self.points]))

    def figure(self) -> Any:
        """Three linked Plotly plots over one axis, see ``figure_of``. Needs plotly."""
        return figure_of([point.to_dict() for point in self.points])


def rows_of(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One flat row per point and engine: axis values, engine, seed, replicas, each metric with its low and high end.

    Of a scaled study also scale: values of axes are those before, metrics those after.

    All values in SI base units; a metric or interval that a row lacks is absent from it.
    """
    rows = []
    for point in points:
        result = point["result"]
        row: dict[str, Any] = {path: _plain(value) for path, value in point["at"].items()}
        if "scaling" in result:
            row["scale"] = result["scaling"]["factor"]
        row |= {"engine": result["engine"], "seed": result["seed"], "replicas": result["provenance"]["replicas"]}
        for name, value in result["metrics"].items():
            row[name] = value
            if name in result["intervals"]:
                row[f"{name}_low"], row[f"{name}_high"] = result["intervals"][name]
        if result.get("outside_validity"):
            row["outside_validity"] = " ".join(result["outside_validity"])
        rows.append(row)
    return rows


def _plain(value: Any) -> Any:
    return json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else value


def _inert(value: Any) -> Any:
    """Text that begins as a formula does, made plain (OWASP, CSV injection); anything else as it is."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def csv_of(points: Sequence[dict[str, Any]]) -> str:
    """Points as comma-separated values, one row per point and engine; a metric that does not apply is left empty.

    Text that a spreadsheet would run as a formula has an apostrophe before it.
    """
    rows = [{name: _inert(value) for name, value in row.items()} for row in rows_of(points)]
    out = io.StringIO()
    writer = csv.DictWriter(out, _columns(points, rows), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def has_arrow() -> bool:
    """Whether ``arrow_of`` can be asked: pyarrow is an extra."""
    return find_spec("pyarrow") is not None


def arrow_of(points: Sequence[dict[str, Any]]) -> bytes:
    """The same table as a stream of Arrow; what a row lacks is null. Raises Unsupported without pyarrow.

    A column whose values are numbers in some rows and words in others holds words.
    """
    if not has_arrow():
        raise Unsupported("Arrow needs pyarrow: pip install 'footroom[arrow]'")
    import pyarrow as pa

    rows = rows_of(points)
    columns = {}
    for name in _columns(points, rows):
        values = [row.get(name) for row in rows]
        words = any(isinstance(value, str) for value in values)
        columns[name] = [None if value is None else str(value) for value in values] if words else values
    table = pa.table(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def _columns(points: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]]) -> list[str]:
    """Axes, then what a row is, then metrics in the order of their declaration."""
    paths = list(dict.fromkeys(path for point in points for path in point["at"]))
    present = {column for row in rows for column in row}
    metrics = [column for name in METRICS for column in (name, f"{name}_low", f"{name}_high") if column in present]
    paths += ["scale"] if "scale" in present else []
    last = ["outside_validity"] if "outside_validity" in present else []
    return [*paths, "engine", "seed", "replicas", *metrics, *last]


def figure_of(points: Sequence[dict[str, Any]]) -> Any:
    """Drop rate, utilisation and completion time (or queue) over the axis with most values, as a Plotly figure.

    The plots share their axis and its cross-hair. An engine looks the same everywhere: theory dotted, fluid a solid
    line, simulations as markers with 95 % intervals; the other axes' values have a colour each. Raises Unsupported
    without plotly.
    """
    from footroom.studies.figure import draw

    return draw(points)
