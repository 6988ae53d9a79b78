"""The reference engine: the same switch and hosts in plain SimPy, written to be readable rather than fast."""

from footroom.engines.reference.engine import simulate
from footroom.engines.reference.network import Network

__all__ = ["Network", "simulate"]
