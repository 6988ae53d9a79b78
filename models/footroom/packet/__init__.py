"""Packet: the compiled simulator of hosts and shared-memory switches."""

from footroom.packet.environment import Environment
from footroom.packet.simulate import simulate
from footroom.packet.simulation import Simulation

__all__ = ["Environment", "Simulation", "simulate"]
