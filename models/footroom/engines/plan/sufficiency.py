"""Whether the headroom of a plan holds all that can arrive after a switch decides to pause.

After Xoff the frame waits for one packet at its own port, and for the frames about other pauses of that port, one for
each, as they are sent in the order in which they come; then it travels; the neighbour responds and may just have begun
a packet. With W the time from Xoff until the neighbour stops plus the longest time a packet takes to arrive, and w the
time of one packet on the link, floor(W / w) + 1 packets arrive after the one that crossed the threshold. Each takes
whole cells, so short packets may fill more memory than full ones; as many are counted as the traffic has.
The rest of W is filled as if packets could be divided, where the traffic has other sizes: never too little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.base.framing import Framing
from footroom.engines.plan.lossless import PAUSE_FRAME, Lossless, pauses_of
from footroom.engines.plan.plan import Stack
from footroom.kernel.tables import NEVER
from footroom.parts.headroom import Pausing
from footroom.scenario.switch import Switch

Ints = npt.NDArray[np.int64]
#: Pause frames and packets take whole picoseconds, rounded down, while sizes of headroom are rounded to bytes.
_ROUNDING = 2


@dataclass(frozen=True)
class Links:
    """Of all ports: time of a byte [ps, 16 fractional bits], shortest and longest time on the wire [ps], gap [B]."""

    picoseconds_per_byte: Ints
    delay: Ints
    late: Ints
    framing: Framing

    def time(self, port: int, size: int) -> int:
        """Transmission [ps] of a packet of ``size`` bytes."""
        return ((size + self.framing.gap) * int(self.picoseconds_per_byte[port])) >> 16


@dataclass(frozen=True)
class Sizes:
    """Packets of lossless classes. full: largest of the network [B].  many: sizes of which there is no end [B].

    few: other sizes [B] and how many packets of each there are.  classes: in how many lossless classes they travel.
    """

    full: int
    many: tuple[int, ...]
    few: tuple[tuple[int, int], ...] = ()
    classes: int = 1


@dataclass(frozen=True)
class Need:
    """Most that arrives by one port after the decision to pause. size: memory [B].  window: W [ps].  packets: number.

    smallest: bytes of the shortest packet among them.
    """

    size: int
    window: int
    packets: int
    smallest: int


def need(port: int, opposite: int, response: int, setting: Switch, links: Links, sizes: Sizes) -> Need:
    """What headroom of ``port`` must hold. opposite: port that frames leave by.  response: of the neighbour [ps]."""
    window = _leaves(opposite, setting, links, sizes) + int(links.delay[opposite]) + response + int(links.late[port])

    def densest(given: Sequence[int]) -> list[int]:
        return sorted(given, key=lambda size: (setting.taken(size) / links.time(port, size), size), reverse=True)

    left, taken, packets = window, 0, 0
    available = dict(sizes.few)
    used = []
    worst = densest(sizes.many)[0]
    for size in [
        size
        for size in densest(list(available))
        if setting.taken(size) * links.time(port, worst) > setting.taken(worst) * links.time(port, size)
    ]:
        count = min(available[size], left // links.time(port, size))
        left -= count * links.time(port, size)
        taken, packets = taken + count * setting.taken(size), packets + count
        used += [size] if count else []
        available[size] -= count
    count = left // links.time(port, worst)
    endless = [size for size in sizes.many if size != worst]
    shorter = [*endless, *(size for size in available if available[size] > 0)]
    if shorter:
        best = densest((worst, *shorter))[0]
        fill = left * setting.taken(best) // links.time(port, best) - count * setting.taken(worst)
        if not set(endless) & set(shorter):
            fill = min(fill, sum(available[size] * setting.taken(size) for size in shorter))
        taken += fill
        packets += -(-fill // setting.taken(min(shorter)))
        used += [min(shorter)] if fill else []
    count += 1
    used += [worst]
    largest = max(setting.taken(size) for size in (*sizes.many, *available))
    # The last one begins just in time, the first has crossed the threshold: both may be the largest there is.
    return Need(taken + (count - 1) * setting.taken(worst) + 2 * largest, window, packets + count + 1, min(used))


def _leaves(port: int, setting: Switch, links: Links, sizes: Sizes) -> int:
    """Longest time [ps] until a pause frame has left by ``port``: behind a full packet and other pauses' frames."""
    frames = pauses_of(setting.headroom, sizes.classes)
    return links.time(port, sizes.full) + ((frames * PAUSE_FRAME * int(links.picoseconds_per_byte[port])) >> 16)


def beyond(
    lossless: Lossless,
    settings: Sequence[Switch],
    entering: Sequence[Sequence[int]],
    links: Links,
    sizes: Sizes | None,
) -> Ints:
    """Bytes by switch that can arrive beyond the headroom that is set aside, all groups or ports together.

    None where groups share a pool of headroom: all of it is set aside. Arguments as for ``shortfalls``.
    """
    found = np.zeros(len(settings), np.int64)
    for s, ports in enumerate(entering):
        if sizes is None or not lossless.classes[s].any() or lossless.headroom_pool[s] < NEVER:
            continue
        for q in ports:
            most = need(q, int(lossless.opposite[q]), int(lossless.pause_response[q]), settings[s], links, sizes).size
            limit, kept = lossless.group_limit[q], lossless.group_headroom[q]
            if lossless.insured[s]:
                limit, kept = lossless.insurance_limit[q], lossless.insurance[q]
            found[s] += np.maximum(np.minimum(most, limit) - kept, 0).sum()
    return found


def spare_of(lossless: Lossless, settings: Sequence[Switch], beyond: Ints, sizes: Sizes | None) -> Ints:
    """Bytes of shared memory that stay free, by switch: what is ``beyond`` the headroom, but for one full packet, which
    can always be shared; ``shortfalls`` says where that packet leaves too little.
    """
    if sizes is None:
        return beyond
    full = np.array([setting.taken(sizes.full) for setting in settings])
    kept: Ints = np.minimum(beyond, np.maximum(lossless.pool_lossless - full, 0))
    return kept


def shortfalls(
    lossless: Lossless | None,
    settings: Sequence[Switch],
    names: Sequence[str],
    entering: Sequence[Sequence[int]],
    neighbours: Sequence[str],
    links: Links,
    sizes: Sizes | None,
    beyond: Ints,
) -> tuple[str, ...]:
    """One sentence where headroom may not hold what arrives after Xoff, with the sum, one for headroom pools, and one
    for shared memory that cannot keep free what may exceed the headroom.

    names, entering: of every switch, as for ``resolve``.  neighbours: the node that sends by each port.  sizes: None
    where no packet travels in a lossless class.  beyond: of the function of that name.
    """
    if lossless is None or sizes is None:
        return ()
    found: list[tuple[str, int, int, int, Need]] = []
    pools = []
    for s, ports in enumerate(entering):
        if not lossless.classes[s].any():
            continue
        needs = []
        for q in ports:
            limit = int(lossless.insurance_limit[q] if lossless.insured[s] else lossless.group_limit[q].max())
            kept = int(lossless.insurance[q] if lossless.insured[s] else lossless.group_headroom[q].max())
            one = need(q, int(lossless.opposite[q]), int(lossless.pause_response[q]), settings[s], links, sizes)
            needs.append(one.size)
            if one.size > limit + _ROUNDING:
                found.append((names[s], q, limit, kept, one))
        pool = int(lossless.headroom_pool[s])
        if pool < NEVER:
            groups = len(ports) * int(lossless.classes[s].sum())
            pools.append((names[s], pool, pool // max(needs), groups))
    told = []
    if found:
        worst = max(found, key=lambda each: each[4].size - each[2])
        others = f" There are {len(found) - 1} more such ports." if len(found) > 1 else ""
        setting = settings[names.index(worst[0])]
        told.append(_sentence(*worst, neighbours, lossless, links, sizes, setting) + others)
    short = [each for each in pools if each[2] < each[3]]
    if short:
        name, pool, hold, groups = min(short, key=lambda each: each[2] / each[3])
        told.append(
            f"The headroom pool of switch {name}, {pool} B, holds what can arrive for {hold} of its {groups} "
            "priority groups at once; if more are paused at the same time, packets of lossless classes may be "
            "dropped."
        )
    missing = beyond - lossless.spare
    if missing.any():
        s = int(missing.argmax())
        more = int((missing > 0).sum()) - 1
        others = f" There are {more} more such switches." if more else ""
        buffer = _buffer(settings[s], lossless, s, int(beyond[s]) + settings[s].taken(sizes.full))
        told.append(
            f"Headroom may not suffice at switch {names[s]}: {beyond[s]} B can arrive beyond the headroom that is set "
            f"aside, and {lossless.spare[s]} B of its shared memory stay free for them. Set switch.buffer to "
            f"{buffer} B or more.{others}"
        )
    return tuple(told)


def _buffer(setting: Switch, lossless: Lossless, s: int, wanted: int) -> int:
    """``switch.buffer`` with ``wanted`` bytes of shared memory for the lossless classes of switch ``s``."""
    pausing, shared = setting.headroom, int(lossless.pool_lossless[s])
    if not isinstance(pausing, Pausing) or pausing.lossless_share is None:
        return int(setting.buffer) + wanted - shared
    all_shared = shared + int(lossless.pool_lossy[s])
    return int(setting.buffer) + math.ceil(wanted / pausing.lossless_share) - all_shared


def _sentence(
    name: str,
    port: int,
    limit: int,
    kept: int,
    one: Need,
    neighbours: Sequence[str],
    lossless: Lossless,
    links: Links,
    sizes: Sizes,
    setting: Switch,
) -> str:
    opposite = int(lossless.opposite[port])
    frames = pauses_of(setting.headroom, sizes.classes)
    written = "the pause frame" if frames == 1 else f"{frames} pause frames"
    parts = {
        f"a packet of {sizes.full} B and {written}": _leaves(opposite, setting, links, sizes),
        "the cable both ways" + (" and the host's jitter" if links.late[port] > links.delay[opposite] else ""): int(
            links.delay[opposite] + links.late[port]
        ),
        "the response": int(lossless.pause_response[port]),
    }
    length = f"{one.smallest} to {sizes.full}" if one.smallest < sizes.full else str(sizes.full)
    spelled = ", ".join(f"{time / 1e6:.6g} µs for {what}" for what, time in parts.items())
    return (
        f"Headroom may not suffice at switch {name} for packets from {neighbours[port]}: {one.packets} packets of "
        f"{length} B, {one.size} B of memory, can arrive after Xoff ({spelled}), and {limit} B "
        f"are let in ({kept} B of headroom and {limit - kept} B of allowance). Set switch.headroom.size to "
        f"{one.size - (limit - kept)} B or more."
    )


def unmarkable(
    lossless: Lossless | None, settings: Sequence[Switch], names: Sequence[str], deaf: Sequence[tuple[str, int]]
) -> tuple[str, ...]:
    """One sentence where a switch drops packets of lossless classes instead of marking them.

    deaf: what may not be marked, in words, and its class.
    """
    if lossless is None:
        return ()
    for s, setting in enumerate(settings):
        here = [(what, klass) for what, klass in deaf if lossless.classes[s, klass]]
        if here and setting.marking.kind != "none":
            what, klass = here[0]
            told = (
                f"Switch {names[s]} drops packets of lossless class {klass} instead of marking them: {what} do not "
                "understand marks. Give them a class that is not lossless, or set switch.marking.kind to none."
            )
            return (told,)
    return ()


def sizes_of(
    classes: npt.NDArray[np.bool_],
    stacks: Sequence[Stack],
    flow_stack: Ints,
    flow_last: Ints,
    flow_class: Ints,
    flow_ack_class: Ints,
    flow_setup: Ints,
    acknowledgement: int,
    full: int,
) -> Sizes | None:
    """The packets that travel in lossless classes; None where there are none.

    classes: [switch, class] whether it is lossless.  flow_last: sizes of the last packets, full: of a full one [B].
    flow_setup: 1 where packets as large as acknowledgements set up a connection.
    """
    found = np.asarray(classes.any(axis=0))
    data = found[flow_class]
    used = np.unique(np.concatenate([flow_class, flow_ack_class]))
    many = {stacks[i].segment for i in np.unique(flow_stack[data])}
    if found[flow_ack_class].any() or found[flow_class[flow_setup != 0]].any():
        many.add(acknowledgement)
    if not many:
        return None
    few, counts = np.unique(flow_last[data], return_counts=True)
    return Sizes(
        full,
        tuple(sorted(many)),
        tuple((size, count) for size, count in zip(few.tolist(), counts.tolist(), strict=True) if size not in many),
        int(found[used].sum()),
    )


def deaf(
    stacks: Sequence[Stack], flow_stack: Ints, flow_class: Ints, flow_ack_class: Ints, flow_setup: Ints
) -> list[tuple[str, int]]:
    """What must not be marked, in words, and the classes it travels in."""
    found: set[tuple[str, int]] = set()
    for i in np.unique(flow_stack).tolist():
        stack, mine = stacks[i], flow_stack == i
        hears = stack.ecn and (stack.rdma or stack.law.hooks().on_ecn is not None)
        if not hears:
            found |= {("data packets", int(klass)) for klass in np.unique(flow_class[mine])}
        if not (stack.rdma or (hears and stack.law.accurate_echo)):
            found |= {("acknowledgements", int(klass)) for klass in np.unique(flow_ack_class[mine])}
            asked = flow_class[mine & (flow_setup != 0)]
            found |= {("packets that set up connections", int(klass)) for klass in np.unique(asked)}
    return sorted(found, key=lambda each: (each[1], each[0]))


__all__ = ["Links", "Need", "Sizes", "beyond", "deaf", "need", "shortfalls", "sizes_of", "spare_of", "unmarkable"]
