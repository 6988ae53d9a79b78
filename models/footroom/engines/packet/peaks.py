"""The most that every queue held between two looks, for several recorders that look at times of their own."""

from __future__ import annotations

import numpy as np

from footroom.engines.packet.simulation import Simulation
from footroom.engines.packet.tables import Ints


class Peaks:
    """Queues' ``peak`` of a simulation; a reader that resets it does not reset it for the others."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._kept: list[Ints] = []

    def reader(self) -> int:
        """Number of a new reader, whose peaks start now."""
        self._kept.append(np.zeros(len(self._simulation.tables.queues), np.int64))
        return len(self._kept) - 1

    def take(self, reader: int) -> Ints:
        """Most bytes of every queue since this reader last took it."""
        queues = self._simulation.tables.queues
        for kept in self._kept:
            np.maximum(kept, queues["peak"], out=kept)
        queues["peak"] = queues["bytes"]
        found = self._kept[reader]
        self._kept[reader] = np.zeros_like(found)
        return found
