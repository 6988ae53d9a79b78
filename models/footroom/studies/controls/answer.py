"""What a comparison of congestion controls answers with: rows, rules of thumb, a sentence; as data, table and CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from footroom.base.notebook import pandas
from footroom.result import Explanation

if TYPE_CHECKING:
    from footroom.studies.controls.document import ControlsDocument, ControlsRow, ControlsRule

#: found: there is a smallest buffer.  missed: no buffer tried meets the requirements.  unanswered: the engine has
#: no answer for this control, or for this scenario.
Status = Literal["found", "missed", "unanswered"]


@dataclass(frozen=True)
class Row:
    """One control, one number of flows, one engine.

    flows: long-lived flows, none where the scenario has none.  value: smallest buffer [B], none unless found.
    interval: as ``SizeAnswer.interval``.  binding: the requirement that decides.  reason: why there is no value.
    outside: why the value is outside the model's validity; empty where it is not.  changes: what else differs from the
    scenario asked about, in words.  settings: all that differs, dotted path to value.  command: the command line that
    gives the same figure alone.
    """

    control: str
    title: str
    flows: int | None
    engine: str
    status: Status
    value: float | None = None
    interval: tuple[float, float] | None = None
    binding: str | None = None
    reason: str = ""
    outside: str = ""
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    settings: dict[str, Any] | None = None
    command: str = ""

    @property
    def trusted(self) -> bool:
        """Whether there is a value within what the model holds for."""
        return self.value is not None and not self.outside

    def to_dict(self) -> ControlsRow:
        """Plain data in SI base units."""
        return {
            "control": self.control,
            "title": self.title,
            "flows": self.flows,
            "engine": self.engine,
            "status": self.status,
            "value": self.value,
            "interval": self.interval,
            "binding": self.binding,
            "reason": self.reason,
            "outside": self.outside,
            "notes": list(self.notes),
            "changes": list(self.changes),
            "settings": dict(self.settings or {}),
            "command": self.command,
        }


@dataclass(frozen=True)
class Rule:
    """A rule of thumb at one number of flows. rule: its value is a buffer [B]."""

    flows: int | None
    rule: Explanation

    def to_dict(self) -> ControlsRule:
        """Plain data in SI base units."""
        return {
            "flows": self.flows,
            "name": self.rule.name,
            "title": self.rule.title,
            "value": self.rule.value,
            "formula": self.rule.formula,
            "holds": self.rule.holds,
            "valid": self.rule.valid,
            "source": self.rule.source,
        }


@dataclass(frozen=True)
class ControlsAnswer:
    """require: what every buffer must meet.  flows: those of the scenario itself.  headline: the answer in words, about
    these.  notes: what a reader must know of all rows.
    """

    require: tuple[str, ...]
    flows: int | None
    headline: str
    rows: tuple[Row, ...]
    rules: tuple[Rule, ...]
    notes: tuple[str, ...]
    spent_s: float

    def to_dict(self) -> ControlsDocument:
        """Plain data in the shape of the public contract."""
        return {
            "require": list(self.require),
            "flows": self.flows,
            "headline": self.headline,
            "rows": [row.to_dict() for row in self.rows],
            "rules": [rule.to_dict() for rule in self.rules],
            "notes": list(self.notes),
            "spent_s": self.spent_s,
        }

    def to_csv(self) -> str:
        """One line per row in SI base units; the rules of thumb follow as controls of engine "rule"."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for row in self.rows:
            low, high = row.interval if row.interval is not None else ("", "")
            writer.writerow(
                [
                    row.control,
                    _empty(row.flows),
                    row.engine,
                    row.status,
                    _empty(row.value),
                    low,
                    high,
                    row.binding or "",
                    row.outside or row.reason,
                ]
            )
        for one in self.rules:
            writer.writerow(
                [
                    one.rule.name,
                    _empty(one.flows),
                    "rule",
                    "found",
                    one.rule.value,
                    "",
                    "",
                    "",
                    "" if one.rule.valid else one.rule.holds,
                ]
            )
        return out.getvalue()

    def to_frame(self) -> Any:
        """A pandas table, columns as in ``to_csv`` without their units. Needs pandas."""
        frame = pandas().read_csv(io.StringIO(self.to_csv()))
        return frame.rename(columns=lambda name: name.removesuffix(" [B]"))


_COLUMNS = (
    "control",
    "flows",
    "engine",
    "status",
    "buffer [B]",
    "buffer_low [B]",
    "buffer_high [B]",
    "binding",
    "remark",
)


def _empty(value: float | None) -> Any:
    return "" if value is None else value
