"""From arguments to a scenario document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.cli import show
from footroom.scenario import presets
from footroom.scenario.axes import scalar
from footroom.scenario.kinds import set_field
from footroom.scenario.source import document as read_document
from footroom.scenario.transport import refitted


def document_of(written: str, settings: Sequence[str]) -> tuple[dict[str, Any], presets.Preset | None]:
    """The document behind SCENARIO with ``--set`` applied, and the preset if it is one. Raises InvalidInput.

    Where that changes a congestion control from TCP to RDMA or back, host settings of the other transport are left
    out, and standard error lists them.
    """
    before = document = read_document(written)
    preset = next((found for found in presets.PRESETS if found.id == written and document == found.scenario), None)
    chosen = [assignment(setting, "--set", "run.duration=5s") for setting in settings]
    for field, value in chosen:
        document = set_field(document, field, scalar(value))
    if chosen:
        document, notes = refitted(before, document, [field for field, _ in chosen])
        for note in notes:
            show.tell(note)
    return document, preset


def assignment(text: str, option: str, example: str) -> tuple[str, str]:
    """Both sides of ``path=value``. Raises InvalidInput."""
    path, sign, value = text.partition("=")
    if not sign or not path.strip() or not value.strip():
        raise InvalidInput.at(option, text, f"write a path, =, and a value, such as {example}")
    return path.strip(), value.strip()


def one_engine(name: str) -> str:
    """The name of one engine, or "auto". Raises InvalidInput."""
    from footroom.studies.choice import engine_or_auto

    if "," in name:
        raise InvalidInput.at("--engine", name, "give one engine here; footroom sweep compares several")
    return engine_or_auto(name, "--engine")


def writable(name: str | None) -> Path | None:
    """The file to write, tried before the work starts. Raises InvalidInput."""
    if name is None:
        return None
    path = Path(name)
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise InvalidInput.at("--csv", name, f"cannot be written: {error.strerror}") from None
    return path
