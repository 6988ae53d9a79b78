"""Compiling the engines in the background, so that the first study need not wait for it."""

from __future__ import annotations

import logging
import threading
from typing import Literal

_LOG = logging.getLogger("footroom_api")
State = Literal["cold", "compiling", "warm"]


class WarmUp:
    """State of the compiled engines: cold (compiled at first use), compiling, or warm."""

    def __init__(self) -> None:
        self.state: State = "cold"

    def start(self) -> None:
        """Compile in a background thread."""
        self.state = "compiling"
        threading.Thread(target=self._compile, name="footroom-warm", daemon=True).start()

    def _compile(self) -> None:
        try:
            from footroom.calculators.emulator import emulate
            from footroom.engines.packet.warm import warm

            warm()
            emulate(degree=2)  # all sharing policies, for the packet engine as well
        except Exception:  # noqa: BLE001 - the server is useful without: engines compile at first use then
            _LOG.exception("the engines could not be compiled ahead")
            self.state = "cold"
        else:
            self.state = "warm"
