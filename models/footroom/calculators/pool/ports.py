"""Ports that are alike, also written as a person does: ``32x100G@300m``."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.quantity import Length, Rate, Size, quantity

#: Kinds of port in one question at most.
MOST = 16
_TEXT = re.compile(r"^\s*(?:(\d{1,9})\s*[x×]\s*)?([^@]+?)\s*(?:@\s*(.+?))?\s*$")


class PortGroup(Document):
    """Ports that are alike."""

    count: int = quantity(1, "1", "How many.", ge=1, le=4096)
    speed: Rate = quantity(..., "bit/s", "Speed of each, 1 Gb/s to 1.6 Tb/s.", ge=1e9, le=1.6e12, symbol="C")
    cable: Length | None = quantity(None, "m", "Length of its cable; none means the question's.", ge=1, le=120e3)
    lossless_classes: int | None = quantity(
        None,
        "1",
        "Classes that get headroom on these ports; none means the question's, 0 that they pause nobody.",
        ge=0,
        le=8,
    )
    headroom: Size | None = quantity(
        None, "B", "Headroom of each priority group on these ports; none means the question's.", ge=0, le=1e15
    )


def parse_ports(value: Any) -> Any:
    """Ports from text such as ``32x100G@300m, 8x400G``; anything else is left for validation."""
    if isinstance(value, str):
        value = [part for part in value.split(",") if part.strip()]
    return [_parse(part) for part in value] if isinstance(value, (list, tuple)) else value


def _parse(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    match = _TEXT.match(value)
    if match is None:
        raise PydanticCustomError("ports", "expected ports such as 32x100G@300m: how many, speed, cable")
    count, speed, cable = match.groups()
    return {"count": int(count or 1), "speed": speed} | ({"cable": cable} if cable else {})


Ports = Annotated[
    tuple[PortGroup, ...], BeforeValidator(parse_ports, json_schema_input_type=str | list[Any]), Field(max_length=MOST)
]
