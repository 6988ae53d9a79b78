"""FAB: packets of flows that have sent little of late get a large alpha."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.component import About
from footroom.kernel.hooks import Hook, policy_hook, row
from footroom.quantity import Size, Time, quantity
from footroom.sharing.policy import Policy


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s, f, p = row(switch), row(flow), row(packet)
    first = f.seen if now - f.seen_at <= params[3] else p.seq
    recent = (p.seq - first + 1) * size
    alpha = params[1] if recent < params[2] else params[0]
    return int(alpha * (s.pool - s.shared))


@policy_hook
def _seen(switch, queue, params, flow, packet, size, now):
    f = row(flow)
    if now - f.seen_at > params[3]:
        f.seen = row(packet).seq
    f.seen_at = now
    return 0


class Fab(Policy):
    """Flow-aware buffer: DT whose alpha is ``small_alpha`` for the first ``recent`` bytes of a flow, else ``alpha``.

    A flow that has been silent for ``idle`` counts from the start again.
    """

    about: ClassVar[About] = About(
        title="FAB", summary="Dynamic threshold with a large alpha for flows that have sent little of late.",
        sources=("Apostolaki, Vanbever, Ghobadi, Workshop on Buffer Sizing 2019",
                 "constants: ABM's ns-3 code (Addanki et al., SIGCOMM 2022)"),
        holds="the bursts that matter are made of short flows",
        departures="bytes are counted by the sequence numbers of the packet at hand, so a segment sent again counts as "
                   "where it stands in the flow; silence is seen at queues only: packets that find every port idle "
                   "leave no trace, and a flow counts once however many switches it passes; acknowledgements count "
                   "their own bytes",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["fab"] = "fab"
    alpha: float = quantity(0.5, "1", "Share of the free memory a queue may hold, to packets of other flows.", gt=0,
                            le=4096, symbol="α")
    small_alpha: float = quantity(1024.0, "1", "The same to packets of flows with few recent bytes.", gt=0, le=4096,
                                  symbol="α_s", source="ABM's ns-3 code: 1024")
    recent: Size = quantity(22_500.0, "B", "Bytes of a flow from which it is no longer small.", gt=0, le=1e12,
                            source="ABM's ns-3 code: 15 packets")
    idle: Time = quantity(5e-3, "s", "Silence after which a flow counts from the start again.", gt=0, le=1e3,
                          source="ABM's ns-3 code: 5 ms")

    def limit(self) -> Hook:
        return _limit

    def on_enqueue(self) -> Hook:
        return _seen

    def on_drop(self) -> Hook:
        return _seen

    def parameters(self) -> tuple[float, ...]:
        return (self.alpha, self.small_alpha, self.recent, self.idle * 1e12)

    def lone_limit(self, pool: float, queues: int) -> float:
        largest = max(self.alpha, self.small_alpha)
        return largest * pool / (1.0 + largest)
