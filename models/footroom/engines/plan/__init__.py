"""Plan: a scenario as flat arrays, the same for every packet engine."""

from footroom.engines.plan.build import build_plan
from footroom.engines.plan.checks import check
from footroom.engines.plan.plan import SECOND, Plan, Stack

__all__ = ["SECOND", "Plan", "Stack", "build_plan", "check"]
