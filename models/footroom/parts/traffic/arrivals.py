"""Flows whose arrivals are given one by one."""

from __future__ import annotations

import csv
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About, Document
from footroom.base.quantity import Size, Time, quantity
from footroom.parts.traffic.common import PACKETS, Traffic
from footroom.parts.traffic.ground import Drawn, Ground
from footroom.parts.traffic.placing import spread

#: Flows of one entry at most.
MOST = 100_000
#: Column names may carry the unit.
_PLAIN = {"time [s]": "time", "size [B]": "size"}
_COLUMNS = ("time", "size", "source", "destination")


class Arrival(Document):
    """One flow: when it starts and how many bytes of payload it carries, perhaps between which hosts."""

    time: Time = quantity(..., "s", "When the flow starts.", ge=0)
    size: Size = quantity(..., "B", "Payload it carries.", ge=1, le=1e15)
    source: str | None = quantity(None, "1", "Sending host; none picks a random one.")
    destination: str | None = quantity(None, "1", "Name of the receiving host; goes with source.")

    @model_validator(mode="after")
    def _both_ends(self) -> Arrival:
        if (self.source is None) != (self.destination is None):
            raise PydanticCustomError("ends", "give source and destination together, or neither")
        if self.source is not None and self.source == self.destination:
            raise PydanticCustomError("ends", "a flow needs two different hosts")
        return self


def _from_csv(value: Any) -> Any:
    """CSV text as one object per line; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        rows = list(csv.reader(value.removeprefix("\ufeff").splitlines(), strict=True))
    except csv.Error as error:
        raise PydanticCustomError("csv", "is not valid CSV: {why}", {"why": str(error)}) from None
    header = [_PLAIN.get(name.strip(), name.strip()) for name in rows[0]] if rows else []
    wrong = [name for name in header if name not in _COLUMNS]
    if wrong or len(set(header)) < len(header) or not {"time", "size"} <= set(header):
        raise PydanticCustomError(
            "csv", "line 1 of a CSV names its columns, each once: time, size and perhaps source and destination"
        )
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != len(header):
            raise PydanticCustomError(
                "csv",
                "line {number} has {given} values, the header {wanted}",
                {"number": number, "given": len(row), "wanted": len(header)},
            )
        cells = {name: cell.strip() for name, cell in zip(header, row, strict=True)}
        found.append({name: _number(cell) for name, cell in cells.items() if cell})
    return found


def _number(cell: str) -> float | str:
    """A bare number in SI base units, or the text, which may be a quantity or a name."""
    try:
        return float(cell) if cell.isascii() and "_" not in cell else cell
    except ValueError:
        return cell


class Arrivals(Traffic):
    """Flows with given start times and sizes, as measured or made up elsewhere; nothing is drawn but their hosts.

    ``flows`` is a list of objects, or the text of a CSV file with the columns time [s], size [B] and perhaps source and
    destination. In a scenario read from a file, ``"@flows.csv"`` stands for the text of that file, beside it. Flows
    need not be in order; those that start at run.duration or later are left out, and counted in a note.
    """

    about: ClassVar[About] = About(
        title="Given arrivals",
        summary="A list of flows, each with its start and size, inline or as CSV.",
        holds="flows that start whatever the network does, as recorded ones: senders that would wait for a "
        "slow network do not wait here",
    )
    engines: ClassVar[tuple[str, ...]] = PACKETS
    example: ClassVar[dict[str, Any]] = {
        "flows": [{"time": "0 s", "size": "100 kB"}, {"time": "1 ms", "size": "100 kB"}]
    }
    kind: Literal["arrivals"] = "arrivals"
    flows: Annotated[
        tuple[Arrival, ...], BeforeValidator(_from_csv, json_schema_input_type=tuple[Arrival, ...] | str)
    ] = Field(
        min_length=1,
        max_length=MOST,
        description="Start and size of each flow, perhaps its hosts; a list, or "
        "the text of a CSV file with the columns time [s], size [B], source, destination.",
    )

    def open_loop(self) -> bool:
        return True

    def latest_start(self) -> float:
        return min(flow.time for flow in self.flows)

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        begun = [flow.size for flow in self.flows if flow.time < duration]
        return float(len(begun)), float(sum(begun))

    def draw(self, ground: Ground) -> Drawn:
        begun = [flow for flow in self.flows if flow.time < ground.duration]
        pairs = spread(self, ground, len(begun))
        for k, flow in enumerate(begun):
            if flow.source is not None and flow.destination is not None:
                (source,) = ground.nodes((flow.source,), "flows")
                (destination,) = ground.nodes((flow.destination,), "flows")
                pairs[k] = source, destination
        late = len(self.flows) - len(begun)
        told = (
            f"{ground.path}: {late} of {len(self.flows)} flows would start at the end of the run "
            f"({ground.duration:g} s) or later and are left out."
        )
        notes = (told,) if late else ()
        return Drawn(
            np.array([flow.time for flow in begun]),
            np.array([round(flow.size) for flow in begun], np.int64),
            pairs,
            notes=notes,
        )
