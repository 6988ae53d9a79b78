"""Time the fluid's redraw of the buffer page for every preset: nine sizes, then twice more where the curve bends.

``python -m tests.validation.tools.redraw [preset ...] [--times 3]``. Sizes and bends are those of
frontend/src/views/buffer/lib/refine.ts. Every preset is drawn once more than it is timed; after the first time nothing
is compiled or loaded.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import dataclass
from typing import Any

import footroom as fr
from footroom.base.errors import FootroomError
from footroom.result import Result
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import bottleneck_of
from footroom.scenario.presets import PRESETS, load

#: What is drawn, and whether on a logarithmic scale.
DRAWN = {
    "utilisation": False,
    "drop_rate": True,
    "queue_mean": True,
    "queue_p99": True,
    "fct_mean": True,
    "fct_p50": True,
    "fct_p99": True,
    "transfer_p50": True,
    "transfer_p99": True,
}
SKETCH, ROUNDS, BEND = 9, 2, 0.01
#: The least height of a plot: of a share, and in decades.
LEAST = {False: 0.02, True: 0.25}

Points = list[tuple[float, Result]]


def spread(low: float, high: float) -> list[float]:
    """Sizes evenly by ratio."""
    return sorted({float(round(low * (high / low) ** (i / (SKETCH - 1)))) for i in range(SKETCH)})


def _heights(points: Points, metric: str) -> list[float | None]:
    values = [result.metrics.get(metric) for _, result in points]
    if not DRAWN[metric]:
        return values
    return [math.log10(value) if value is not None and value > 0.0 else None for value in values]


def bends(points: Points) -> list[float]:
    """Sizes between those at which some curve bends, appears or becomes invalid."""
    points = sorted(points, key=lambda point: point[0])
    x, wanted = [math.log(size) for size, _ in points], set[int]()
    for metric, log in DRAWN.items():
        y = _heights(points, metric)
        known = [value for value in y if value is not None]
        tolerance = BEND * max(LEAST[log], max(known) - min(known)) if known else 0.0
        outside = [metric in result.outside for _, result in points]
        for i in range(len(points) - 1):
            if (y[i] is None) != (y[i + 1] is None) or outside[i] != outside[i + 1]:
                wanted.add(i)
            before, here, after = y[i - 1] if i else None, y[i], y[i + 1]
            if before is None or here is None or after is None:
                continue
            straight = before + (after - before) * (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
            if abs(here - straight) > tolerance:
                wanted |= {i - 1, i}
    between = ((points[i][0], points[i + 1][0]) for i in sorted(wanted))
    return [middle for low, high in between if low < (middle := float(round(math.sqrt(low * high)))) < high]


def _range(document: dict[str, Any]) -> tuple[float, float]:
    """About what the page sweeps: from a fifth of the smallest landmark to twice the greatest."""
    seen = bottleneck_of(Scenario.parse(document), "fluid")
    product = seen.capacity * seen.rtt / 8.0
    top = 2.0 * product
    bottom = max(min(product / math.sqrt(max(1, seen.flows)) / 5.0, top / 100.0), seen.mtu)
    return min(bottom, seen.buffer / 2.0), max(top, 2.0 * seen.buffer if seen.buffer > top else 0.0)


@dataclass(frozen=True)
class Drawn:
    """A redraw. sizes [B]: asked for.  spent, sketch: processor time [s] of all of it, and until the first curve.
    elapsed: time [s] on the clock, which others on this machine lengthen.
    """

    sizes: tuple[float, ...]
    spent: float
    sketch: float
    elapsed: float


def redraw(document: dict[str, Any]) -> Drawn:
    """Draw the whole curve."""
    points: Points = []
    sizes = spread(*_range(document))
    began, clock, sketch = time.process_time(), time.perf_counter(), 0.0
    for round_ in range(1 + ROUNDS):
        found = fr.sweep(document, over={"switch.buffer": sizes}, engines=["fluid"]).points
        points += [(size, point.result) for size, point in zip(sizes, found, strict=True)]
        sizes = bends(points)
        if round_ == 0:
            sketch = time.process_time() - began
        if not sizes:
            break
    asked = tuple(size for size, _ in points)
    return Drawn(asked, time.process_time() - began, sketch, time.perf_counter() - clock)


def main() -> None:
    """One line a preset that the fluid answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", default=[preset.id for preset in PRESETS])
    parser.add_argument("--times", type=int, default=1, help="redraws after the first, of which the best counts")
    chosen = parser.parse_args()
    for name in chosen.presets:
        document = load(name).scenario
        try:
            first = redraw(document)
        except FootroomError:
            continue
        best = min((redraw(document) for _ in range(chosen.times)), key=lambda drawn: drawn.spent)
        sys.stdout.write(
            f"{name:18} {best.spent:5.2f} s of processor time for {len(best.sizes)} sizes, {best.sketch:.2f} s of it "
            f"for the first curve ({first.spent:.2f} s at first); {best.elapsed:.2f} s on the clock\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
