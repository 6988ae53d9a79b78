"""Which holes of packets come back with the fluid that they were left in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.engines.packet.simulation import Simulation
from footroom.engines.plan import SECOND

#: Part by which round trips of one port may differ for its holes to come back whole.
SAME = 1e-6


def keep_holes(
    simulation: Simulation,
    port_of: npt.NDArray[np.int64],
    trips: npt.NDArray[np.float64],
    longest: float,
    clocked: bool,
) -> None:
    """Keep the holes that packets leave in fluid that passes one port on its way.

    port_of: row of the port of every route, whose round trips are ``trips`` [s].  longest: s of the most steps that are
    taken at once, in which what has left is spread by its holes.  clocked: whether acknowledgements alone clock the
    senders. Where they pace, or hosts shape, holes do not come back to the port; nor do they where round trips differ
    and every flow brings a part of each at another time.
    """
    for n in np.unique(port_of).tolist():
        mine = trips[port_of == n]
        whole = clocked and float(np.ptp(mine)) <= SAME * float(mine.max())
        simulation.keep_holes(n, longest * SECOND, float(mine.max()) * SECOND if whole else 0.0)
