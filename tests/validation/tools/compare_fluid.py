"""Compare the fluid with the packet engine over flows, buffers and round trips. Takes about two minutes."""

from __future__ import annotations

import sys
from typing import Any

import footroom as fr
from footroom.result import Result

#: Bottleneck [bit/s], round trip [s], flows, duration [s].
PATHS = [
    *((1e8, 0.04, flows, 150.0) for flows in (1, 2, 5, 10, 20)),
    *((1e9, 0.02, flows, 50.0) for flows in (10, 50, 200)),
]
SPREADS = (0.0, 0.2)
#: Buffer in bandwidth-delay products.
BUFFERS = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)


def scenario(rate: float, trip: float, flows: int, duration: float, spread: float, products: float) -> dict[str, Any]:
    """Long NewReno flows that recover as Linux does."""
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 10.0 * rate, "rtt": trip, "rtt_spread": spread},
        "switch": {"buffer": max(products * rate * trip / 8.0, 4500.0)},
        "traffic": [{"kind": "long_lived", "flows": flows, "start_jitter": "1 s"}],
        "run": {"duration": duration, "warmup": duration / 5.0, "mtu": 1500},
    }


def main() -> None:
    """One line a case, then how many agree where the fluid calls itself valid."""
    write = sys.stdout.write
    within = {"utilisation": [0, 0], "drop_rate": [0, 0], "queue_mean": [0, 0]}
    for spread in SPREADS:
        for rate, trip, flows, duration in PATHS:
            for products in BUFFERS:
                asked = scenario(rate, trip, flows, duration, spread, products)
                fluid, packet = (fr.run(asked, engine=engine) for engine in ("fluid", "packet"))
                off, ratio, queue = _differences(fluid, packet, asked["switch"]["buffer"])
                write(
                    f"{rate / 1e6:5.0f} Mb/s {flows:4d} flows, spread {spread:.1f}, {products:5.2f} BDP: utilisation "
                    f"{off:+6.2f} points, drops x{ratio:5.2f}, queue {queue:+.2f} B"
                    f"{'  (outside)' if 'utilisation' in fluid.outside else ''}\n"
                )
                good = {
                    "utilisation": abs(off) <= 3.0,
                    "drop_rate": 1 / 1.4 < ratio < 1.4,
                    "queue_mean": abs(queue) <= 0.1,
                }
                for name in within.keys() - fluid.outside.keys():
                    within[name][0] += good[name]
                    within[name][1] += 1
    (used, cases), (drops, dropping), (queues, queueing) = within.values()
    write(
        f"inside: utilisation within 3 points in {used} of {cases} cases, drops within 1.4x in {drops} of "
        f"{dropping}, mean queue within a tenth of the buffer in {queues} of {queueing}\n"
    )


def _differences(fluid: Result, packet: Result, buffer: float) -> tuple[float, float, float]:
    """Points of utilisation, ratio of drop rates, share of the buffer between the mean queues."""
    a, b = fluid.metrics, packet.metrics
    return (
        100.0 * (a["utilisation"] - b["utilisation"]),
        a["drop_rate"] / max(b["drop_rate"], 1e-9),
        (a["queue_mean"] - b["queue_mean"]) / buffer,
    )


if __name__ == "__main__":
    main()
