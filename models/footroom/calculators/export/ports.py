"""The ports of a switch as a person writes them, and how they are called."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.quantity import Length, Rate, quantity

#: Electrical lanes by speed in Mb/s, of the usual form of each: 25 Gb/s lanes to 100G, 50 to 400G, 100 to 800G.
LANES = {
    1_000: 1,
    2_500: 1,
    5_000: 1,
    10_000: 1,
    25_000: 1,
    40_000: 4,
    50_000: 1,
    100_000: 4,
    200_000: 4,
    400_000: 8,
    800_000: 8,
    1_600_000: 8,
}
#: Ports of one switch at most.
MOST = 1024
#: Fastest port that SONiC's YANG knows (sonic-port: speed 1 to 1 600 000) [Mb/s].
FASTEST = 1_600_000
_TEXT = re.compile(r"^\s*(?:(\d+)\s*x)?\s*(?:(Ethernet\d+)\s*:)?\s*([^@\s][^@]*?)\s*(?:@\s*(.+?))?\s*$")
_ETHERNET = re.compile(r"Ethernet(\d+)")


@dataclass(frozen=True)
class Port:
    """One port. name: as the switch calls it; lanes: their numbers; speed [Mb/s]; cable: length [m], a whole number."""

    name: str
    lanes: tuple[int, ...]
    speed: int
    cable: int


class Ports(Document):
    """Ports that are alike."""

    speed: Rate = quantity(..., "bit/s", "Speed of each.", gt=0, le=FASTEST * 1e6)
    cable: Length | None = quantity(None, "m", "Length of its cable; none means the switch's.", gt=0, le=1e6)
    count: int = quantity(1, "1", "How many.", ge=1, le=MOST)
    name: str | None = Field(
        None, description="Name of the only one, or of the first: Ethernet0.", pattern=r"^Ethernet\d{1,5}$"
    )
    lanes: Annotated[tuple[int, ...], Field(max_length=8)] | None = Field(
        None, description="Its lane numbers, for a single port; none means the next ones."
    )


def parse_ports(value: Any) -> Any:
    """Ports from text such as ``32x100G@300m, Ethernet128:400G@40m``; anything else is left for validation."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    if not isinstance(value, (list, tuple)):
        return value
    return [_parse(part) if isinstance(part, str) else part for part in value]


def _parse(text: str) -> dict[str, Any]:
    match = _TEXT.match(text)
    if match is None:
        raise PydanticCustomError(
            "ports",
            "expected a speed with, where wanted, a count, a name and a cable: 32x100G@300m or Ethernet0:100G@40m",
        )
    written = {"count": match[1], "name": match[2], "speed": match[3], "cable": match[4]}
    found: dict[str, Any] = {key: text for key, text in written.items() if text is not None}
    return found | ({"count": int(found["count"])} if "count" in found else {})


PortList = Annotated[
    tuple[Ports, ...],
    BeforeValidator(parse_ports, json_schema_input_type=str | list[Any]),
    Field(min_length=1, max_length=MOST),
]


def megabits(speed: float) -> int:
    """A speed [bit/s] in whole Mb/s, or 0 when it is not whole or beyond what a configuration can express."""
    exact = speed / 1e6
    return round(exact) if 1.0 <= exact <= FASTEST and math.isclose(exact, round(exact), rel_tol=1e-9) else 0


def lanes_of(speed: int) -> int:
    """How many lanes a port of ``speed`` [Mb/s] usually has; other speeds as the next faster usual one."""
    return next((count for usual, count in LANES.items() if speed <= usual), 8)


def number_ports(
    speeds: Sequence[int], cables: Sequence[int], names: Sequence[str | None], lanes: Sequence[tuple[int, ...] | None]
) -> tuple[Port, ...]:
    """Ports with a name and lanes each: ``Ethernet`` and the number of lanes before it, lanes counted from 1."""
    made: list[Port] = []
    at = 0
    for speed, cable, name, given in zip(speeds, cables, names, lanes, strict=True):
        match = _ETHERNET.fullmatch(name) if name else None
        at = int(match[1]) if match else at
        numbers = given or tuple(range(at + 1, at + 1 + lanes_of(speed)))
        made.append(Port(f"Ethernet{at}", numbers, speed, cable))
        at += len(numbers)
    return tuple(made)
