"""What the resource ``presets`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel

from footroom.scenario.presets.document import PresetSummary


class Presets(BaseModel):
    """All studies ready to run."""

    presets: list[PresetSummary]
