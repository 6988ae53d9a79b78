"""The speed of the integrator, compared with that of scipy."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from footroom.engines.fluid import link as links_
from footroom.engines.fluid.batch import Batch
from footroom.engines.fluid.integrator import integrate
from footroom.engines.fluid.laws import Group, Reno
from footroom.engines.fluid.link import Link
from footroom.engines.fluid.markings import DropTail
from footroom.engines.fluid.small_buffer import SMALL_BUFFER, WINDOWS, arrange, tabulate


def _sweep(lanes: int, steps: int) -> Batch:
    """Drop-tail Reno with a queueing round trip: 100 flows at 1 Gb/s, 10 ms, buffers of 50 to 5000 packets."""
    step = 1e-4
    links = [Link(1e9 / 12e3, float(buffer)) for buffer in np.linspace(50.0, 5000.0, lanes)]
    return links_.arrange(
        links,
        [Group(100, 0.01, Reno(5.0, refined=True))],
        DropTail(),
        step=step,
        duration=steps * step,
        warmup=0.2 * steps * step,
    )


# One smooth delay equation both solvers handle without events: the loss-curve fluid rho^10 at w_cap = 10, delay 0.1 s.
_EXPONENT, _CAP, _DELAY, _START, _END = 10.0, 10.0, 0.1, 5.0, 3.0


def _ours(per_delay: int, lanes: int = 1) -> Batch:
    table = tabulate(lambda load: np.minimum(1.0, load) ** _EXPONENT, _EXPONENT)
    return arrange(
        [Link(_CAP / _DELAY)] * lanes,
        [table] * lanes,
        [Group(1, _DELAY, Reno(_START))],
        step=_DELAY / per_delay,
        duration=_END,
    )


def _solve(batch: Batch) -> float:
    """Window at the end, packets."""
    return float(integrate(SMALL_BUFFER, batch, threads=1).closed[0, WINDOWS])


def _constant_history(_: float) -> float:
    return _START


def _dense_value(dense: Callable[[float], Any], t: float) -> float:
    return float(dense(t)[0])


def _method_of_steps(tolerance: float) -> float:
    """The same equation by scipy: one ``solve_ivp`` (RK45, dense output) per delay interval."""

    def loss(window: float) -> float:
        return float(min(1.0, window / _CAP) ** _EXPONENT)

    state = _START
    before: Callable[[float], float] = _constant_history
    for interval in range(round(_END / _DELAY)):

        def slope(t: float, y: Any, before: Callable[[float], float] = before) -> list[float]:
            then = before(t - _DELAY)
            p = loss(then)
            return [then / _DELAY * ((1.0 - p) / y[0] - 0.5 * p * y[0])]

        begin = interval * _DELAY
        found = solve_ivp(slope, (begin, begin + _DELAY), [state], rtol=tolerance, atol=tolerance, dense_output=True)
        state = float(found.y[0, -1])
        before = partial(_dense_value, found.sol)
    return state


def _best(call: Callable[[], object], repeats: int) -> float:
    """Shortest of several wall times, s."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(lanes: int = 1000, steps: int = 10_000) -> dict[str, float]:
    """Wall and processor time of a drop-tail sweep on all cores, and the ratio to ``scipy.integrate.solve_ivp``.

    The ratio: one smooth delay equation, one thread, equal accuracy. Errors are against scipy at rtol = atol = 1e-11;
    ours takes the fewest steps per delay (a power of two) that err no more than scipy at rtol = atol = 1e-6.
    ``fluid_vs_solve_ivp`` is per integration in a sweep of 200, the way the engine works; ``..._single`` pays for one
    lone call. Compilation is done beforehand; the shortest of several timings counts, for both.
    """
    links_.simulate(_sweep(2, 100))
    batch = _sweep(lanes, steps)
    processor = time.process_time()
    start = time.perf_counter()
    links_.simulate(batch)
    wall = time.perf_counter() - start
    processor = time.process_time() - processor

    exact = _method_of_steps(1e-11)
    theirs_error = abs(_method_of_steps(1e-6) - exact) / exact
    per_delay = 4
    while (error := abs(_solve(_ours(per_delay)) - exact) / exact) > theirs_error and per_delay < 4096:
        per_delay *= 2
    one, many, count = _ours(per_delay), _ours(per_delay, 200), 200
    single = _best(lambda: _solve(one), 20)
    swept = _best(lambda: _solve(many), 5) / count
    theirs = _best(lambda: _method_of_steps(1e-6), 3)
    return {
        "sweep_wall_s": wall,
        "sweep_cpu_s": processor,
        "sweep_steps_per_cpu_s": lanes * steps / processor,
        "solve_ivp_s": theirs,
        "solve_ivp_error": theirs_error,
        "ours_s": swept,
        "ours_single_s": single,
        "ours_error": error,
        "ours_steps_per_delay": float(per_delay),
        "fluid_vs_solve_ivp": theirs / swept,
        "fluid_vs_solve_ivp_single": theirs / single,
    }
