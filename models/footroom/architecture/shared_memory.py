"""Shared memory."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component


class SharedMemory(Component):
    """One memory serves all ports; a packet occupies it from arrival until its transmission begins."""

    about: ClassVar[About] = About(
        title="Shared memory",
        summary="One memory serves all ports; a packet occupies it from arrival until its transmission begins.",
    )
    kind: Literal["shared_memory"] = "shared_memory"
