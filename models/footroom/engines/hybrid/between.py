"""The packets between two steps of a fluid."""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.packet.events import earliest
from footroom.engines.packet.loop import run
from footroom.engines.packet.tables import DONE


@helper
def bring_packets(t: Any, last: Any) -> int:
    """Handle every event of the packets up to ``last`` [ps]. As ``packet.loop.run``: a status, DONE when it is so."""
    component, when, _, _ = earliest(t)
    if component >= 0 and when <= last:
        status = run(t, last)
        if status != DONE:
            return int(status)
    t.state[0].now = max(t.state[0].now, last)
    return int(DONE)
