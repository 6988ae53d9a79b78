"""The windowed maximum of BBR (Linux lib/win_minmax.c), in plain Python."""

from __future__ import annotations


class RunningMax:
    """Best, second and third best of the measurements of a window: (time, value) each (Linux lib/win_minmax.c)."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._best: list[tuple[int, float]] = [(0, 0.0)] * 3

    @property
    def value(self) -> float:
        """The largest."""
        return self._best[0][1]

    def add(self, time: int, value: float) -> None:
        """A measurement at ``time``, which never falls."""
        new, best = (time, value), self._best
        if value >= best[0][1] or time - best[2][0] > self._window:
            self._best = [new] * 3
            return
        if value >= best[1][1]:
            best[1:] = [new, new]
        elif value >= best[2][1]:
            best[2] = new
        age = time - best[0][0]
        if age > self._window:
            self._shift(new)
            if time - self._best[0][0] > self._window:
                self._shift(new)
        elif best[1][0] == best[0][0] and age > self._window // 4:
            best[1:] = [new, new]
        elif best[2][0] == best[1][0] and age > self._window // 2:
            best[2] = new

    def _shift(self, new: tuple[int, float]) -> None:
        self._best = [*self._best[1:], new]
