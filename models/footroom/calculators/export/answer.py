"""A configuration as files, with its assumptions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput

if TYPE_CHECKING:
    from footroom.calculators.export.document import ExportDocument

#: A file: plain data that is written as JSON, or text.
Content = dict[str, Any] | str


@dataclass(frozen=True)
class Written:
    """A configuration as a target writes it. files: by name, the first is loaded first.  validation: what was checked
    against what.
    """

    files: dict[str, Content]
    validation: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Export:
    """The files for one target.

    files: by name.  warnings: what could not be expressed, or was rounded.  validation: what was checked against what.
    """

    target: str
    files: dict[str, Content]
    warnings: tuple[str, ...]
    validation: dict[str, Any]

    def to_dict(self) -> ExportDocument:
        """Plain data; the same on every surface."""
        return {
            "target": self.target,
            "files": self.files,
            "warnings": list(self.warnings),
            "validation": self.validation,
        }

    def text(self, name: str) -> str:
        """What is in the file of that name. Raises KeyError."""
        content = self.files[name]
        if isinstance(content, str):
            return content
        return json.dumps(content, indent=4, ensure_ascii=False, allow_nan=False) + "\n"

    def data(self, name: str) -> dict[str, Any]:
        """The plain data of a JSON file. Raises KeyError when there is none of that name."""
        content = self.files[name]
        if isinstance(content, str):
            raise KeyError(f"{name} is text")
        return content

    def write(self, folder: str | Path) -> list[Path]:
        """Write all files into ``folder``, which is made when needed. Raises InvalidInput when that cannot be done."""
        written = []
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            for name in self.files:
                path = Path(folder) / name
                path.write_text(self.text(name), encoding="utf-8")
                written.append(path)
        except OSError as error:
            raise InvalidInput.at("out", str(folder), f"cannot be written: {error}") from None
        return written
