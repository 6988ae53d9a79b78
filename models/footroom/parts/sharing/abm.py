"""ABM: dynamic threshold divided among congested queues of a class and by how slowly each drains."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from footroom.base.component import About
from footroom.base.quantity import Size, Time, quantity
from footroom.kernel.hooks import Hook, integers, policy_hook, row, words
from footroom.parts.sharing.policy import Policy

# The queue's state. The scratch memory: congested queues of each class, then the bytes of every flow and direction.
_CONGESTED, _SINCE, _SENT, _SHARE = 0, 1, 2, 3
_FLOWS = 8
# Parameters, after one alpha a class.
_UNSCHEDULED_ALPHA, _UNSCHEDULED, _WINDOW, _NEAR, _LEAST = 8, 9, 10, 11, 12


@policy_hook
def _limit(switch, queue, params, flow, packet, size, now):
    s, q, k = row(switch), row(queue), row(packet)
    own = words(s.scratch)
    unscheduled = own[_FLOWS + 2 * k.flow + min(k.sort, 1)] + k.size <= params[_UNSCHEDULED]
    alpha = params[_UNSCHEDULED_ALPHA] if unscheduled else params[q.klass]
    share = q.state[_SHARE] if q.packets > 0 else 1.0
    return int(alpha * (s.pool - s.shared) / max(1.0, own[q.klass]) * share)


@policy_hook
def _count(switch, queue, params, flow, packet, size, now):
    k = row(packet)
    words(row(switch).scratch)[_FLOWS + 2 * k.flow + min(k.sort, 1)] += float(k.size)
    return 0


def _after(arriving: bool) -> Hook:
    @policy_hook
    def _step(switch, queue, params, flow, packet, size, now):
        s, q = row(switch), row(queue)
        congested = words(s.scratch)
        sent = float(row(packet).size + s.gap)
        if arriving:
            k = row(packet)
            congested[_FLOWS + 2 * k.flow + min(k.sort, 1)] += float(k.size)
            if q.packets == 1:  # measured from the first departure on, when the port has turned to this queue
                q.state[_SHARE], q.state[_SINCE] = 1.0, -1.0
        elif q.state[_SINCE] < 0.0:
            q.state[_SINCE], q.state[_SENT] = float(now), sent
        elif now - q.state[_SINCE] >= params[_WINDOW]:
            share = q.state[_SENT] * (integers(q.rate_at)[0] / 65536.0) / (now - q.state[_SINCE])
            q.state[_SHARE] = min(1.0, max(params[_LEAST], share))
            q.state[_SINCE], q.state[_SENT] = float(now), sent
        else:
            q.state[_SENT] += sent
        others = max(1.0, congested[q.klass])
        threshold = params[q.klass] * (s.pool - s.shared) / others * q.state[_SHARE]
        near = 1.0 if max(0, q.bytes - q.reserved) > params[_NEAR] * threshold else 0.0
        congested[q.klass] += near - q.state[_CONGESTED]
        q.state[_CONGESTED] = near
        return 0

    return _step


_enqueued, _dequeued = _after(True), _after(False)


class Abm(Policy):
    """Active buffer management: T = α_p · (pool − in use) / n_p · μ/b.

    n_p: congested queues of the class in this memory, those above ``near`` of their threshold.  μ/b: what the queue
    sent over the last ``window`` over what its port can.  The first ``unscheduled`` bytes of a flow that arrive at this
    memory have an alpha of their own; data and acknowledgements are counted apart.
    """

    about: ClassVar[About] = About(
        title="ABM",
        summary="Dynamic threshold divided among congested queues, and lower for those that drain slowly.",
        sources=(
            "Addanki, Apostolaki, Ghobadi, Schmid, Vanbever, SIGCOMM 2022, eq. 2",
            "congested means above 0.9 of the threshold: Occamy's DPDK code (EuroSys 2025)",
        ),
        holds="several classes share the memory; with one queue congested in one class it is dynamic threshold",
        departures="whether a queue is congested is judged at its own arrivals and departures; the drain rate is "
        "measured from departure to departure while the queue is backlogged; the switch adds up a "
        "flow's bytes, where in ns-3 the sender tags those it sends in its first round trip",
    )
    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")
    kind: Literal["abm"] = "abm"
    alpha: float = quantity(
        0.5,
        "1",
        "Limit of all congested queues of a class together, as a multiple of the free shared memory.",
        gt=0,
        le=4096,
        symbol="α_p",
    )
    alphas: tuple[Annotated[float, Field(ge=1e-9, le=4096)], ...] | None = quantity(
        None,
        "1",
        "Alpha of each priority class, class 0 first, where they differ; classes not listed have alpha.",
        min_length=1,
        max_length=8,
        advanced=True,
    )
    unscheduled_alpha: float = quantity(
        1024.0, "1", "Alpha of unscheduled packets.", gt=0, le=4096, source="ABM's ns-3 code: 1024"
    )
    unscheduled: Size = quantity(
        15_000.0,
        "B",
        "Bytes at the start of a flow that count as unscheduled: sent before any feedback.",
        ge=0,
        le=1e12,
        source="RFC 6928: an initial window of ten segments",
    )
    window: Time = quantity(
        30e-6,
        "s",
        "Time over which the drain rate is measured, about a round trip.",
        gt=0,
        le=1e3,
        source="ABM's ns-3 code: 30 µs",
        advanced=True,
    )
    near: float = quantity(
        0.9,
        "1",
        "Fraction of its threshold above which a queue counts as congested.",
        gt=0,
        le=1,
        source="Occamy's DPDK code",
        advanced=True,
    )
    least: float = quantity(
        0.125,
        "1",
        "Minimum drain rate, as a fraction of the port rate.",
        gt=0,
        le=1,
        source="Occamy's DPDK code: one over the queues",
        advanced=True,
    )

    def limit(self) -> Hook:
        return _limit

    def on_enqueue(self) -> Hook:
        return _enqueued

    def on_dequeue(self) -> Hook:
        return _dequeued

    def on_drop(self) -> Hook:
        return _count

    def on_pass(self) -> Hook:
        return _count

    def parameters(self) -> tuple[float, ...]:
        own = self.alphas or ()
        return (
            *own,
            *[self.alpha] * (8 - len(own)),
            self.unscheduled_alpha,
            self.unscheduled,
            self.window * 1e12,
            self.near,
            self.least,
        )

    def scratch(self, queues: int, flows: int) -> int:
        return _FLOWS + 2 * (flows + 1)

    def lone_limit(self, pool: float, queues: int) -> float:
        own = self.parameters()[0]
        largest = max(own, self.unscheduled_alpha) if self.unscheduled > 0.0 else own
        return largest * pool / (1.0 + largest)
