"""Congestion controls of the fluid, one file each; ``BUILDERS`` lists them by their kind in the scenario."""

from footroom.engines.fluid.laws import bbr, cubic_events, dcqcn, dctcp, hpcc, powertcp, reno, timely
from footroom.engines.fluid.laws.bbr_v1 import BbrV1
from footroom.engines.fluid.laws.bbr_v2 import BbrV2
from footroom.engines.fluid.laws.building import Builder, Setting
from footroom.engines.fluid.laws.cubic import Cubic
from footroom.engines.fluid.laws.cubic_events import CubicEvents
from footroom.engines.fluid.laws.dcqcn import Dcqcn
from footroom.engines.fluid.laws.dctcp import Dctcp
from footroom.engines.fluid.laws.flows import Flows, Group, Law, Oscillation, Pace, Path, Pressure, Rest
from footroom.engines.fluid.laws.hpcc import Hpcc
from footroom.engines.fluid.laws.powertcp import PowerTcp
from footroom.engines.fluid.laws.reno import Reno
from footroom.engines.fluid.laws.timely import Timely

BUILDERS: dict[str, Builder] = {
    "newreno": reno.of,
    "cubic": cubic_events.of,
    "bbr": bbr.of,
    "dctcp": dctcp.of,
    "dcqcn": dcqcn.of,
    "hpcc": hpcc.of,
    "powertcp": powertcp.of,
    "timely": timely.of,
}

#: Kinds with a model of a single flow (``OneFlow``) beside the mean of many.
SINGLE = ("newreno", "cubic")

__all__ = [
    "BUILDERS",
    "SINGLE",
    "BbrV1",
    "BbrV2",
    "Builder",
    "Cubic",
    "CubicEvents",
    "Dcqcn",
    "Dctcp",
    "Flows",
    "Group",
    "Hpcc",
    "Law",
    "Oscillation",
    "Pace",
    "Path",
    "PowerTcp",
    "Pressure",
    "Reno",
    "Rest",
    "Setting",
    "Timely",
]
