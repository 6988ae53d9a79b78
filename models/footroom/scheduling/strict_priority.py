"""Strict priority."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component


class StrictPriority(Component):
    """The non-empty queue of the highest number sends next; a packet under way is never interrupted."""

    about: ClassVar[About] = About(
        title="Strict priority",
        summary="The non-empty queue of the highest number sends next.",
        sources=("IEEE 802.1Q, strict priority transmission selection",),
        holds="high classes well below capacity; those below them wait as long as it takes",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["strict_priority"] = "strict_priority"
