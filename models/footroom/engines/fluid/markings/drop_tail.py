"""No early notice: packets are lost when the buffer is full, and only then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from footroom.engines.fluid.markings.marking import Marking
from footroom.parts.marking.none import NoMarking


@dataclass(frozen=True)
class DropTail(Marking):
    """Loss only when the buffer is full."""

    name: ClassVar[str] = "drop_tail"
    jumps: ClassVar[bool] = True
    source: ClassVar[str] = "loss 1 - C/y while the buffer is full"


def of(marking: NoMarking, packet: float) -> DropTail:
    """The marking ``none`` with packets of ``packet`` bytes."""
    return DropTail()
