"""A parser that loads its options at its first use, so that other commands do not wait for them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any


class LazyParser(argparse.ArgumentParser):
    """``fill`` adds options that need imports: it is called once, before parsing or showing help."""

    fill: Callable[[argparse.ArgumentParser], None] | None = None

    def _filled(self) -> None:
        if self.fill is not None:
            fill, self.fill = self.fill, None
            fill(self)

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        """As usual, with all options."""
        self._filled()
        return super().parse_known_args(*given, **named)

    def format_help(self) -> str:
        """As usual, with all options."""
        self._filled()
        return super().format_help()
