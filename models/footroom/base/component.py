"""What every interchangeable part is: a frozen declaration with a ``kind``, parameters and its provenance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True)
class About:
    """Provenance of a component.

    title: a reader's name for it.  summary: one sentence.  sources: where it is defined.  holds: where it is valid.
    departures: where this implementation differs from its source.
    """

    title: str
    summary: str
    sources: tuple[str, ...] = ()
    holds: str = ""
    departures: str = ""


@dataclass(frozen=True)
class Profile:
    """Parameters of a component as shipped or published, to start from.

    id, title: names.  values: parameters in SI base units; those left out keep their defaults.  source: where the
    values stand.  notes: what they go with, and what of the source has no parameter here.
    """

    id: str
    title: str
    values: dict[str, float | str | None]
    source: str
    notes: str = ""


class Document(BaseModel):
    """A part of the scenario document: immutable, unknown keys are errors, no NaN or infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=False)


class Component(Document):
    """A document picked by its ``kind``. Subclasses add ``kind: Literal["name"]`` and ``about``."""

    kind: str
    about: ClassVar[About]
    #: Engines that know this kind.
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    #: Known sets of parameters.
    profiles: ClassVar[tuple[Profile, ...]] = ()
    #: Parameters to start from, as a document writes them. Must have all that have no default; a form fills them in.
    example: ClassVar[dict[str, Any]] = {}

    def known_to(self) -> tuple[str, ...]:
        """Engines that know this kind with these parameters."""
        return self.engines
