"""Switch chips: packet memory, cell, ports, and how sure each of these is."""

from footroom.asics.asic import Asic
from footroom.asics.catalogue import ASICS, asic_named

__all__ = ["ASICS", "Asic", "asic_named"]
