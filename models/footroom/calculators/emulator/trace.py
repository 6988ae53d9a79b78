"""A trace of arrivals in CSV: one packet a line, checked line by line."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from footroom.base.errors import InvalidInput, Problem
from footroom.calculators.emulator.arrivals import MOST_TRACED, Arrivals, places

COLUMNS = ("time", "port", "size", "flow")
_REQUIRED = COLUMNS[:3]
#: Column names may carry the unit.
_PLAIN = {"time [s]": "time", "size [B]": "size"}
#: Faults reported at most.
_FAULTS = 20
_LONGEST = 1e6
_LARGEST = 65_536
#: Byte order mark, with which spreadsheets begin a file.
_MARK = "\ufeff"


def _time(text: str) -> float:
    value = float(text)
    if not text.isascii() or "_" in text or not (math.isfinite(value) and 0.0 <= value <= _LONGEST):
        raise ValueError
    return value


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 12 or not low <= int(text) <= high:
            raise ValueError
        return int(text)

    return read


class _Reader:
    """Lines as columns of numbers, and what was wrong with them."""

    def __init__(self, header: list[str], ports: int) -> None:
        self.ports = ports
        self.place = {name: header.index(name) for name in COLUMNS if name in header}
        self.width = len(header)
        self.time: list[float] = []
        self.port: list[int] = []
        self.size: list[int] = []
        self.flow: list[int] = []
        self.names: dict[str, int] = {}
        self.problems: list[Problem] = []
        self._port, self._size = _whole(0, ports - 1), _whole(1, _LARGEST)

    def fault(self, line: int, column: str, given: Any, message: str) -> None:
        self.problems.append(Problem(f"trace.line {line}{f'.{column}' if column else ''}", given, message))

    def line(self, number: int, row: list[str]) -> None:
        if len(row) != self.width:
            self.fault(number, "", ",".join(row)[:80], f"expected {self.width} values as in the header")
            return
        cells = [cell.strip() for cell in row]
        before = len(self.problems)
        found: dict[str, Any] = {}
        for column, read, accepted in (
            ("time", _time, f"expected seconds, 0 to {_LONGEST:g}, as a bare number"),
            ("port", self._port, f"expected a port number, 0 to {self.ports - 1}"),
            ("size", self._size, f"expected whole bytes, 1 to {_LARGEST}"),
        ):
            text = cells[self.place[column]]
            try:
                found[column] = read(text)
            except ValueError:
                self.fault(number, column, text[:80], accepted)
        name = cells[self.place["flow"]] if "flow" in self.place else f"{found.get('port')}"
        if not name:
            self.fault(number, "flow", name, "expected the name or number of a flow")
        if "time" in found and self.time and found["time"] < self.time[-1]:
            self.fault(
                number,
                "time",
                cells[self.place["time"]],
                f"packets must be in the order of their arrival; the line before has {self.time[-1]:g}",
            )
        if len(self.problems) == before:
            self.time.append(found["time"])
            self.port.append(found["port"])
            self.size.append(found["size"])
            self.flow.append(self.names.setdefault(name, len(self.names)))


def read_trace(text: str, ports: int) -> Arrivals:
    """Arrivals from CSV with the columns time [s], port, size [B] and optionally flow, in any order, named in line 1.

    Raises InvalidInput naming the lines at fault. Without flows all packets of a port count as one.
    """
    lines: Iterable[list[str]] = csv.reader(text.removeprefix(_MARK).splitlines(), strict=True)
    numbered = enumerate(lines, start=1)
    try:
        _, header = next(numbered, (1, []))
        header = [_PLAIN.get(name.strip(), name.strip()) for name in header]
        unknown = [name for name in header if name not in COLUMNS]
        missing = [name for name in _REQUIRED if name not in header]
        if unknown or missing or len(set(header)) < len(header):
            raise InvalidInput.at(
                "trace.line 1",
                ",".join(header)[:80],
                "expected the column names, each once, separated by commas: time, port, size and optionally flow",
            )
        reader = _Reader(header, ports)
        for number, row in numbered:
            if not row:
                continue
            reader.line(number, row)
            if len(reader.problems) >= _FAULTS:
                break
            if len(reader.time) > MOST_TRACED:
                raise InvalidInput.at(
                    f"trace.line {number}", number, f"at most {MOST_TRACED} packets are emulated at once"
                )
    except csv.Error as error:
        raise InvalidInput.at("trace", text[:40], f"is not valid CSV: {error}") from None
    if reader.problems:
        raise InvalidInput(reader.problems)
    if not reader.time:
        raise InvalidInput.at("trace", "no packet", "expected at least one line after the header")
    time = np.round(np.array(reader.time) * 1e12).astype(np.int64)
    flow = np.array(reader.flow, np.int64)
    none = np.full(len(time), -1, np.int64)
    return Arrivals(
        time,
        np.array(reader.port, np.int64),
        np.array(reader.size, np.int64),
        flow,
        places(flow),
        none,
        np.zeros(0, np.int64),
    )
