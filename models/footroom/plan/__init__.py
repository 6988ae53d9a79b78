"""Plan: a scenario as flat arrays, the same for every packet engine."""

from footroom.plan.build import build_plan, check
from footroom.plan.plan import SECOND, Plan, Stack

__all__ = ["SECOND", "Plan", "Stack", "build_plan", "check"]
