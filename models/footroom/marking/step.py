"""Step: mark every packet that finds more than a threshold waiting."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About, Component
from footroom.quantity import Size, quantity


class Step(Component):
    """Every packet that arrives while the queue exceeds ``threshold`` is marked, no other."""

    about: ClassVar[About] = About(
        title="Step", summary="Every packet that finds more than a threshold waiting is marked.",
        sources=("Alizadeh et al., SIGCOMM 2010, §3.1", "RFC 8257, §3.1"),
        holds="DCTCP; flows that halve on every mark lose utilisation",
        departures="acts on the instantaneous queue; in the fluid engine only",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    kind: Literal["step"] = "step"
    threshold: Size = quantity(..., "B", "Queue above which every packet is marked.", ge=0, symbol="K")
