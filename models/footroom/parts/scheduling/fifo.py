"""First in, first out."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.parts.scheduling.scheduler import Scheduler


class Fifo(Scheduler):
    """One queue per port, served in order of arrival."""

    about: ClassVar[About] = About(
        title="First in, first out", summary="One queue per port, served in order of arrival."
    )
    engines: ClassVar[tuple[str, ...]] = ("theory", "fluid", "packet", "reference")
    kind: Literal["fifo"] = "fifo"
