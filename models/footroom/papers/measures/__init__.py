"""Numbers that papers publish, computed from our runs: named pure functions, and trees of them."""

from footroom.papers.measures.answer import Answer, NotMeasurableError, Windows
from footroom.papers.measures.estimate import Estimate, estimate
from footroom.papers.measures.flows import Flows
from footroom.papers.measures.registry import MEASURES, Measure
from footroom.papers.measures.spec import Each, Formula, Leaf, Order, Spec, leaves

__all__ = [
    "MEASURES",
    "Answer",
    "Each",
    "Estimate",
    "Flows",
    "Formula",
    "Leaf",
    "Measure",
    "NotMeasurableError",
    "Order",
    "Spec",
    "Windows",
    "estimate",
    "leaves",
]
