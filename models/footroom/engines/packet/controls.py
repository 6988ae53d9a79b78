"""Handles on the parts of a running simulation, to read their state and change their settings."""

from __future__ import annotations

import numpy as np

from footroom.base.errors import InvalidInput
from footroom.engines.packet.simulation import Simulation
from footroom.kernel.tables import NEVER
from footroom.parts.marking.marker import Marker
from footroom.parts.sharing import Policy


class Queue:
    """Packets waiting at one port."""

    def __init__(self, simulation: Simulation, port: int) -> None:
        self._simulation, self._port = simulation, port

    @property
    def bytes(self) -> int:
        """Waiting bytes; the packet being sent is among them only where switch.release is end."""
        return int(self._simulation.tables.ports["bytes"][self._port])

    @property
    def packets(self) -> int:
        """Waiting packets."""
        return int(self._simulation.tables.ports["backlog"][self._port])

    @property
    def dropped(self) -> int:
        """Packets dropped so far, the warm-up included."""
        return self._counter("dropped")

    @property
    def offered(self) -> int:
        """Packets that have come to this port so far, the warm-up and those dropped included."""
        return self._counter("offered")

    @property
    def sent(self) -> int:
        """Packets sent so far, the warm-up included."""
        return self._counter("sent")

    @property
    def sent_bytes(self) -> int:
        """Bytes sent so far, the warm-up included."""
        return self._counter("sent_bytes")

    @property
    def marked(self) -> int:
        """Packets that this port has marked so far, the warm-up included."""
        return self._counter("marked")

    def _counter(self, name: str) -> int:
        return int(self._simulation.tables.ports[name][self._port])


class Fluid:
    """Traffic without packets at one port, beside its packets: its rate is set from outside.

    It takes memory and capacity, delays packets, and is lost where the queue is full. It does not react to losses.
    """

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation, self._number = simulation, number

    def _of(self, name: str) -> float:
        return float(self._simulation.tables.fluids[name][self._number])

    @property
    def rate(self) -> float:
        """Rate [bit/s] at which it arrives, headers included; setting it takes effect now."""
        return self._of("rate") * 8.0e12

    @rate.setter
    def rate(self, rate: float) -> None:
        if not (np.isfinite(rate) and 0.0 <= rate <= 1e14):
            raise InvalidInput.at("rate", rate, "a rate is between 0 and 100 Tb/s")
        self._simulation.tables.fluids["rate"][self._number] = rate / 8.0e12

    @property
    def bytes(self) -> float:
        """Bytes of it that wait."""
        return self._of("inside")

    @property
    def offered(self) -> float:
        """Bytes that have arrived so far, the warm-up included."""
        return self._of("offered")

    @property
    def lost(self) -> float:
        """Bytes lost so far, the warm-up included."""
        return self._of("lost")

    @property
    def sent(self) -> float:
        """Bytes sent so far, the warm-up included."""
        return self._of("sent")


class Link:
    """One direction of a cable."""

    def __init__(self, simulation: Simulation, port: int) -> None:
        self._simulation, self._port = simulation, port

    @property
    def rate(self) -> float:
        """Rate [bit/s]; setting it takes effect with the next packet."""
        return 8.0e12 * 65536.0 / float(self._simulation.tables.ports["rate"][self._port])

    @rate.setter
    def rate(self, rate: float) -> None:
        if not (np.isfinite(rate) and 1.0 <= rate <= 1e14):
            raise InvalidInput.at("rate", rate, "a rate is between 1 bit/s and 100 Tb/s")
        self._simulation.set_rate(self._port, rate)


class Switch:
    """A switch's memory; of several line cards, all together."""

    def __init__(self, simulation: Simulation, index: int) -> None:
        self._simulation, self._index = simulation, index

    @property
    def _rows(self) -> np.ndarray:
        return self._simulation.tables.switches[self._simulation.memories_of(self._index)]

    @property
    def used(self) -> int:
        """Bytes of memory in use."""
        return int(self._rows["used"].sum())

    @property
    def buffer(self) -> int:
        """Bytes of memory; setting it never drops what is already waiting."""
        return int(self._rows["buffer"].sum())

    @buffer.setter
    def buffer(self, size: int) -> None:
        rows = self._rows
        each = size // len(rows)
        reserved = int(rows["buffer"][0]) - int(rows["pool"][0])
        if not reserved < each <= 10**12:
            raise InvalidInput.at(
                "buffer", size, f"a buffer is above the {reserved * len(rows)} B reserved and at most 1 TB"
            )
        rows["buffer"], rows["pool"], rows["retest"] = each, each - reserved, NEVER

    def share(self, policy: Policy) -> None:
        """Replace the sharing policy, or its parameters, from now on; the policy starts with empty state."""
        self._simulation.share(self._index, policy)

    def mark(self, marker: Marker) -> None:
        """Replace the marking, or its thresholds, at all ports from now on."""
        self._simulation.mark(self._index, marker)
