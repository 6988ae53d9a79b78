"""Switch chips: packet memory, cell, ports, and how sure each of these is."""

from footroom.asics.asic import Asic
from footroom.asics.catalogue import ASICS, asic_named
from footroom.asics.platforms import asic_of_configuration, asic_of_platform

__all__ = ["ASICS", "Asic", "asic_named", "asic_of_configuration", "asic_of_platform"]
