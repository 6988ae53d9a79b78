"""Margins of many systems at once, for maps: fewer frequencies, no check by the other method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from footroom.base import deadline
from footroom.calculators.stability.loop import loci, scalars
from footroom.engines.fluid.linear import Complex, Linear, Matrix, Stack, stack_of

_ROUNDING = 1e-10  # as in ``margins``
_POINTS, _SLOWEST, _BLOCK, _HALVINGS = 400, 1e-7, 64, 46


def phase_margins(systems: Sequence[Linear], stable: Any) -> Matrix:
    """Phase margin in degrees of each of many systems of one shape; NaN where none describes it.

    stable: (systems,) verdicts.  As ``margins`` of a single system, on 400 frequencies over seven decades.
    """
    if not systems:
        return np.zeros(0)
    stack = stack_of(systems)
    found = np.full(len(stack), np.nan)
    if not stack.columns:
        return found
    alone, verdict = scalars(stack), np.asarray(stable, bool)
    for scalar in (True, False):
        members = np.flatnonzero(alone == scalar)
        for part in np.array_split(members, -(-members.size // _BLOCK)) if members.size else []:
            deadline.check()
            found[part] = _margins(stack.take(part), verdict[part], scalar=scalar)
    return found


def _margins(stack: Stack, stable: Any, *, scalar: bool) -> Matrix:
    fastest = 1.0001 * stack.reach(np.zeros(len(stack)))
    logs = np.log(fastest)[:, None] + np.linspace(np.log(_SLOWEST), 0.0, _POINTS)
    over = np.abs(_gains(stack, logs, scalar=scalar)) > 1.0 + _ROUNDING
    rows, places, branches = np.nonzero(over[:, :-1] & ~over[:, 1:])
    low, high, here = logs[rows, places], logs[rows, places + 1], stack.take(rows)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        above = np.abs(_at(here, middle, branches, scalar=scalar)) > 1.0 + _ROUNDING
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    value = _at(here, high, branches, scalar=scalar)
    lag = np.degrees(np.arctan2(value.imag, value.real)) + 180.0
    lag = np.where(stable[rows], lag % 360.0, np.where(lag > 180.0, lag - 360.0, lag))
    least = np.full(len(stack), np.inf)
    np.minimum.at(least, rows, lag)
    told: Matrix = np.where(np.isfinite(least) & (stable | (least < 0.0)), least, np.nan)
    return told


def _gains(stack: Stack, logs: Matrix, *, scalar: bool) -> Complex:
    return loci(stack, np.asarray(1j * np.exp(logs), complex), scalar=scalar)


def _at(stack: Stack, logs: Matrix, branches: Any, *, scalar: bool) -> Complex:
    gains = _gains(stack, logs[:, None], scalar=scalar)[:, 0]
    picked: Complex = np.take_along_axis(gains, branches[:, None], axis=1)[:, 0]
    return picked
