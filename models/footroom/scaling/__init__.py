"""Scaling: a fast scenario made small enough for a laptop, with a report of what that keeps and what it changes."""

from footroom.scaling.report import Change, Quantity, ScalingReport
from footroom.scaling.scale import scale

__all__ = ["Change", "Quantity", "ScalingReport", "scale"]
