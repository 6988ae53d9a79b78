"""The packets between two steps of a fluid."""

from __future__ import annotations

from typing import Any

from footroom.base.compile_cache import helper
from footroom.engines.packet.events import earliest
from footroom.engines.packet.loop_address import call_loop
from footroom.engines.packet.tables import DONE


@helper
def bring_packets(t: Any, last: Any, loop: Any) -> int:
    """Handle every event of the packets up to ``last`` [ps]. Returns a status as ``packet.loop.run``, DONE at the end.

    loop: address of that for these tables.
    """
    component, when, _, _ = earliest(t)
    if component >= 0 and when <= last:
        status = call_loop(loop, t, last)
        if status != DONE:
            return int(status)
    t.state[0].now = max(t.state[0].now, last)
    return int(DONE)
