"""Theory and fluid beside packets on the grids from which limits of docs/theory.md were read.

``python -m tests.validation.tools.compare_grids windows|step|seldom|unmarked``. One line per case: utilisation [%] and
drop rate by packets, and by each model its utilisation and its drop rate over that of packets, with a star where the
model says that it does not hold. windows: flows limited by receive windows, theory alone.  step: NewReno flows with
equal round trips over buffers of fewer packets than flows.  seldom: paced flows with few acknowledgements.  unmarked:
cases around what is beyond the targets and not marked.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from typing import Any

import footroom as fr

_MTU = 1500
_SEGMENT = 1448.0


def document(
    flows: int, path: float, buffer: int, *, spread: float, rtt: float, trips: float, access: float = 10.0, **host: Any
) -> dict[str, Any]:
    """NewReno flows over ``path`` packets each and a buffer in packets, measured for ``trips`` round trips or more."""
    rate = flows * path * _MTU * 8.0 / rtt
    lasting = max(trips * rtt, 24_000 * _MTU / rate)
    return {
        "topology": {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": access * rate,
            "rtt": rtt,
            "rtt_spread": spread,
        },
        "switch": {"buffer": buffer * float(_MTU)},
        "traffic": [
            {
                "kind": "long_lived",
                "flows": flows,
                "congestion": {"kind": "newreno"},
                "start_jitter": 0.05 * lasting,
                "host": host,
            }
        ],
        "run": {"duration": 1.35 * lasting, "warmup": 0.35 * lasting, "mtu": _MTU, "seed": 1},
    }


def windows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Windows of 41 packets that use 0.82 of the link."""
    window = 60e3
    packets = window / _SEGMENT
    for flows, held in ((7, 0.5), (7, 1), (20, 1), (20, 2), (100, 2), (100, 4), (100, 8), (250, 4), (250, 8)):
        asked = document(
            flows, packets / 0.85, round(held * packets), spread=0.1, rtt=0.03, trips=200.0, receive_window=window
        )
        yield f"{flows} flows, {held} windows of buffer", asked


def step() -> Iterator[tuple[str, dict[str, Any]]]:
    """Equal round trips, and fewer packets of buffer than flows."""
    for flows, path, held in itertools.product((40, 100, 250), (8, 14, 30), (0.3, 0.6)):
        buffer = round(held * flows)
        asked = document(flows, path, buffer, spread=0.0, rtt=0.02, trips=300.0)
        yield f"{flows} flows, {path} packets of path each, {buffer} of buffer", asked


def seldom() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every third and fourth packet acknowledged, paced."""
    for every, flows, path, held in itertools.product((3, 4), (40, 100), (10, 30), (0.3, 0.6, 1.5)):
        buffer = round(held * flows)
        asked = document(flows, path, buffer, spread=0.2, rtt=0.02, trips=300.0, ack_every=every, pacing=True)
        yield f"{flows} flows, ack_every {every}, {path} packets of path each, {buffer} of buffer", asked


def unmarked() -> Iterator[tuple[str, dict[str, Any]]]:
    """Over a buffer of 0.15 to 0.6 packets per flow, for each width of the round trips."""
    for flows, path, buffer, spread, pacing in (
        *((100, path, 60, spread, False) for path, spread in itertools.product((8, 14, 30), (0.05, 0.5))),
        *((250, 30, buffer, 0.2, False) for buffer in (75, 150, 300)),
        *((100, path, 15, 0.5, True) for path in (8, 14, 30)),
    ):
        asked = document(flows, path, buffer, spread=spread, rtt=0.02, trips=300.0, pacing=pacing)
        paced = "paced " if pacing else ""
        yield f"{flows} {paced}flows, {path} packets of path each, {buffer} of buffer, spread {spread}", asked
    asked = document(100, 14, 29, spread=0.0, rtt=0.02, trips=300.0, access=1.0, ack_every=1)
    yield "100 flows, ack_every 1, 14 packets of path each, 29 of buffer, links of senders as fast", asked


#: Cases and the models that know them, by the word of the command line.
GRIDS = {
    "windows": (windows, ("theory",)),
    "step": (step, ("theory", "fluid")),
    "seldom": (seldom, ("theory", "fluid")),
    "unmarked": (unmarked, ("theory", "fluid")),
}


def line(name: str, asked: dict[str, Any], models: tuple[str, ...]) -> str:
    """One case in words."""
    packets = fr.run(asked, engine="packet").metrics
    told = [f"{name}: packets {100 * packets['utilisation']:.1f} {packets['drop_rate']:.4f}"]
    for model in models:
        found = fr.run(asked, engine=model)
        stars = ["*" if metric in found.outside else "" for metric in ("utilisation", "drop_rate")]
        drops = found.metrics["drop_rate"]
        times = f"{drops / packets['drop_rate']:.2f} times" if packets["drop_rate"] > 0.0 else f"{drops:.4f}"
        told.append(f"{model} {100 * found.metrics['utilisation']:.1f}{stars[0]}, {times}{stars[1]}")
    return "; ".join(told)


def main() -> None:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grid", choices=GRIDS)
    cases, models = GRIDS[parser.parse_args().grid]
    for name, asked in cases():
        sys.stdout.write(line(name, asked, models) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
