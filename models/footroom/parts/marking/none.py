"""No marking: congestion is signalled by drops only."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.parts.marking.marker import Marker


class NoMarking(Marker):
    """Packets are never marked."""

    about: ClassVar[About] = About(title="No marking", summary="Congestion is signalled by drops only.")
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["none"] = "none"
