"""Presets: ready-made studies, each of which answers a question in plain words.

A preset is a JSON file in ``data``: id, title, question, about, source, scenario, over, engines, notes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from footroom.base.errors import InvalidInput

if TYPE_CHECKING:
    from footroom.scenario.presets.document import PresetDocument, PresetSummary

#: Ids in the order they are offered.
_IDS = (
    "wan-bottleneck",
    "facebook-ebb",
    "facebook-ebb-load",
    "facebook-ebb-full",
    "tor-10g",
    "line-card-100g",
    "fluid-background",
    "short-flows",
    "cubic-wan",
    "bbr-wan",
    "mixed-controls",
    "dctcp-rack",
    "dcqcn-fabric",
    "hpcc-fabric",
    "powertcp-port",
    "timely-rack",
    "tor-50g-senders",
    "incast-degree",
    "query-background",
    "staircase",
    "deep-or-shallow",
    "microbursts",
    "pacing",
    "receive-window",
    "load-cap",
    "roce-incast-100g",
    "storage-rdma-25g",
    "storage-benchmark",
    "hpcc-against-dcqcn",
    "lossless-and-lossy",
    "headroom-too-small",
    "pfc-response-headroom",
    "lossless-incast",
    "pause-victims",
    "pause-deadlock",
)


@dataclass(frozen=True)
class Preset:
    """A study ready to run.

    question: what it answers.  about: what is in it and why.  source: where the numbers come from.
    scenario, over, engines: of the study.  notes: what the reader must know.  heavy: takes minutes rather than seconds.
    """

    id: str
    title: str
    question: str
    about: str
    source: str
    scenario: dict[str, Any]
    over: dict[str, Any]
    engines: tuple[str, ...]
    notes: tuple[str, ...]
    heavy: bool = False

    def summary(self) -> PresetSummary:
        """All but the document, as plain data."""
        return {
            "id": self.id,
            "title": self.title,
            "question": self.question,
            "about": self.about,
            "source": self.source,
            "engines": list(self.engines),
            "notes": list(self.notes),
            "heavy": self.heavy,
        }

    def to_dict(self) -> PresetDocument:
        """Everything as plain data; a copy, free to change."""
        return {**self.summary(), "scenario": json.loads(json.dumps(self.scenario)), "over": dict(self.over)}


def _read(preset: str) -> Preset:
    text = resources.files("footroom.scenario.presets").joinpath("data", f"{preset}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return Preset(**{**document, "engines": tuple(document["engines"]), "notes": tuple(document["notes"])})


PRESETS: tuple[Preset, ...] = tuple(_read(preset) for preset in _IDS)


def index() -> list[PresetSummary]:
    """Every preset without its document, in the order they are offered."""
    return [preset.summary() for preset in PRESETS]


def load(preset: str) -> Preset:
    """The preset of that id. Raises InvalidInput."""
    for found in PRESETS:
        if found.id == preset:
            return found
    raise InvalidInput.at("", preset, f"no such preset; presets are {', '.join(_IDS)}")
