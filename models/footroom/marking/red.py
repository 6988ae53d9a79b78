"""RED: mark or drop with a probability that rises with the queue."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.component import About, Component
from footroom.quantity import Size, quantity


class Red(Component):
    """Probability 0 up to ``kmin``, rising linearly to ``pmax`` at ``kmax``, 1 above."""

    about: ClassVar[About] = About(
        title="RED", summary="Marking probability rises linearly with the queue.",
        sources=("Floyd and Jacobson, ToN 1(4) 1993", "Zhu et al., SIGCOMM 2015, §3.1 for the instantaneous form"),
        departures="acts on the instantaneous queue, as switches configured for ECN do, unless weight is below 1; in "
                   "the fluid engine only",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    kind: Literal["red"] = "red"
    kmin: Size = quantity(..., "B", "Queue below which nothing is marked.", ge=0, symbol="Kmin")
    kmax: Size = quantity(..., "B", "Queue above which everything is marked.", gt=0, symbol="Kmax")
    pmax: float = quantity(0.1, "1", "Marking probability at kmax.", gt=0, le=1, symbol="Pmax")
    weight: float = quantity(1.0, "1", "Weight of a sample in the moving average of the queue, one sample per packet "
                             "time; 1 means the queue itself.", gt=0, le=1, symbol="w_q", advanced=True)

    @model_validator(mode="after")
    def _ordered(self) -> Red:
        if self.kmax <= self.kmin:
            raise PydanticCustomError("at:kmax", "kmax must be above kmin")
        return self
