"""FAB: packets of flows that have sent little of late get a large alpha."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Size, Time, quantity
from footroom.kernel.hooks import Hook, policy_hook, row, words
from footroom.parts.sharing.policy import Policy

# The scratch memory, for every flow and direction: bytes counted, and when the last packet arrived.


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s, k = row(switch), row(packet)
    seen, at = words(s.scratch), 2 * (2 * k.flow + min(k.sort, 1))
    before = seen[at] if now - seen[at + 1] <= params[3] else 0.0
    alpha = params[1] if before + k.size < params[2] else params[0]
    return int(alpha * (s.pool - s.shared))


@policy_hook
def _count(switch, queue, params, flow, packet, size, now):
    k = row(packet)
    seen, at = words(row(switch).scratch), 2 * (2 * k.flow + min(k.sort, 1))
    if now - seen[at + 1] > params[3]:
        seen[at] = 0.0
    seen[at] += float(k.size)
    seen[at + 1] = float(now)
    return 0


class Fab(Policy):
    """Flow-aware buffer: DT whose alpha is ``small_alpha`` for the first ``recent`` bytes of a flow, else ``alpha``.

    Every memory adds up the sizes of all packets of a flow that arrive, also of those it drops and of those that find
    their port idle, and counts data and acknowledgements apart. After a silence of ``idle`` the sum starts at 0 again.
    """

    about: ClassVar[About] = About(
        title="FAB",
        summary="Dynamic threshold with a large alpha for flows that have sent little lately.",
        sources=(
            "Apostolaki, Vanbever, Ghobadi, Workshop on Buffer Sizing 2019",
            "constants: ABM's ns-3 code (Addanki et al., SIGCOMM 2022)",
        ),
        holds="the bursts that matter are made of short flows",
        departures="the sum is kept by memory; in ns-3 every port keeps its own, which is the same as long as a flow "
        "keeps to one port; the paper's own pair of alphas was not read",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["fab"] = "fab"
    alpha: float = quantity(
        0.5,
        "1",
        "Limit for packets of all other flows, as a multiple of the free shared memory.",
        gt=0,
        le=4096,
        symbol="α",
    )
    small_alpha: float = quantity(
        1024.0,
        "1",
        "Limit for packets of flows with few recent bytes, as a multiple of the free shared memory.",
        gt=0,
        le=4096,
        symbol="α_s",
        source="ABM's ns-3 code: 1024",
    )
    recent: Size = quantity(
        22_500.0,
        "B",
        "Bytes after which a flow no longer counts as small.",
        gt=0,
        le=1e12,
        source="ABM's ns-3 code: 15 packets",
    )
    idle: Time = quantity(
        5e-3, "s", "Idle time after which a flow counts as small again.", gt=0, le=1e3, source="ABM's ns-3 code: 5 ms"
    )

    def limit(self) -> Hook:
        return _limit

    def on_enqueue(self) -> Hook:
        return _count

    def on_drop(self) -> Hook:
        return _count

    def on_pass(self) -> Hook:
        return _count

    def scratch(self, queues: int, flows: int) -> int:
        return 4 * (flows + 1)

    def parameters(self) -> tuple[float, ...]:
        return (self.alpha, self.small_alpha, self.recent, self.idle * 1e12)

    def lone_limit(self, pool: float, queues: int) -> float:
        largest = max(self.alpha, self.small_alpha)
        return largest * pool / (1.0 + largest)
