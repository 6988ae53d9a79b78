"""Which control changes the answer: the smallest buffer under every congestion control, over numbers of flows."""

from footroom.studies.controls.answer import ControlsAnswer, Row, Rule
from footroom.studies.controls.compute import Comparison, compare
from footroom.studies.controls.kinds import Control, available, control_named, pairs

__all__ = ["Comparison", "Control", "ControlsAnswer", "Row", "Rule", "available", "compare", "control_named", "pairs"]
