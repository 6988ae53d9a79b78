"""The hybrid engine: traffic entries marked ``"as": "fluid"`` as fluid, the others as packets, in the
same queues.
"""

from footroom.engines.hybrid.check import check
from footroom.engines.hybrid.simulate import coupled, simulate

__all__ = ["check", "coupled", "simulate"]
