"""Requirements on a result, as a person writes them: "utilisation>=0.99", "fct_p99<=5ms"."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.base.quantity import RATE, SIZE, TIME, Dimension, parse
from footroom.result import METRICS

_WRITTEN = re.compile(r"^\s*(?P<metric>\w+)\s*(?P<sign>>=|<=)\s*(?P<limit>.+?)\s*$")
_DIMENSIONS: dict[str, Dimension] = {"B": SIZE, "bit/s": RATE, "s": TIME}


#: Metrics that lie between 0 and 1.
SHARES = ("utilisation", "drop_rate", "fairness", "deadlock")


@dataclass(frozen=True)
class Requirement:
    """A metric must reach at least, or at most, a limit. text: as written; limit: in the metric's SI base unit."""

    text: str
    metric: str
    at_least: bool
    limit: float

    @classmethod
    def parse(cls, text: Any, path: str = "require") -> Requirement:
        """Read ``metric>=limit`` or ``metric<=limit``; a limit may carry a unit or a percent sign.

        Raises InvalidInput.
        """
        match = _WRITTEN.match(text) if isinstance(text, str) else None
        if match is None:
            raise InvalidInput.at(path, text, 'write a metric, >= or <=, and a limit, such as "utilisation>=0.99"')
        metric = match["metric"]
        if metric not in METRICS:
            raise InvalidInput.at(path, text, f'no metric "{metric}"; metrics are {", ".join(METRICS)}')
        limit = _limit(path, text, METRICS[metric][0], match["limit"])
        if limit < 0.0 or (metric in SHARES and limit > 1.0):
            accepted = "from 0 to 1, or from 0 % to 100 %," if metric in SHARES else "of at least 0"
            raise InvalidInput.at(path, text, f"a limit {accepted} is needed")
        return cls("".join(text.split()), metric, match["sign"] == ">=", limit)

    def met(self, value: float) -> bool:
        """Whether ``value`` of the metric meets it."""
        return value >= self.limit if self.at_least else value <= self.limit


def _limit(path: str, text: str, unit: str, written: str) -> float:
    if unit in _DIMENSIONS:
        try:
            return parse(written, _DIMENSIONS[unit])
        except ValueError as error:
            raise InvalidInput.at(path, text, str(error)) from None
    percent = unit == "1" and written.endswith("%")
    try:
        limit = float(written.removesuffix("%")) / (100.0 if percent else 1.0)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise InvalidInput.at(path, text, f'"{written}" is not a number{" or percentage" if unit == "1" else ""}')
    return limit
