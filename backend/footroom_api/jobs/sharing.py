"""Runs that several studies of one server need are made once, as between servers."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from typing import Any

from footroom.studies.claims import Claims, Taken


class LocalRuns:
    """Which study of this server makes which run; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, str] = {}

    def of(self, study: str, beyond: Claims | None) -> Claims:
        """Claims of ``study``. beyond: claims of its runs among servers."""
        return _Claims(self, study, beyond)

    def hold(self, keys: Collection[str], study: str) -> set[str]:
        """Claim ``keys`` for ``study``; returns those that no other study holds."""
        with self._lock:
            free = {key for key in keys if self._held.get(key, study) == study}
            self._held.update(dict.fromkeys(free, study))
            return free

    def give_up(self, keys: Collection[str], study: str) -> None:
        """Release ``keys``."""
        with self._lock:
            for key in keys:
                if self._held.get(key) == study:
                    del self._held[key]

    def leave(self, study: str) -> None:
        """Release everything of ``study``."""
        with self._lock:
            self._held = {key: holder for key, holder in self._held.items() if holder != study}


class _Claims:
    """Asks the other studies of this server first, then the other servers."""

    def __init__(self, local: LocalRuns, study: str, beyond: Claims | None) -> None:
        self._local, self._study, self._beyond = local, study, beyond

    def claim(self, keys: Collection[str]) -> Taken:
        free = self._local.hold(keys, self._study)
        if self._beyond is None or not free:
            return Taken(free, {})
        taken = self._beyond.claim([key for key in keys if key in free])
        self._local.give_up(free - set(taken.ours), self._study)
        return taken

    def settle(self, keys: Sequence[str]) -> None:
        if self._beyond is not None:
            self._beyond.settle(keys)
        self._local.give_up(keys, self._study)

    def refuse(self, key: str, error: dict[str, Any]) -> None:
        """The other studies of this server find out for themselves, which is quick."""
        if self._beyond is not None:
            self._beyond.refuse(key, error)
        self._local.give_up([key], self._study)
