"""Sources: vendors whose configurations can be read. A new one is a file and a line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from footroom.base.errors import InvalidInput
from footroom.calculators.export.options import ImportOptions
from footroom.calculators.export.sonic.importing import import_sonic

if TYPE_CHECKING:
    from footroom.calculators.export.document import ImportDocument


class ReportLike(Protocol):
    """The answer of a reader."""

    @property
    def feasible(self) -> bool | None:
        """Whether it fits the chip; None when no chip was named."""

    def to_dict(self) -> ImportDocument:
        """Plain data."""


class Reader(Protocol):
    """Reads files, or a document and a lookup table."""

    def __call__(
        self,
        config: str | Path | Mapping[str, Any] | Sequence[str | Path],
        lookup: str | None = None,
        options: ImportOptions | None = None,
    ) -> ReportLike:
        """The report."""


@dataclass(frozen=True)
class Source:
    """name: as it is asked for.  title: a reader's name.  read: makes the report."""

    name: str
    title: str
    read: Reader


SOURCES = (Source("sonic", "config_db.json, with or without pg_profile_lookup.ini", import_sonic),)


def source_named(name: str, path: str = "source") -> Source:
    """The source of that name. Raises InvalidInput at ``path``."""
    for source in SOURCES:
        if source.name == name:
            return source
    raise InvalidInput.at(path, name, f"known are {', '.join(source.name for source in SOURCES)}")
