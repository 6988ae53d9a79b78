"""Switch chips: packet memory, cell, ports, and how sure each of these is."""

from footroom.parts.asics.asic import Asic
from footroom.parts.asics.catalogue import ASICS, asic_named
from footroom.parts.asics.platforms import asic_of_configuration, asic_of_platform

__all__ = ["ASICS", "Asic", "asic_named", "asic_of_configuration", "asic_of_platform"]
