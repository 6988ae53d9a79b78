"""Print the tables of docs/incast.md: ns-3 beside the packet engine. Takes half a minute."""

from __future__ import annotations

import sys

from tests.validation.incasts import TIMEOUT, Incast, incasts


def _milliseconds(seconds: float) -> str:
    return f"{1000.0 * seconds:.2f}"


def _series(case: Incast) -> str:
    """One line: where either collapses, and the largest difference before."""
    degrees = sorted(case.completion)
    ours = {degree: case.ours(degree) for degree in degrees}
    collapse = [next(d for d in degrees if time(d) > TIMEOUT) for time in (case.theirs, ours.__getitem__)]
    worst = max((abs(ours[d] / case.theirs(d) - 1.0), d) for d in degrees if d < min(collapse))
    return (
        f"| {case.law} | {1e6 * case.rtt:.0f} | {case.segments} | {case.initial_window} | {case.ack_every} | "
        f"{collapse[0]} | {collapse[1]} | {100.0 * worst[0]:.0f} % ({worst[1]}) |"
    )


def _degrees(case: Incast) -> str:
    """A table: completion times by degree."""
    lines = ["| degree | ns-3 | Footroom | `prr` |\n|--:|--:|--:|--:|"]
    lines += [
        f"| {d} | {_milliseconds(case.theirs(d))} | {_milliseconds(case.ours(d))} | "
        f"{_milliseconds(case.ours(d, recovery='prr'))} |"
        for d in sorted(case.completion)
    ]
    return "\n".join(lines)


def main() -> None:
    """Print every table."""
    cases = incasts()
    sys.stdout.write(
        "| law | round trip, us | segments | initial window | segments per acknowledgement | "
        "collapse: ns-3 | Footroom | largest difference before (degree) |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|\n"
    )
    for case in cases:
        sys.stdout.write(f"{_series(case)}\n")
    for case in cases:
        if (case.rtt, case.segments, case.initial_window, case.ack_every) == (80e-6, 44, 10, 1):
            sys.stdout.write(f"\n### {case.label}\n\n{_degrees(case)}\n")


if __name__ == "__main__":
    main()
