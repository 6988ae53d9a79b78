"""``pg_profile_lookup.ini``: headroom by speed and cable, from which SONiC's traditional model makes profiles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from footroom.calculators.export.findings import Finding

NAME = "pg_profile_lookup.ini"
_COLUMNS = ("speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset")
_CABLE, _SIZE, _EXPONENT = re.compile(r"\d{1,9}m"), re.compile(r"\d{1,15}"), re.compile(r"-[1-8]|[0-7]")


@dataclass(frozen=True)
class Row:
    """One line. speed: Mb/s; cable: as written, 300m; size, xon, xoff, xon_offset [B]; threshold: exponent of alpha."""

    speed: int
    cable: str
    size: int
    xon: int
    xoff: int
    threshold: int
    xon_offset: int | None = None

    def to_dict(self) -> dict[str, int | str | None]:
        """Plain data."""
        return asdict(self)


def write(rows: Iterable[Row], comments: Iterable[str] = ()) -> str:
    """The file, columns as wide as they need; its readers skip empty lines and those that begin with #."""
    lines = [
        ["#", *_COLUMNS],
        *(["", *("0" if value is None else str(value) for value in row.to_dict().values())] for row in rows),
    ]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    body = [" ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([*(f"# {text}" for text in comments), "# PG lossless profiles.", *body]) + "\n"


def _form(column: int) -> re.Pattern[str]:
    return {1: _CABLE, 5: _EXPONENT}.get(column, _SIZE)


def parse(text: str) -> tuple[list[Row], list[Finding]]:
    """The rows of such a file, and what is wrong with its lines. xon_offset may be left out, as in older files."""
    rows: dict[tuple[int, str], Row] = {}
    findings: list[Finding] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        where = f"{NAME}:{number}"
        if len(words) not in (6, 7) or not all(_form(i).fullmatch(word) for i, word in enumerate(words)):
            findings.append(
                Finding(
                    "error",
                    "bad-line",
                    where,
                    f"given {line.strip()[:200]!r}; expected "
                    f"{' '.join(_COLUMNS)}: whole numbers, a cable such as 300m, a threshold -8 to 7",
                )
            )
            continue
        speed, _, *numbers = words
        row = Row(int(speed), words[1], *(int(number) for number in numbers))
        if (row.speed, row.cable) in rows:
            findings.append(
                Finding(
                    "warning", "duplicate-line", where, f"{row.speed} {row.cable} is given twice; the last one counts"
                )
            )
        rows[row.speed, row.cable] = row
    return list(rows.values()), findings
