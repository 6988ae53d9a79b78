"""Refuse arguments outside a formula's domain, naming the argument and what is accepted."""

from __future__ import annotations

import math

from footroom.base.errors import InvalidInput


def positive(path: str, value: float) -> float:
    """``value`` when it is finite and > 0; raises InvalidInput otherwise."""
    if not (math.isfinite(value) and value > 0):
        raise InvalidInput.at(path, value, "a finite number above 0 is needed")
    return value


def not_negative(path: str, value: float) -> float:
    """``value`` when it is finite and >= 0; raises InvalidInput otherwise."""
    if not (math.isfinite(value) and value >= 0):
        raise InvalidInput.at(path, value, "a finite number of at least 0 is needed")
    return value


def at_least(path: str, value: float, least: float) -> float:
    """``value`` when it is finite and >= ``least``; raises InvalidInput otherwise."""
    if not (math.isfinite(value) and value >= least):
        raise InvalidInput.at(path, value, f"a finite number of at least {least:g} is needed")
    return value


def between(path: str, value: float, low: float, high: float, *, ends: str = "open") -> float:
    """``value`` when it lies between ``low`` and ``high``; raises InvalidInput otherwise.

    ends: which ends belong to the range: ``open`` none, ``closed`` both, ``low`` or ``high`` that one.
    """
    above = value >= low if ends in ("closed", "low") else value > low
    below = value <= high if ends in ("closed", "high") else value < high
    if not (above and below):
        left = "[" if ends in ("closed", "low") else "("
        right = "]" if ends in ("closed", "high") else ")"
        raise InvalidInput.at(path, value, f"a number in {left}{low:g}, {high:g}{right} is needed")
    return value
