"""Scaling: a fast scenario made small enough for a laptop, with a report of what that keeps and what it changes."""

from footroom.scenario.scaling.report import ScaledField, ScaledQuantity, ScalingReport
from footroom.scenario.scaling.scale import scale

__all__ = ["ScaledField", "ScaledQuantity", "ScalingReport", "scale"]
