"""Thresholds that vendors and papers ship, to be judged beside one's own."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Shipped:
    """kmin, kmax: bytes.  pmax: probability at kmax; where ``pmax_known`` is false the source does not say.
    speed: bit/s of the ports it is meant for.
    """

    name: str
    speed: float
    kmin: float
    kmax: float
    pmax: float
    pmax_known: bool
    source: str


@functools.cache
def shipped() -> tuple[Shipped, ...]:
    """All of them, in the order they are shown."""
    text = resources.files("footroom.calculators.ecn").joinpath("data/defaults.json").read_text("utf-8")
    return tuple(Shipped(**entry) for entry in json.loads(text))
