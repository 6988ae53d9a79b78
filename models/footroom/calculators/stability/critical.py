"""The value of one field at which the verdict on a scenario changes."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scipy.optimize import brentq

from footroom.base import deadline
from footroom.base.errors import Infeasible, InvalidInput, NotConverged, Unsupported
from footroom.calculators.stability.fields import at, spot_of, values_of
from footroom.engines.fluid.roots import rightmost
from footroom.scenario import Scenario, lookup
from footroom.scenario.axes import field_at, is_whole, spaced
from footroom.scenario.source import Source, load

if TYPE_CHECKING:
    from footroom.calculators.stability.document import ChangeDocument, CriticalDocument

#: Values tried before the search narrows down; two changes between neighbours go unnoticed.
_SCAN = 33


@dataclass(frozen=True)
class Change:
    """The verdict changes at ``value``, or between ``low`` and ``high`` where only whole numbers count.

    before, after: "stable", "unstable" or "no fixed point", below and above.
    """

    value: float
    low: float
    high: float
    before: str
    after: str

    def to_dict(self) -> ChangeDocument:
        """Plain data."""
        return {"value": self.value, "interval": (self.low, self.high), "before": self.before, "after": self.after}


@dataclass(frozen=True)
class CriticalAnswer:
    """Every change found between two values of the field at ``path``, in rising order."""

    path: str
    between: tuple[float, float]
    changes: tuple[Change, ...]
    looked_at: tuple[tuple[float, float | None], ...]
    spent_s: float

    @property
    def value(self) -> float:
        """The first of them."""
        return self.changes[0].value

    def to_dict(self) -> CriticalDocument:
        """Plain data. looked_at: value and growth rate of the rightmost root, null without a fixed point."""
        return {
            "path": self.path,
            "value": self.value,
            "between": self.between,
            "changes": [change.to_dict() for change in self.changes],
            "looked_at": list(self.looked_at),
            "spent_s": self.spent_s,
        }


def critical(scenario: Source, path: str, between: Sequence[Any] | None = None) -> CriticalAnswer:
    """Where the rightmost root crosses the imaginary axis as the field at ``path`` changes, or a fixed point ends.

    between: lowest and highest value tried, quantities or bare numbers; by default a tenth of and ten times the present
    one, as far as the field and the fluid allow. 33 values between are tried, then each change is narrowed down, in a
    field of whole numbers to neighbours.

    Raises Infeasible when nothing changes between, InvalidInput, Unsupported.
    """
    began = time.monotonic()
    base = load(scenario)
    whole = is_whole(field_at(base, path))
    low, high = _ends(base, path, between, whole=whole)
    values = spaced(low, high, _SCAN, low > 0.0)
    if whole:
        values = sorted({float(math.floor(value + 0.5)) for value in values})
    growths: dict[float, float | None] = {}
    refused: InvalidInput | Unsupported | None = None
    for value in values:
        try:
            growths[value] = _growth(base, path, value, whole=whole)
        except (InvalidInput, Unsupported) as error:
            if between is not None:
                raise
            refused = error
    if refused is not None and not growths:
        raise refused  # the scenario itself cannot be judged, whatever the value
    values = list(growths)
    changes = []
    for first, second in pairwise(values):
        if _verdict(growths[first]) != _verdict(growths[second]):
            changes.append(_narrow(base, path, (first, growths[first]), (second, growths[second]), whole=whole))
    if not changes:
        raise Infeasible(f"{path} from {low:.6g} to {high:.6g}: {_verdict(growths[values[0]])} throughout")
    return CriticalAnswer(path, (low, high), tuple(changes), tuple(growths.items()), time.monotonic() - began)


def _ends(base: Scenario, path: str, between: Sequence[Any] | None, *, whole: bool) -> tuple[float, float]:
    if between is None:
        now = values_of(base, path, [_value(base, path)])[0]
        if now <= 0.0:
            raise InvalidInput.at("between", None, f"{path} is {now:g}: name the lowest and the highest to search")
        low, high = now / 10.0, now * 10.0
        return (max(1.0, math.floor(low)), math.ceil(high)) if whole else (low, high)
    if isinstance(between, str) or len(between) != 2:
        raise InvalidInput.at("between", between, "two values are needed: the lowest and the highest to search")
    found = values_of(base, path, list(between))
    if not found[0] < found[1]:
        raise InvalidInput.at("between", list(between), "the lower value comes first")
    return float(found[0]), float(found[1])


def _value(base: Scenario, path: str) -> Any:
    field_at(base, path)  # says what there is instead
    return lookup(base.to_dict(), path)


def _growth(base: Scenario, path: str, value: float, *, whole: bool) -> float | None:
    """Real part of the rightmost root, none without a linear equation."""
    deadline.check()
    linear = spot_of(at(base, [(path, int(value) if whole else value)])).linear
    return None if linear is None else rightmost(linear).real


def _certain(base: Scenario, path: str, value: float) -> float:
    growth = _growth(base, path, value, whole=False)
    if growth is None:
        raise NotConverged(f"between a stable and an unstable value of {path} there is no fixed point at {value:.6g}")
    return growth


def _verdict(growth: float | None) -> str:
    return "no fixed point" if growth is None else "unstable" if growth > 0.0 else "stable"


def _narrow(
    base: Scenario, path: str, first: tuple[float, float | None], second: tuple[float, float | None], *, whole: bool
) -> Change:
    (low, below), (high, above) = first, second
    before, after = _verdict(below), _verdict(above)
    if not whole and below is not None and above is not None:
        value = float(
            brentq(lambda x: _certain(base, path, x), low, high, rtol=1e-10, xtol=1e-12 * max(abs(low), abs(high)))
        )
        return Change(value, value, value, before, after)
    while high - low > (1.0 if whole else 1e-6 * abs(high)):
        middle = 0.5 * (low + high)
        middle = math.floor(middle) if whole else middle
        if _verdict(_growth(base, path, middle, whole=whole)) == before:
            low = middle
        else:
            high = middle
    after = _verdict(_growth(base, path, high, whole=whole))
    return Change(high if whole else 0.5 * (low + high), low, high, before, after)
