"""Print Jain's index of the experiment BBR-F with two, three, and four or five flows, as in docs/papers.md.

``python -m tests.validation.tools.compare_fairness [--seeds 5]``. About eight seconds for each seed of each case.
"""

from __future__ import annotations

import argparse
import sys

import footroom as fr
from footroom.papers import scenario_of
from footroom.papers.measures.answer import Answer
from footroom.papers.measures.sharing import jain_mean

CASES = ("drop_tail/bbr", "pause/bbr", "drop_tail/cubic", "pause/cubic")


def main() -> None:
    """One line for each case and seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    seeds = parser.parse_args().seeds
    for case in CASES:
        scenario = scenario_of("BBR-F", case, "laptop")
        for seed in range(1, seeds + 1):
            seeded = {**scenario, "run": {**scenario["run"], "seed": seed}}
            answer = Answer.of(case, fr.run(seeded, engine="packet").to_dict())
            found = [jain_mean([answer], least, most) for least, most in ((2, 2), (3, 3), (4, 5))]
            sys.stdout.write(f"{case} seed {seed}: {', '.join(f'{value:.3f}' for value in found)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
