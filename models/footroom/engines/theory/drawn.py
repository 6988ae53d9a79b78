"""Where so few flows draw their round trips from a range that the answer depends on the draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from footroom.engines.theory.window_limited import scatter_of_inverse
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.short_runs import DRAWN

#: Change of the answer from which a metric depends on the draw: points of utilisation, ratio of drop rates, and share
#: of the buffer that the mean queue changes by.
POINTS, TIMES, QUEUE = 0.03, 1.4, 0.1


def outside(
    seen: Bottleneck, metrics: Mapping[str, float], answer: Callable[[Bottleneck], Mapping[str, float]]
) -> dict[str, str]:
    """Metric to reason. ``answer``: the metrics for another mean round trip; it is asked for both ends of those that
    two standard deviations of the draw reach.
    """
    # Rates go as the inverse of round trips, whose mean scatters a little more than that of the round trips.
    off = min(seen.spread, 2.0 * scatter_of_inverse(seen.spread) / math.sqrt(max(1, seen.flows)))
    if not seen.long_lived or off < DRAWN:
        return {}
    ends = [answer(_moved(seen, sign * off * seen.propagation)) for sign in (-1.0, 1.0)]
    found: dict[str, str] = {}
    for name in ("utilisation", "throughput", "drop_rate", "queue_mean"):
        values = sorted((metrics[name], *(end[name] for end in ends)))
        scale = {"throughput": 1.0 / seen.capacity, "queue_mean": 1.0 / max(seen.buffer, seen.mtu)}.get(name, 1.0)
        moved = max(values[-1] - metrics[name], metrics[name] - values[0]) * scale
        if name == "drop_rate":
            differs = values[-1] > TIMES * metrics[name] or metrics[name] > TIMES * values[0]
        else:
            differs = moved > (QUEUE if name == "queue_mean" else POINTS)
        if differs:
            found[name] = (
                f"the packet simulation draws the round trips of {seen.flows} flow{'s' if seen.flows > 1 else ''} "
                f"from a range of ±{100.0 * seen.spread:.3g} %, and their mean is up to {100.0 * off:.0f} % from its "
                f"middle: this number is between {_written(name, values[0])} and {_written(name, values[-1])}, "
                "depending on run.seed; compare with several seeds"
            )
    return found


def _written(name: str, value: float) -> str:
    if name == "utilisation":
        return f"{100.0 * value:.3g} %"
    return f"{value:.3g}" + {"throughput": " bit/s", "queue_mean": " B"}.get(name, "")


def _moved(seen: Bottleneck, longer: float) -> Bottleneck:
    return replace(seen, propagation=seen.propagation + longer, rtt=seen.rtt + longer)
