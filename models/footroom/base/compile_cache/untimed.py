"""Compiling does not count towards the time of an answer."""

from __future__ import annotations

from typing import Any

from numba.core import event

from footroom.base import deadline


class _Untimed(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Stops the clock of an answer while its thread compiles, or waits for another that does."""

    def on_start(self, event: Any) -> None:
        if (limit := deadline.current()) is not None:
            limit.pause()

    def on_end(self, event: Any) -> None:
        if (limit := deadline.current()) is not None:
            limit.resume()


def register() -> None:
    """From now on the clock stops while Numba's compiler is held or waited for."""
    event.register("numba:compiler_lock", _Untimed())
