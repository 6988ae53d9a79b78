"""Scaling: a fast scenario made small enough for a laptop, with a report of what that keeps and what it changes."""

from footroom.scenario.scaling.report import Change, Quantity, ScalingReport
from footroom.scenario.scaling.scale import scale

__all__ = ["Change", "Quantity", "ScalingReport", "scale"]
