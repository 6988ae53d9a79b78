"""Print the table of docs/validation.md of paths drawn before Linux was measured on them.

``python -m tests.validation.tools.compare_drawn [--seeds N] [case ...]``. Of drop rates and shares the least and the
greatest of the seeds (8 unless given) stand in brackets; the last column names what the mean misses. Takes two minutes.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from tests.validation.drawn import Drawn, Found, drawn

_HEAD = (
    "case",
    "path",
    "buffer, packets (BDP)",
    "utilisation: Linux",
    "packet",
    "drops per thousand: Linux",
    "packet",
    "queue: Linux",
    "packet",
    "share: Linux",
    "packet",
    "missed",
)


def _line(case: Drawn, found: list[Found]) -> str:
    row = case.row
    mean = {key: float(np.mean([one[key] for one in found])) for key in found[0]}
    each = row["flows"] // len(case.laws)
    names = [{"reno": "Reno", "cubic": "CUBIC", "bbr": "BBR"}[law] for law in case.laws]
    label = ", ".join(f"{each} {name}" for name in names) + (", offload" if row["offload"] else "")

    def span(key: str, times: float, digits: int) -> str:
        values = [times * one[key] for one in found]
        return f"{times * mean[key]:.{digits}f} [{min(values):.{digits}f}, {max(values):.{digits}f}]"

    cells = [
        label,
        f"{row['rate'] / 1e6:g} Mb/s, {1e3 * row['rtt']:g} ms",
        f"{row['buffer']} ({row['buffer_bdp']:.2f})",
        f"{100.0 * row['utilisation']:.1f}",
        f"{100.0 * mean['utilisation']:.1f}",
        f"{1e3 * row['drop_rate']:.3g}",
        span("drop_rate", 1e3, 1),
        f"{row['queue_mean']:.1f}",
        f"{mean['queue_mean']:.1f}",
        *(["", ""] if case.share is None else [f"{100.0 * case.share:.0f}", span("share", 100.0, 0)]),
        ", ".join(case.missed(found)),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """One line a case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("cases", nargs="*")
    given = parser.parse_args()
    sys.stdout.write(f"| {' | '.join(_HEAD)} |\n|---|---|{'--:|' * (len(_HEAD) - 3)}---|\n")
    for case in drawn():
        if not given.cases or case.row["name"] in given.cases:
            sys.stdout.write(_line(case, case.run(range(1, given.seeds + 1))) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
