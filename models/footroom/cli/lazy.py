"""A parser that loads its options at its first use, so that other commands do not wait for them.

It takes a value that begins with a minus for a value: whoever asked checks it, and says what is accepted.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any

#: A negative number, with a unit or whatever else follows; argparse knows those without only.
_NEGATIVE = re.compile(r"-\.?\d")


class LazyParser(argparse.ArgumentParser):
    """``fill`` adds options that need imports: it is called once, before parsing or showing help."""

    fill: Callable[[argparse.ArgumentParser], None] | None = None

    def _filled(self) -> None:
        if self.fill is not None:
            fill, self.fill = self.fill, None
            fill(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual, with all options, and with negative values of options."""
        self._filled()
        return super().parse_known_args(None if args is None else self._joined(args), namespace)

    def _joined(self, words: Sequence[str]) -> list[str]:
        """``--cable -5m`` as ``--cable=-5m``, which argparse does not take for another option."""
        found: list[str] = []
        for word in words:
            if found and _NEGATIVE.match(word) and self._takes_value(found[-1]):
                found[-1] = f"{found[-1]}={word}"
            else:
                found.append(word)
        return found

    def _takes_value(self, word: str) -> bool:
        action = self._option_string_actions.get(word)
        return action is not None and action.nargs is None

    def format_help(self) -> str:
        """As usual, with all options."""
        self._filled()
        return super().format_help()
