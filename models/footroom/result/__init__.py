"""Result: the answer of every engine."""

from footroom.result.explanation import Explanation, Term
from footroom.result.priority_group import PriorityGroup
from footroom.result.result import METRICS, SCHEMA, Result, combine, with_transfers
from footroom.result.share import Share

__all__ = ["METRICS", "SCHEMA", "Explanation", "PriorityGroup", "Result", "Share", "Term", "combine", "with_transfers"]
