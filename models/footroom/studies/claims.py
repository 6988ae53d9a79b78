"""Runs that several processes divide among them: none makes a run that another has claimed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from footroom.studies.study import Cell

#: How often runs that others have claimed are checked again [s].
_LOOK_EVERY = 0.5
#: Runs that are checked again at a time.
_MOST = 500


@dataclass(frozen=True)
class Taken:
    """ours: keys of runs that this process makes and no other.  refused: errors of runs that another could not make.

    All the others are being made elsewhere, or were just finished there.
    """

    ours: Collection[str]
    refused: dict[str, dict[str, Any]]


class Claims(Protocol):
    """Claims on runs among several processes. A claim ends with the process that has it, however that ends."""

    def claim(self, keys: Collection[str]) -> Taken:
        """Claim runs by their keys."""
        ...

    def settle(self, keys: Sequence[str]) -> None:
        """Give up claims: the results of these runs are kept where the others find them."""
        ...

    def refuse(self, key: str, error: dict[str, Any]) -> None:
        """Tell the others that a run cannot be made. error: of ``footroom.studies.cell.pack_error``."""
        ...


class Sharing:
    """The runs of one study that is worked on by several processes.

    found: called with a run that another process has made, and its result;  refused: with one it could not make.
    """

    def __init__(
        self,
        claims: Claims,
        kept: Callable[[str], dict[str, Any] | None],
        found: Callable[[list[Cell], dict[str, Any]], None],
        refused: Callable[[list[Cell], dict[str, Any]], None],
    ) -> None:
        self.claims, self._kept, self._found, self._refused = claims, kept, found, refused
        self._elsewhere: deque[list[Cell]] = deque()
        self._again = 0.0

    def __len__(self) -> int:
        """How many runs are being made elsewhere."""
        return len(self._elsewhere)

    def ours(self, runs: Sequence[list[Cell]]) -> list[list[Cell]]:
        """Those of ``runs`` that this process is to make; ``found`` or ``refused`` is called for the others."""
        taken = self.claims.claim([alike[0].key for alike in runs])
        mine, done = [], []
        for alike in runs:
            key = alike[0].key
            if key in taken.refused:
                self._refused(alike, taken.refused[key])
            elif key not in taken.ours:
                self._elsewhere.append(alike)
            elif (kept := self._kept(key)) is not None:  # finished since it was looked up
                self._found(alike, kept)
                done.append(key)
            else:
                mine.append(alike)
        self.claims.settle(done)
        return mine

    def look_again(self) -> list[list[Cell]]:
        """Runs made elsewhere that this process is to make after all, because the other has ended."""
        if not self._elsewhere or time.monotonic() < self._again:
            return []
        self._again = time.monotonic() + _LOOK_EVERY
        return self.ours([self._elsewhere.popleft() for _ in range(min(_MOST, len(self._elsewhere)))])
