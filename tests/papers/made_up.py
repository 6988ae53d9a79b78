"""Answers with known numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.papers.measures import Answer, Flows, Windows


def answer(
    case: str = "A/0.9",
    *,
    utilisation: Sequence[float] = (0.5,),
    offered: Sequence[float] | None = None,
    dropped: Sequence[float] | None = None,
    delay: Sequence[float] | None = None,
    width: float = 1.0,
    fct: Sequence[float] | None = None,
    entry: Sequence[int] | None = None,
) -> Answer:
    """One run with one port "a->b" of these windows and flows of these completion times."""
    count = len(utilisation)

    def column(values: Sequence[float] | None, default: float) -> np.ndarray:
        return np.asarray([default] * count if values is None else values, dtype=np.float64)

    windows = Windows(
        width,
        column(utilisation, 0.0),
        column(offered, 1000.0),
        column(dropped, 0.0),
        column(None, 0.0),
        column(None, 0.0),
        column(delay, 0.0),
    )
    flows = None
    if fct is not None:
        number = len(fct)
        belongs = np.asarray([0] * number if entry is None else entry, dtype=np.int64)
        flows = Flows(np.full(number, 1e7), np.asarray(fct, dtype=np.float64), np.arange(float(number)), belongs)
    scenario = {
        "topology": {"bottleneck": 1e9, "rtt": 0.03},
        "switch": {"buffer": 3e5},
        "traffic": [{"kind": "long_lived", "flows": 100}, {"kind": "poisson"}],
    }
    completions = [{"name": "victim", "rate": 2.0, "mean": 1e-3, "p50": 1e-3, "p99": 2e-3}]
    by_size = [{"above": 2000.0, "upto": 4000.0, "count": 5, "slowdown_p50": 1.5, "slowdown_p99": 3.0}]
    queues = {"share": [0.5, 1.0], "queues": [{"port": "a->b", "bytes": [1000.0, 3000.0]}]}
    return Answer(
        case,
        scenario,
        {"utilisation": 0.5},
        {"a->b": windows},
        flows,
        completions=completions,
        by_size=by_size,
        queues=queues,
    )
