"""Print the tables of docs/bbr.md: BBR in Linux beside the packet engine. Takes about two minutes.

The bounds are 3 points of utilisation, a factor of 1.5 between drop rates above 1e-3, 15 % of the buffer between mean
queues, and 10 points of the share where BBR meets another congestion control.
"""

from __future__ import annotations

import sys

from tests.validation.bbr import BbrCase, cases

_HEAD = (
    "case",
    "flows",
    "buffer [BDP]",
    "utilisation [%]: Linux",
    "engine",
    "drops [%]: Linux",
    "engine",
    "mean queue [packets]: Linux",
    "engine",
    "fairness: Linux",
    "engine",
    "BBR's share [%]: Linux",
    "engine",
    "outside",
)


def missed(case: BbrCase, found: dict[str, float]) -> list[str]:
    """What of ``found`` is outside the bounds."""
    low, high = sorted((case.drop_rate, found["drop_rate"]))
    away = {
        "utilisation": abs(found["utilisation"] - case.utilisation) > 0.03,
        "drops": high > 1e-3 and high > 1.5 * low,
        "queue": abs(found["queue_mean"] - case.queue_mean) > 0.15 * case.buffer,
        "share": case.share is not None and abs(found["share"] - case.share) > 0.1,
    }
    return [name for name, outside in away.items() if outside]


def _line(case: BbrCase, seeds: int) -> str:
    found = case.packet_engine(seeds)
    kind = case.congestion + (", offload" if case.offload else "") + (", 100 Mb/s" if case.rate > 5e7 else "")
    pairs = (
        (100.0 * case.utilisation, 100.0 * found["utilisation"]),
        (100.0 * case.drop_rate, 100.0 * found["drop_rate"]),
        (case.queue_mean, found["queue_mean"]),
    )
    cells = [kind, str(case.flows), f"{case.buffer_bdp:g}"]
    cells += [f"{value:.1f}" for pair in pairs for value in pair]
    cells += ["" if case.fairness is None else f"{case.fairness:.2f}", f"{found['fairness']:.2f}"]
    cells += ["", ""] if case.share is None else [f"{100.0 * case.share:.0f}", f"{100.0 * found['share']:.0f}"]
    return f"| {' | '.join([*cells, ', '.join(missed(case, found))])} |"


def main() -> None:
    """Print the table. Argument: seeds per case, 1 unless given."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    sys.stdout.write(f"| {' | '.join(_HEAD)} |\n|---|{'--:|' * (len(_HEAD) - 2)}---|\n")
    for case in cases():
        sys.stdout.write(_line(case, seeds) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
