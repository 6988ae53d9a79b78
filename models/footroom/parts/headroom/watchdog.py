"""The PFC watchdog of SONiC: when a lossless queue counts as stormed, and when as restored."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.quantity import Time, quantity

_UTILITIES = "sonic-net/sonic-utilities, pfcwd/main.py"
_SWSS = "sonic-net/sonic-swss, orchagent/pfc_detect_mellanox.lua and pfc_restore.lua"


class Watchdog(Document):
    """A PFC watchdog that only watches: it reports what it would have dropped, and changes nothing.

    Every ``poll`` it looks at each egress queue of a lossless class. When the rule holds at as many polls in a row as
    make up ``detection``, SONiC drops what waits in the queue and what comes to it, until no pause frame has come at as
    many polls as make up ``restoration``.

    rule: ``frames`` (until sonic-swss pull request 3036) holds where packets wait, none was sent since the poll before
    and a pause frame came, or where none waits, none was sent and more than 80 % of the interval was paused.
    ``paused`` (since then) holds where packets wait, none was sent, and more than 99 % of the interval was paused,
    whether or not a pause frame came in it; more than 99 % of ``detection`` is enough (pull request 4784).

    The scripts delete their counters when a queue is dropped, and lack one of them when it is served again. So the
    first look after either only reads: restoration takes one look more than its time, and so does the next detection.

    ``poll`` is at most ``detection`` and ``restoration``: pfcwd refuses a longer one, because an alarm would then come
    later than the time it is declared with.

    Departures: frames that resume do not count as pause frames; with a port that is paused as a whole, which SONiC does
    not know, the longer of both pauses counts.
    """

    rule: Literal["frames", "paused"] = quantity(
        "paused",
        "1",
        "When a queue is suspected. frames: packets wait, none was sent and a pause frame came, or none waits and "
        "80 % of the interval was paused. paused: packets wait, none was sent and 99 % of the interval was paused.",
        source=_SWSS + "; pull requests 3036 and 4784",
    )
    detection: Time = quantity(
        0.2, "s", "Time for which the rule must hold before a queue is dropped.", gt=0, le=3600, source=_UTILITIES
    )
    restoration: Time = quantity(
        0.2, "s", "Time without a pause frame after which a queue is served again.", gt=0, le=3600, source=_UTILITIES
    )
    poll: Time = quantity(
        0.2, "s", "Polling interval; SONiC raises it with the number of ports.", gt=0, le=3600, source=_UTILITIES
    )

    @model_validator(mode="after")
    def _polled_in_time(self) -> Watchdog:
        for name, time in (("detection", self.detection), ("restoration", self.restoration)):
            if self.poll > time:
                raise PydanticCustomError(
                    "at:poll",
                    f"must be at most {name}, which is {time:g} s, as SONiC's pfcwd requires: poll more often, or give "
                    f"{name} {self.poll:g} s or more",
                )
        return self
