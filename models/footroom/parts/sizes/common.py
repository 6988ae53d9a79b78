"""What every flow-size distribution answers: its mean and draws."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.base.component import Component


class FlowSizes(Component):
    """Base of the flow-size distributions. Sizes are payload bytes, at least 1."""

    def mean(self) -> float:
        """Mean size [B]."""
        raise NotImplementedError

    def quantile(self, levels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Sizes [B] at probability ``levels`` in [0, 1): the inverse of the distribution function."""
        raise NotImplementedError

    def points(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Sizes [B] and their shares that represent the distribution in closed forms; finer towards the large flows,
        which carry the bytes.
        """
        edges = np.concatenate([np.linspace(0.0, 0.9, 37), 1.0 - np.geomspace(0.1, 1e-5, 60)[1:], [1.0]])
        return np.maximum(self.quantile((edges[1:] + edges[:-1]) / 2.0), 1.0), np.diff(edges)

    def draw(self, count: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """``count`` sizes [B], rounded to whole bytes and never below one."""
        return np.maximum(1, np.rint(self.quantile(rng.random(count)))).astype(np.int64)
