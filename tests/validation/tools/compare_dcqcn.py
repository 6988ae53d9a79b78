"""Compare the fluid of DCQCN with packets over rates, round trips, flows, ramps of RED and parameters.

``python -m tests.validation.tools.compare_dcqcn [random SEED COUNT]``: the grid behind
``footroom.engines.fluid.dcqcn_validity``, or as many cases drawn at random from the seed. A ``!`` stands behind what
the fluid calls outside its validity, ``MISS`` behind a case where it claims more than 3 points. Takes five minutes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import footroom as fr

#: Ramps of RED: Kmin and Kmax (packets of 1500 bytes) and Pmax.
RAMPS = ((50.0, 250.0, 0.1), (100.0, 600.0, 0.1), (3.3, 133.0, 0.01), (20.0, 1000.0, 0.2), (267.0, 1067.0, 0.2))
POINTS = 3.0

Setting = tuple[float, float, int, tuple[float, float, float], dict[str, Any]]


def _grid() -> Iterator[Setting]:
    for rate, trip, flows, ramp in product((1e10, 4e10, 1e11), (1e-5, 5e-5), (2, 8, 32), RAMPS):
        yield rate, trip, flows, ramp, {}


def _drawn(seed: int, count: int) -> Iterator[Setting]:
    draw = random.Random(seed)
    for _ in range(count):
        least = draw.choice((5.0, 20.0, 60.0, 200.0))
        yield (
            draw.choice((1e10, 2.5e10, 4e10, 1e11)),
            draw.choice((8e-6, 2e-5, 6e-5)),
            draw.choice((2, 3, 5, 10, 20)),
            (least, least * draw.choice((2.0, 5.0, 10.0)), draw.choice((0.01, 0.05, 0.2, 1.0))),
            {
                "additive_increase": draw.choice((5e6, 4e7, 2e8)),
                "rate_timer": draw.choice((5.5e-5, 3e-4)),
                "g": draw.choice((1 / 256, 1 / 16)),
            },
        )


def scenario(rate: float, trip: float, flows: int, ramp: tuple[float, float, float], other: dict[str, Any]) -> Any:
    """Long flows over a link as fast as their own, with room for 6000 packets."""
    least, most, top = ramp
    duration = 0.12 if rate < 5e10 else 0.06
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": rate, "rtt": trip},
        "switch": {
            "buffer": 6000 * 1500.0,
            "marking": {"kind": "red", "kmin": 1500.0 * least, "kmax": 1500.0 * most, "pmax": top},
        },
        "traffic": [
            {"kind": "long_lived", "flows": flows, "congestion": {"kind": "dcqcn", **other}, "start_jitter": 0.002}
        ],
        "run": {"duration": duration, "warmup": duration / 3.0, "mtu": 1500},
    }


def main() -> None:
    """One line a case."""
    asked = sys.argv[1:]
    settings = _drawn(int(asked[1]), int(asked[2])) if asked else _grid()
    for rate, trip, flows, ramp, other in settings:
        fluid, packet = (
            fr.run(scenario(rate, trip, flows, ramp, other), engine=engine) for engine in ("fluid", "packet")
        )
        cells = [f"{rate / 1e9:4.0f} Gb/s {1e6 * trip:3.0f} us {flows:3d} flows {ramp} {other}:"]
        for name, unit in (("utilisation", 0.01), ("queue_mean", 1500.0), ("queue_p99", 1500.0), ("drop_rate", 1.0)):
            flag = "!" if name in fluid.outside else " "
            cells.append(f"{fluid.metrics[name] / unit:7.4g}{flag} {packet.metrics[name] / unit:7.4g} |")
        off = 100.0 * abs(fluid.metrics["utilisation"] - packet.metrics["utilisation"])
        cells.append("MISS" if off > POINTS and "utilisation" not in fluid.outside else "")
        sys.stdout.write(" ".join(cells) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
