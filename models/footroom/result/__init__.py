"""Result: what every engine answers with."""

from footroom.result.explanation import Explanation, Term
from footroom.result.result import METRICS, SCHEMA, Result, combine

__all__ = ["METRICS", "SCHEMA", "Explanation", "Result", "Term", "combine"]
