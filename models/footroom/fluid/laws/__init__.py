"""Congestion controls of the fluid, one file each; ``BUILDERS`` names them by the kind they answer for."""

from footroom.fluid.laws import hpcc, reno
from footroom.fluid.laws.building import Builder, Setting
from footroom.fluid.laws.flows import Flows, Group, Law, Pace, Path, Pressure, Rest, Swing
from footroom.fluid.laws.hpcc import Hpcc
from footroom.fluid.laws.reno import Reno

BUILDERS: dict[str, Builder] = {
    "newreno": reno.of,
    "hpcc": hpcc.of,
}

__all__ = [
    "BUILDERS", "Builder", "Flows", "Group", "Hpcc", "Law", "Pace", "Path", "Pressure", "Reno", "Rest", "Setting",
    "Swing"]
