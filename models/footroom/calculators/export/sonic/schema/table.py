"""What a table of a SONiC configuration is: how its rows are called and what they hold."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from footroom.calculators.export.sonic.schema.leaves import PLAIN, Leaf

#: Names of maps and of groups of settings.
NAME = "[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}"
ANY = ".+"


class Row(BaseModel):
    """A row: field to text. Unknown fields are errors, as they are to SONiC's YANG."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Part:
    """One part of a row's name, or one side of a map.

    name: of the YANG leaf.  pattern: what its text matches.  meaning: the same in words.  leaf: as of a field.
    """

    name: str
    pattern: str = ANY
    meaning: str = "a name"
    leaf: Leaf = PLAIN


@dataclass(frozen=True)
class Table:
    """One table.

    module: the YANG module that has it.  key: the parts of a row's name, joined by ``|``.  row: what a row holds; or
    entries: both sides of the map that a row is.  container: the one row is a YANG container, not a list entry.
    partial: only some of its fields are known here, so that others are no error.
    """

    name: str
    module: str
    key: tuple[Part, ...]
    row: type[Row] | None = None
    entries: tuple[Part, Part] | None = None
    container: bool = False
    partial: bool = False


PORT = Part("port", meaning="a port of PORT", leaf=Leaf(refers="PORT"))
