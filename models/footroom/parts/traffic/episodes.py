"""Load that comes and goes: episodes of another load than the rest of the time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.quantity import Time, quantity

Floats = npt.NDArray[np.float64]

#: Most episodes of one run.
_MOST = 100_000


class Episodes(Document):
    """Times at which the load is ``load`` instead of that of the traffic entry, ``length`` long, one every ``every``.

    They are fixed in time, not random: an episode begins at ``begin``, ``begin + every`` and so on. The load in one may
    exceed 1, as long as the mean over a period does not. Transfers that are under way when one ends still finish
    afterwards, so that the network stays busy longer than the episode.
    """

    load: float = quantity(
        ...,
        "1",
        "Offered payload over capacity in an episode; 1 and above overloads the network during the episode.",
        gt=0,
        le=10,
        symbol="ρₑ",
    )
    length: Time = quantity(..., "s", "How long an episode lasts.", gt=0, le=86400)
    every: Time = quantity(..., "s", "Time from the start of one episode to the start of the next.", gt=0, le=86400)
    begin: Time = quantity(0.0, "s", "When the first episode begins.", ge=0, le=86400)

    @model_validator(mode="after")
    def _apart(self) -> Episodes:
        if self.length >= self.every:
            raise PydanticCustomError("at:length", "must be shorter than every, or episodes would overlap")
        return self

    def mean(self, load: float) -> float:
        """Mean load over a period, ``load`` being that of the rest of the time."""
        return load + (self.load - load) * self.length / self.every

    def lasting(self, duration: float) -> float:
        """Time [s] of the first ``duration`` [s] that lies in episodes."""
        after = max(duration - self.begin, 0.0)
        return (after // self.every) * self.length + min(after % self.every, self.length)

    def feasible(self, duration: float) -> bool:
        """Whether ``duration`` [s] has few enough episodes."""
        return duration <= _MOST * self.every

    def applied(self, time: Floats, factor: Floats, load: float, begin: float) -> tuple[Floats, Floats]:
        """Edges [s] and the factor on the arrival rate between them, episodes included.

        time, factor: edges [s] counted from ``begin`` [s] of the run, and the factor between them without episodes.
        """
        first = self.begin + self.every * np.arange(int(max(time[-1] + begin - self.begin, 0.0) / self.every) + 1)
        edges = np.concatenate([first, first + self.length]) - begin
        merged: Floats = np.union1d(time, edges[(edges > 0.0) & (edges < time[-1])])
        middle = (merged[:-1] + merged[1:]) / 2.0
        since = middle + begin - self.begin
        inside = (since >= 0.0) & (since % self.every < self.length)
        return merged, factor[np.searchsorted(time, middle) - 1] * np.where(inside, self.load / load, 1.0)
