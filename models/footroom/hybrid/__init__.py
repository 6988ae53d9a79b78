"""The hybrid engine: traffic entries marked ``"as": "fluid"`` as fluid, the others as packets, in the same queues."""

from footroom.hybrid.check import check
from footroom.hybrid.simulate import coupled, simulate

__all__ = ["check", "coupled", "simulate"]
