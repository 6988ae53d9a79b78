"""Paths drawn by a seed before Linux was measured on them, and what the packet engine finds on the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.validation.bbr import BbrCase
from tests.validation.cases import DATA
from tests.validation.transfers import Load

import footroom as fr

_PACKET = 1500.0
Found = dict[str, float]


@dataclass(frozen=True)
class Drawn:
    """One measured path. row: of linux-drawn.json; ``share`` is that of BBR, or of the first of two other laws."""

    row: dict[str, Any]

    @property
    def laws(self) -> list[str]:
        """Congestion controls, as Linux calls them."""
        return str(self.row["congestion"]).split(",")

    @property
    def share(self) -> float | None:
        """What Linux measured, None with one congestion control."""
        if len(self.laws) == 1:
            return None
        return float(self.row["shares"]["bbr" if "bbr" in self.laws else self.laws[0]])

    def run(self, seeds: Sequence[int]) -> list[Found]:
        """What each seed finds, with the names of the row; ``queue_mean`` in packets."""
        if "bbr" in self.laws:
            fields = {key: self.row[key] for key in BbrCase.__dataclass_fields__ if key in self.row}
            case = BbrCase(**fields, share=self.share)
            return [case.run(seed) for seed in seeds]
        load, found = Load(self.row), []
        for seed in seeds:
            metrics = fr.run(load.scenario(seed), engine="packet").metrics
            found.append(
                {
                    "utilisation": metrics["utilisation"],
                    "drop_rate": metrics["drop_rate"],
                    "queue_mean": metrics["queue_mean"] / _PACKET,
                    **({} if self.share is None else {"share": load.share(seed)}),
                }
            )
        return found

    def missed(self, found: Sequence[Found]) -> list[str]:
        """What of the mean over ``found`` is outside 2 points of utilisation (3 of BBR), a factor of 1.5 between drop
        rates above 1e-3, 15 % of the buffer, or 10 points of the share.
        """
        row, mean = self.row, {key: float(np.mean([one[key] for one in found])) for key in found[0]}
        low, high = sorted((row["drop_rate"], mean["drop_rate"]))
        points = 0.03 if "bbr" in self.laws else 0.02
        away = {
            "utilisation": abs(mean["utilisation"] - row["utilisation"]) > points,
            "drops": high > 1e-3 and high > 1.5 * low,
            "queue": abs(mean["queue_mean"] - row["queue_mean"]) > 0.15 * row["buffer"],
            "share": self.share is not None and abs(mean["share"] - self.share) > 0.1,
        }
        return [name for name, outside in away.items() if outside]


def drawn() -> list[Drawn]:
    """What is recorded."""
    return [Drawn(row) for row in json.loads((DATA / "linux-drawn.json").read_text())["cases"]]
