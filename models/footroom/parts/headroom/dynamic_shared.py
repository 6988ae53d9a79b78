"""DSH: one insurance headroom for each port; everything else is shared by packets before and after a pause."""

from __future__ import annotations

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.kernel.answers import HEADROOM, PAUSE_GROUP, PAUSE_PORT, RESUMES, WHOLE
from footroom.kernel.hooks import Hook, headroom_hook, row
from footroom.parts.headroom.pausing import Pausing

_SOURCE = "Shan et al., DSH, ICDCS 2023, §IV"


@headroom_hook
def _place(pool, ingress, group, size):
    s, n, g = row(pool), row(ingress), row(group)
    excess = max(0, g.own + size - g.reserved)
    found = 0
    if (n.pauses >> WHOLE) & 1:
        found = HEADROOM
    elif excess > 0:
        together = 0
        for alpha in n.alphas:
            together += max(0, int(alpha * (s.pool - s.shared)))
        if n.shared + excess > together or s.shared + excess > s.pool - s.spare:
            found = HEADROOM | PAUSE_PORT
    if found != 0:
        excess = 0
    threshold = int(g.alpha * (s.pool - s.shared - excess)) - n.insurance
    return found | PAUSE_GROUP if g.shared + excess > max(0, threshold) else found


@headroom_hook
def _place_by_port(pool, ingress, group, size):
    s, n, g = row(pool), row(ingress), row(group)
    excess = max(0, g.own + size - g.reserved)
    if (n.pauses >> WHOLE) & 1:
        return HEADROOM
    together = 0
    for alpha in n.alphas:
        together += max(0, int(alpha * (s.pool - s.shared)))
    if excess > 0 and (n.shared + excess > together or s.shared + excess > s.pool - s.spare):
        return HEADROOM | PAUSE_PORT
    return 0


@headroom_hook
def _resume(pool, ingress, group, whole):
    s, n, g = row(pool), row(ingress), row(group)
    if whole == 0:
        above = n.insurance + g.xon_offset
        if g.shared == 0 or g.shared < max(0, int(g.alpha * (s.pool - s.shared))) - above:
            return RESUMES
        free = (g.shared + above) / g.alpha  # what the threshold needs
        return s.pool - int(free) + 2 if free <= s.pool else -1
    if n.headroom > 0:
        return -1
    together = 0
    sum_of_alphas = 0.0
    for alpha in n.alphas:
        together += max(0, int(alpha * (s.pool - s.shared)))
        sum_of_alphas += alpha
    if n.shared == 0 or n.shared < together - n.xon_offset:
        return RESUMES
    free = (n.shared + n.xon_offset) / sum_of_alphas
    return s.pool - int(free) + 2 if free <= s.pool else -1


class DynamicShared(Pausing):
    """Headroom comes out of the shared memory; each port keeps one insurance of η for when that runs out.

    T = α·(shared − in use), ω: the shared bytes of a group, Nq: number of lossless classes. A group pauses its class
    where ω > Xqoff = max(0, T − η) and resumes it where ω < Xqoff − xon_offset or ω = 0. A port pauses all lossless
    classes where its groups together would exceed Xpoff = Nq·T, or the shared memory is full but for its spare
    bytes; from then on its packets fill its insurance. It resumes them where the insurance is empty and the groups
    together hold less than Xpoff − port_xon_offset, or nothing. A neighbour stops a class as long as either holds.
    """

    about: ClassVar[About] = About(
        title="Dynamic shared headroom",
        summary="Each port keeps one headroom as insurance; queues share the rest and pause before their threshold.",
        sources=(_SOURCE, "Shan et al., IEEE/ACM ToN, 2025"),
        holds="switches that can pause a whole port as well as a class; none is known to ship",
        departures="Xqoff is at least 0, and a group without shared bytes resumes, or a queue would stay paused where "
        "T is below η; the packet that would cross Xpoff goes to the insurance; lossy classes are as with "
        "static_independent",
    )
    kind: Literal["dynamic_shared"] = "dynamic_shared"
    xon_offset: Size = quantity(
        0.0,
        "B",
        "How far below its pause threshold a group's shared memory must fall before it resumes its class.",
        ge=0,
        le=1e12,
        symbol="δq",
        source=_SOURCE + "; 0 in its evaluation",
    )
    port_xon_offset: Size = quantity(
        0.0,
        "B",
        "How far below the port's pause threshold its groups must fall together before the port resumes.",
        ge=0,
        le=1e12,
        symbol="δp",
        source=_SOURCE + "; 0 in its evaluation",
    )

    pauses: Literal["classes_and_ports", "ports"] = quantity(
        "classes_and_ports",
        "1",
        "What is paused: single classes first and the whole port as a last resort, or the whole port only, which "
        "keeps lossless classes from dropping but also stops classes that are not congested.",
        source="insurance headroom alone: " + _SOURCE.replace("§IV", "§III"),
        advanced=True,
    )

    def place(self) -> Hook:
        return _place if self.pauses == "classes_and_ports" else _place_by_port

    def resume(self) -> Hook:
        return _resume
