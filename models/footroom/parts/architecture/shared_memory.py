"""Shared memory."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.parts.architecture.layout import Layout


class SharedMemory(Layout):
    """One memory serves all ports; a packet occupies it from arrival until its transmission begins."""

    about: ClassVar[About] = About(
        title="Shared memory",
        summary="One memory serves all ports; a packet occupies it from arrival until its transmission begins.",
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["shared_memory"] = "shared_memory"
