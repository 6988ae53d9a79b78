"""Print the tables of docs/validation.md for transfers, fan-in, mixtures and long flows of ``profile: linux``.

``python -m tests.validation.tools.compare_loads [--jitter 0.5]``. Takes about three minutes. --jitter: of hosts, in
times of a packet at the bottleneck, but in fan-in, whose links are too short for it; 1 us by default.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from tests.validation.transfers import Load, loads

Row = Callable[[Load, dict[str, float]], list[str]]


def _drops(load: Load, found: dict[str, float]) -> list[str]:
    return [f"{1e3 * value:.3g}" for value in (load.row["drop_rate"], found["drop_rate"])]


def _times(load: Load, found: dict[str, float]) -> list[str]:
    p50, p99 = load.completion
    return [f"{p50:.3g}", f"{found['p50']:.3g}", f"{p99:.3g}", f"{found['p99']:.3g}"]


def _arrivals(load: Load, found: dict[str, float]) -> list[str]:
    return [f"{load.row['size'] / 1e3:.0f} kB", *_drops(load, found), *_times(load, found)]


def _fan_in(load: Load, found: dict[str, float]) -> list[str]:
    timeouts = [str(load.row["timeouts"]), f"{found['timeouts']:.0f}"]
    size = f"{load.row['size'] / 1e3:.0f} kB"
    return [str(load.row["degree"]), size, *_drops(load, found), *_times(load, found), *timeouts]


def _mixture(load: Load, found: dict[str, float]) -> list[str]:
    spread = Load({**load.row, "spread": 0.05}).run()["share"]
    shares = (load.row["shares"]["reno"], found["share"], spread)
    return [str(load.row["flows"]), *(f"{100 * share:.0f}" for share in shares)]


def _long(load: Load, found: dict[str, float]) -> list[str]:
    busy = [f"{100 * value:.1f}" for value in (load.row["utilisation"], found["utilisation"])]
    waiting = [f"{value:.3g}" for value in (load.row["queue_mean"], found["queue_mean"])]
    return [str(load.row["flows"]), *busy, *_drops(load, found), *waiting]


_TIMES = ("p50, s: Linux", "packet", "p99, s: Linux", "packet")
_DROPS = ("drops per thousand: Linux", "packet")
_TABLES: dict[str, tuple[tuple[str, ...], Row]] = {
    "arrivals": (("size", *_DROPS, *_TIMES), _arrivals),
    "fan-in": (("senders", "size", *_DROPS, *_TIMES, "timeouts in all: Linux", "packet"), _fan_in),
    "mixture": (("flows", "share of Reno: Linux", "packet", "round trips spread by 5 %"), _mixture),
    "long": (("flows", "utilisation: Linux", "packet", *_DROPS, "queue: Linux", "packet"), _long),
}


def main() -> None:
    """One table for each kind of load."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jitter", type=float, help="packets")
    jitter = parser.parse_args().jitter
    for kind, (head, row) in _TABLES.items():
        names = ("case", "buffer, packets", *head)
        sys.stdout.write(f"\n### {kind}\n\n| {' | '.join(names)} |\n|{'---|' * len(names)}\n")
        for load in loads():
            if load.kind == kind:
                noisy = jitter is not None and kind != "fan-in"
                host = {"jitter": jitter * 8.0 * 1514.0 / load.row["rate"]} if noisy else {}
                cells = [load.name, str(load.row["buffer"]), *row(load, load.run(**host))]
                sys.stdout.write(f"| {' | '.join(cells)} |\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
