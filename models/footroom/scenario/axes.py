"""Axes of a study: which field takes which values.

An axis is written as a list (``[25000, "1 MB"]`` or ``"25kB,1MB"``) or as a range ``low:high:logN`` or
``low:high:linN`` (``low:high:N`` means the same) with both ends included. Ends may carry units; a number of packets
becomes bytes when the point's MTU is known. A range over a field of whole numbers or bytes, or in packets, is rounded
to whole numbers and repeated ones are dropped, so it may have fewer than N points.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from footroom.base.errors import InvalidInput
from footroom.base.quantity import PACKETS, parse_any
from footroom.scenario.document import Scenario, switch_at

#: More points than this in one study are refused.
MOST_POINTS = 10_000

_RANGE = re.compile(r"^(?P<scale>log|lin)?(?P<count>\d{1,9})$")
_HOW = 'write "25kB:2.5MB:log9", "0.1:0.9:lin5" or a list of values'


def scalar(text: str) -> Any:
    """A value as typed on a command line: a JSON literal where it is one, else the text itself."""
    try:
        return json.loads(text, parse_constant=lambda name: name)
    except ValueError:
        return text.strip()


def field_at(scenario: Scenario, path: str) -> FieldInfo | None:
    """Declaration of the field at ``path``, through the components this scenario has; none for an entry of a list.

    Raises InvalidInput when there is no such field.
    """
    here: Any = scenario
    found: FieldInfo | None = None
    walked: list[str] = []
    for step in path.split("."):
        if isinstance(here, BaseModel) and step in type(here).model_fields:
            found = type(here).model_fields[step]
            here = getattr(here, step)
        elif isinstance(here, (list, tuple)) and step.isdigit() and int(step) < len(here):
            found = None
            here = here[int(step)]
        elif walked == ["switches"]:  # an override that is not there yet can be set as well
            found, here = None, switch_at(scenario, step)
        else:
            where = ".".join(walked) or "a scenario"
            if isinstance(here, BaseModel):
                raise InvalidInput.at(path, step, f"no such field; {where} has {', '.join(type(here).model_fields)}")
            if isinstance(here, (list, tuple)):
                raise InvalidInput.at(path, step, f"{where} has entries 0 to {len(here) - 1}")
            raise InvalidInput.at(path, step, f"{where} is a plain value and has no fields")
        walked.append(step)
    return found


def is_whole(declared: FieldInfo | None) -> bool:
    """Whether the field takes whole numbers: counts, and sizes in bytes."""
    if declared is None:
        return False
    kinds = get_args(declared.annotation) or (declared.annotation,)
    extra = declared.json_schema_extra
    return (int in kinds and float not in kinds) or (isinstance(extra, dict) and extra.get("unit") == "B")


def parse_axis(path: str, written: Any, scenario: Scenario) -> list[Any]:
    """The values of one axis, not yet validated against their field. Raises InvalidInput."""
    if isinstance(written, str):
        if written.lstrip().startswith("["):
            written = scalar(written)
            if isinstance(written, str):
                raise InvalidInput.at(path, written, f"is not a valid JSON list; {_HOW}")
        elif ":" in written and not written.lstrip().startswith("{"):
            return _range(path, written, _whole_field(scenario, path))
        else:
            written = [scalar(part) for part in written.split(",")] if written.strip() else []
    if isinstance(written, Mapping) or not isinstance(written, Sequence):
        raise InvalidInput.at(path, written, f"an axis is a list or a range: {_HOW}")
    values = list(written)
    if not values or any(isinstance(value, str) and not value for value in values):
        raise InvalidInput.at(path, written, f"an axis needs at least one value and none may be empty: {_HOW}")
    if len(values) > MOST_POINTS:
        raise InvalidInput.at(path, f"{len(values)} values", f"a study has at most {MOST_POINTS} points")
    return values


def _whole_field(scenario: Scenario, path: str) -> bool:
    try:
        return is_whole(field_at(scenario, path))
    except InvalidInput:
        return False  # the field may belong to a component that another axis brings in; validation will tell


def _range(path: str, text: str, whole_field: bool) -> list[Any]:
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 3:
        raise InvalidInput.at(path, text, f"a range has two ends and a number of points: {_HOW}")
    match = _RANGE.match(parts[2])
    if match is None:
        raise InvalidInput.at(path, text, f'"{parts[2]}" is not a number of points such as log9 or lin5: {_HOW}')
    count = int(match["count"])
    if count < 2:
        raise InvalidInput.at(path, text, "a range needs at least 2 points; for one point write its value")
    if count > MOST_POINTS:
        raise InvalidInput.at(path, text, f"a study has at most {MOST_POINTS} points")
    ends = [_end(path, text, part) for part in parts[:2]]
    (low, first), (high, second) = ends
    packets = {first, second} & {PACKETS.name}
    if first != second and (packets or (first and second)):
        kinds = " and ".join(kind or "a bare number" for kind in (first, second))
        raise InvalidInput.at(path, text, f"both ends must be of one kind, not {kinds}")
    logarithmic = match["scale"] == "log"
    if logarithmic and not (low > 0.0 and high > 0.0):
        raise InvalidInput.at(path, text, "both ends of a logarithmic range must be above 0")
    if low == high:
        raise InvalidInput.at(path, text, "the two ends of a range must differ")
    values = spaced(low, high, count, logarithmic)
    if whole_field or packets:
        values = list(dict.fromkeys(math.floor(value + 0.5) for value in values))
    unit = _BASE_UNITS[first or second]
    # The unit stays with the value, so that a range of sizes put into a field of seconds is refused.
    return [f"{value!r} {unit}" if unit else value for value in values]


_BASE_UNITS = {None: "", "rate": "b/s", "size": "B", "time": "s", "length": "m", PACKETS.name: "packets"}


def _end(path: str, text: str, part: str) -> tuple[float, str | None]:
    try:
        value, dimension = parse_any(part)
    except ValueError:
        raise InvalidInput.at(path, text, f'"{part}" is not a number with a known unit: {_HOW}') from None
    if not math.isfinite(value):
        raise InvalidInput.at(path, text, f'"{part}" is not finite')
    return value, None if dimension is None else dimension.name


def spaced(low: float, high: float, count: int, logarithmic: bool) -> list[float]:
    """``count`` values from ``low`` to ``high``, both exact, at equal ratios or equal steps."""
    inner = []
    for i in range(1, count - 1):
        share = i / (count - 1)
        # Written so that no step on the way overflows, however far apart the ends are.
        if logarithmic:
            value = math.exp(math.log(low) * (1.0 - share) + math.log(high) * share)
        else:
            value = low * (1.0 - share) + high * share
        inner.append(float(f"{value:.12g}"))  # 250000, not 249999.99999999997
    return [low, *inner, high]
