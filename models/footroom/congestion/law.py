"""What a congestion control is to the packet engine: four hooks called by address."""

from __future__ import annotations

from dataclasses import dataclass

from footroom.component import Component
from footroom.kernel.hooks import Hook


@dataclass(frozen=True)
class Hooks:
    """Compiled hooks of one law, each a ``footroom.kernel.hooks.law_hook``.

    on_start(now, initial window): the flow begins.
    on_ack(now, newly acknowledged segments, segments in flight before): new data was acknowledged outside recovery.
    on_loss(now, segments in flight, 0): loss recovery begins; sets ssthresh.
    on_timeout(now, segments in flight, 0): the retransmission timer expired; sets ssthresh.
    """

    on_start: Hook
    on_ack: Hook
    on_loss: Hook
    on_timeout: Hook


class Law(Component):
    """Base of the congestion controls."""

    def hooks(self) -> Hooks:
        """The compiled hooks."""
        raise NotImplementedError

    def parameters(self) -> tuple[float, ...]:
        """What the hooks find in their parameter array."""
        raise NotImplementedError
