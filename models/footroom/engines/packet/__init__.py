"""Packet: the compiled simulator of hosts and shared-memory switches."""

from footroom.engines.packet.environment import Environment
from footroom.engines.packet.simulate import simulate
from footroom.engines.packet.simulation import Simulation

__all__ = ["Environment", "Simulation", "simulate"]
