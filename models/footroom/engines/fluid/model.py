"""How a set of delay-differential equations plugs into the integrator.

A model is four compiled functions of one signature, handed to the integrator as addresses. The integrator is
therefore compiled once and cached on disk, whatever models exist; a further model costs only its own compilation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from footroom.engines.fluid.calls import EQUATIONS, address

Equations = Callable[[float, Any, Any, Any, Any, Any], None]


@dataclass(frozen=True)
class Model:
    """Equations of one fluid model; every function is ``f(time, state, seen, past, params, out)``.

    delayed: writes to ``out`` the past values that the equations need at ``time`` (``state`` is not meaningful here,
        ``out`` still holds the previous answer, a good first guess for an implicit delay). Called twice per step,
        because two of the four Runge-Kutta stages share one instant and the last one is shared with the next step.
    slope: writes the time derivative of every state component to ``out``; may also read the past itself when a
        delay depends on the *current* state.
    project: brings ``out`` (the state after a step) back into its legal range; books what it cuts off.
    observe: writes the signals to ``out``; the first ones are remembered, all are recorded and averaged.

    The arguments are bare float64 pointers: index them with integers, use the functions of ``history`` on ``past``,
    write no NumPy expressions. An exception raised inside cannot reach the caller: guard divisions.
    """

    name: str
    delayed: Equations
    slope: Equations
    project: Equations
    observe: Equations

    @cached_property
    def addresses(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Entry points (delayed, slope, project, observe); compiled on first use, read from the cache if possible."""
        functions = self.delayed, self.slope, self.project, self.observe
        return np.array([address(function, EQUATIONS) for function in functions], np.int64)
