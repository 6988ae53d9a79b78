"""What a trace says about one port: when each packet came, whether it was taken in, when its transmission began."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.reference.agreement import Line, compiled, plain

from footroom.engines.plan import Plan

#: A full packet, and how long it takes at 20 Mb/s [ps].
FULL, SLOT = 1500, 600 * 10**6

both = pytest.mark.parametrize("lines_of", [compiled, lambda plan: plain(plan)[0]], ids=["packet", "reference"])
LinesOf = Callable[[Plan], list[Line]]


@dataclass
class Passage:
    """One packet at one port; ``began`` is None while it waits, dropped ones have ``dropped``."""

    flow: int
    seq: int
    ack: int
    came: int
    began: int | None = None
    dropped: bool = False

    @property
    def waited(self) -> bool:
        """Whether it was not sent at once."""
        return not self.dropped and self.began != self.came


def passages(plan: Plan, lines: list[Line], port: int) -> list[Passage]:
    """All packets offered to ``port``, in order of arrival."""
    found: list[Passage] = []
    open_ones: defaultdict[tuple[int, int, int], list[Passage]] = defaultdict(list)
    for time, what, where, flow, ack, seq in lines:
        if where != port:
            continue
        key = (flow, ack, seq)
        if what == "arrival":
            found.append(Passage(flow, seq, ack, time))
            open_ones[key].append(found[-1])
        elif what == "drop":
            open_ones[key].pop().dropped = True
        elif what == "departure":
            size = 64 if ack else FULL
            began = time - ((size * int(plan.picoseconds_per_byte[port])) >> 16)
            open_ones[key].pop(0).began = began
    return found


def waiting_at(those: list[Passage], time: int) -> list[Passage]:
    """Who of ``those`` waits just before ``time``."""
    return [p for p in those if p.waited and p.came < time and (p.began is None or p.began >= time)]


def found_by(those: list[Passage], packet: Passage) -> list[Passage]:
    """Who of ``those`` waits when ``packet`` comes; a transmission that begins at that instant has begun."""
    return [
        p
        for p in those
        if p is not packet and p.waited and p.came <= packet.came and (p.began is None or p.began > packet.came)
    ]
