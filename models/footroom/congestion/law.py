"""What a congestion control is to the packet engine: four hooks called by address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from footroom.component import Component
from footroom.kernel.hooks import Hook


@dataclass(frozen=True)
class Hooks:
    """Compiled hooks of one law, each a ``footroom.kernel.hooks.law_hook``.

    on_start(now, initial window, resumed): the flow begins. resumed: 1 where it runs over the connection of a flow that
    has ended; window, threshold and the law's state are then those of that flow, and only what counts segments begins
    anew.
    on_ack(now, newly acknowledged segments, segments in flight before): new data was acknowledged outside recovery.
    on_loss(now, segments in flight, 0): loss recovery begins; sets ssthresh.
    on_timeout(now, segments in flight, 0): the retransmission timer expired; sets ssthresh.
    on_ecn(now, newly acknowledged segments, how many of them the receiver reports as marked): new data was
    acknowledged, also in recovery, before on_ack; none for a law that does not understand marks.
    """

    on_start: Hook
    on_ack: Hook
    on_loss: Hook
    on_timeout: Hook
    on_ecn: Hook | None = None


class Law(Component):
    """Base of the congestion controls that the packet engines know.

    accurate_echo: whether the receiver reports every mark (RFC 8257 §3.2) or repeats one until the sender has reacted
    (RFC 3168 §6.1.3); with the former acknowledgements understand marks too.
    """

    accurate_echo: ClassVar[bool] = False

    def hooks(self) -> Hooks:
        """The compiled hooks."""
        raise NotImplementedError

    def parameters(self) -> tuple[float, ...]:
        """What the hooks find in their parameter array."""
        raise NotImplementedError
