"""Lossless classes resolved into bytes and picoseconds: priority groups, headroom, pause frames.

What both packet engines do with these numbers
----------------------------------------------
A *priority group* (q, k) is the packets of class k that came in over port q and wait in the switch at its end. A packet
of a lossless class is counted against its group, any other packet against its egress queue, never against both: lossy
classes have no limit at ingress, lossless ones none at egress.

Memory of a switch. ``buffer`` = what is reserved for groups and for lossy queues + headroom + shared memory. Where
``pool_lossless`` and ``pool_lossy`` are one pool (``one_pool``), shared bytes of groups and of lossy queues are added
up against it; else each is counted against its own. Threshold of a group: T = floor(alpha · (pool − in use)), at
least 0. The last ``spare`` bytes of the pool of lossless classes are never shared, though T counts them as free: they
are what groups or ports can take beyond the headroom set aside for them, so that they find this memory.
The sharing policy decides for lossy queues, with ``pool_lossy`` as its pool.

A packet of any class is refused if the bytes of all packets in the switch would exceed ``buffer``. Beyond that,
admission of s bytes (in whole cells) to a group of a switch with own headroom (static_independent):

1. where the group holds no headroom: what still fits the reserved bytes is reserved, the excess is shared; accepted if
   there is no excess, or the group's shared bytes and the excess together are at most T and fit the pool
   less its spare bytes;
2. else the whole packet is headroom; accepted if the group's headroom and s are at most ``group_limit``, and all
   headroom of the switch and s at most ``headroom_pool``;
3. else refused: a lossless drop.

With insurance (dynamic_shared), where q's groups together hold Ω shared bytes and Σ T is the sum of T over the lossless
classes, before the packet (n·T where all have one alpha):

1. where q is not paused as a whole: the excess over the reserved bytes is shared; accepted if there is none, or
   Ω + excess ≤ Σ T and it fits the pool less its spare bytes. Where it is not accepted, q is paused as a whole;
2. where q is paused as a whole the whole packet is insurance; accepted if the insurance of all groups of q and s are at
   most ``insurance_limit``; else refused.

Release gives back the group's headroom (or what it holds of the insurance) first, then its shared, then its reserved
bytes, each as far as they go.

Pausing. After a group was charged it pauses if it was not pausing and (own headroom) it holds headroom or its shared
bytes are at least T; (insurance) its shared bytes exceed max(0, T − insurance), unless only ports pause. After every
release in a switch, of lossy packets only where ``one_pool``, since others change no T, all its pausing groups are
tested in the order of q, then of class, each with T as it is then. A group resumes if (own headroom) it holds no
headroom and its shared bytes are at most max(xon, T − xon_offset); (insurance) its shared bytes are 0 or below
T − insurance − xon_offset. Before the groups of q, q itself resumes if its insurance is empty and Ω is 0 or below
Σ T − port_xon_offset.

Memory that is released when a transmission begins is released before that packet is sent: a frame that this leads to on
the same port comes behind the packet.

Pause frames. Each pause and each resume of a group, or of a port as a whole, is one frame of ``PAUSE_FRAME`` bytes of
the link, gap included, on the port opposite to q: behind the packet being sent, ahead of all that wait, first in, first
out. Where a frame about the same pause still waits there, that one is sent with what is new, and no second: a frame of
IEEE 802.1Qbb carries the state at the time it is made. So frames never pile up behind short packets. A timed pause
that still holds is repeated ``pause_refresh`` after the frame before was handed to the port. The node at the other end
stops class k on port q from ``pause_response`` after the frame arrived until ``pause_time`` after
it arrived; a frame that comes while the class is stopped, or is about to be, moves only the end. A resume ends it at
once. At the instant at which a stop begins or ends, packets that arrive and transmissions that end come first. A pause
of the whole port stops all lossless classes of the switch that asked for it, and is kept apart: a class may be sent
when neither holds. A packet whose transmission has begun is never interrupted.

A packet that finds the transmitter free, nothing of its own class waiting and its class not stopped is sent at once.
Hosts of a network with lossless classes have a queue for each class, served by ``switch.scheduling``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.base.errors import InvalidInput
from footroom.engines.plan.checks import check_slowest
from footroom.formulas.headroom.kept import Kept, in_memory
from footroom.formulas.headroom.link import CONTROL_FRAME, FRAME_OVERHEAD, QUANTUM
from footroom.kernel.tables import NEVER
from footroom.parts.headroom import DynamicShared, Headroom, Pausing, StaticIndependent
from footroom.scenario import Scenario
from footroom.scenario.switch import Switch

Ints = npt.NDArray[np.int64]

#: What a pause frame takes of a link, preamble and gap included [B]; IEEE 802.3 Annex 31D.
PAUSE_FRAME = CONTROL_FRAME + FRAME_OVERHEAD
_SECOND = 10**12


@dataclass(frozen=True)
class Lossless:
    """Numbers of the module's text. Sizes in bytes, times in ps; ports are those packets come in by, of P.

    classes: [switch, class] whether it is lossless.  insured: [switch] whether headroom is insurance (DSH).
    opposite: [P] the port of the other direction of the same link, on which pause frames are sent.
    group_reserved, group_headroom, group_limit, group_alpha, xon, xon_offset: [P, class], 0 where there is no group.
    group_headroom is what is set aside, group_limit the most that is let in.
    insurance, insurance_limit, port_xon_offset: [P].  headroom_pool: [switch] most headroom of all groups, NEVER where
    each has its own.
    pause_response, pause_time, pause_refresh: [P]; the last two NEVER for on_off.
    pool_lossless, pool_lossy: [switch] shared memory.  one_pool: [switch] whether they are the same.
    spare: [switch] bytes of pool_lossless that are never shared.
    """

    classes: npt.NDArray[np.bool_]
    insured: npt.NDArray[np.bool_]
    opposite: Ints
    group_reserved: Ints
    group_headroom: Ints
    group_limit: Ints
    group_alpha: npt.NDArray[np.float64]
    xon: Ints
    xon_offset: Ints
    insurance: Ints
    insurance_limit: Ints
    port_xon_offset: Ints
    headroom_pool: Ints
    pause_response: Ints
    pause_time: Ints
    pause_refresh: Ints
    pool_lossless: Ints
    pool_lossy: Ints
    one_pool: npt.NDArray[np.bool_]
    spare: Ints


class _Tables:
    """The arrays while they are filled."""

    def __init__(self, ports: int, switches: int, queues: int) -> None:
        self.classes = np.zeros((switches, queues), np.bool_)
        self.insured = np.zeros(switches, np.bool_)
        self.group_reserved, self.group_headroom, self.group_limit, self.xon, self.xon_offset = np.zeros(
            (5, ports, queues), np.int64
        )
        self.group_alpha = np.zeros((ports, queues))
        self.insurance, self.insurance_limit, self.port_xon_offset, self.pause_response = np.zeros((4, ports), np.int64)
        self.pause_time, self.pause_refresh = np.full((2, ports), NEVER)
        self.headroom_pool = np.full(switches, NEVER)
        self.pool_lossless, self.pool_lossy = np.zeros((2, switches), np.int64)
        self.one_pool = np.ones(switches, np.bool_)


def resolve(
    scenario: Scenario,
    settings: Sequence[Switch],
    names: Sequence[str],
    entering: Sequence[Sequence[int]],
    port_rate: Sequence[float],
    port_delay: Sequence[float],
    picoseconds_per_byte: Ints,
    port_late: Ints | None = None,
) -> Lossless | None:
    """Everything about lossless classes, or None where no switch has headroom.

    settings, names, entering: of every switch, the last the ports that packets come in by.  port_rate [bit/s],
    port_delay [s]: of all ports.  port_late: by how much the jitter of a host lets packets arrive later than that [ps],
    which no formula for headroom knows; the default allowance has room for it.

    Raises InvalidInput where memory does not suffice or times do not go together.
    """
    if not any(isinstance(setting.headroom, Pausing) for setting in settings):
        return None
    # What only looks at memory draws no plan, and so has not refused such a link.
    check_slowest(min(port_rate), scenario.run.mtu, scenario.run.frames)
    ports, frame = len(port_rate), scenario.run.frames.frame(int(scenario.run.mtu))
    t = _Tables(ports, len(settings), scenario.switch.queues)
    for s, setting in enumerate(settings):
        pausing = setting.headroom
        if not isinstance(pausing, Pausing):
            continue
        lossless = list(setting.lossless())
        t.classes[s, lossless] = True
        t.insured[s] = isinstance(pausing, DynamicShared)
        full = setting.taken(frame)
        kept: list[Kept] = []
        alpha = np.array(pausing.alphas(setting.sharing))[lossless]
        for q in entering[s]:
            kept.append(_kept(pausing, port_rate[q], port_delay[q], float(frame), setting.cell_size))
            size = kept[-1].size
            late = 0 if port_late is None else -((-int(port_late[q]) << 16) // int(picoseconds_per_byte[q]))
            allowance = pausing.allowance
            frames = PAUSE_FRAME * pauses_of(pausing, len(lossless))
            most = full + in_memory(frames + late, setting.cell_size) if allowance is None else int(allowance)
            t.group_reserved[q, lossless], t.group_alpha[q, lossless] = int(pausing.reserved), alpha
            if isinstance(pausing, StaticIndependent):
                t.group_headroom[q, lossless], t.group_limit[q, lossless] = size, size + most
                t.xon[q, lossless], t.xon_offset[q, lossless] = int(pausing.xon), int(pausing.xon_offset)
            elif isinstance(pausing, DynamicShared):
                t.insurance[q], t.insurance_limit[q] = size, size + most
                t.xon_offset[q, lossless], t.port_xon_offset[q] = int(pausing.xon_offset), int(pausing.port_xon_offset)
            t.pause_response[q] = round(kept[-1].response * _SECOND)
            _set_times(t, q, pausing, int(picoseconds_per_byte[q]), frame, pauses_of(pausing, len(lossless)))
        _divide(t, s, setting, names[s], [each.size for each in kept], full)
        _check_xon(pausing, float(alpha.max()), int(t.pool_lossless[s]), names[s])
        _check_offsets(pausing, [float(each) for each in alpha], int(t.pool_lossless[s]), names[s])
    return Lossless(
        classes=t.classes,
        insured=t.insured,
        opposite=np.arange(ports) ^ 1,
        group_reserved=t.group_reserved,
        group_headroom=t.group_headroom,
        group_limit=t.group_limit,
        group_alpha=t.group_alpha,
        xon=t.xon,
        xon_offset=t.xon_offset,
        insurance=t.insurance,
        insurance_limit=t.insurance_limit,
        port_xon_offset=t.port_xon_offset,
        headroom_pool=t.headroom_pool,
        pause_response=t.pause_response,
        pause_time=t.pause_time,
        pause_refresh=t.pause_refresh,
        pool_lossless=t.pool_lossless,
        pool_lossy=t.pool_lossy,
        one_pool=t.one_pool,
        spare=np.zeros(len(settings), np.int64),
    )


def pauses_of(headroom: Headroom, classes: int) -> int:
    """Most pauses that one port may ask for with so many lossless classes; a frame for each may wait there."""
    if isinstance(headroom, DynamicShared):
        return 1 if headroom.pauses == "ports" else classes + 1
    return classes


def _kept(pausing: Pausing, rate: float, delay: float, frame: float, cell: float | None) -> Kept:
    try:
        return pausing.kept(rate, delay, frame, cell)
    except InvalidInput as error:
        found = error.problems[0]
        raise InvalidInput.at(f"switch.headroom.{found.path}", found.given, found.message) from None


def _set_times(t: _Tables, q: int, pausing: Pausing, picoseconds_per_byte: int, frame: int, pauses: int) -> None:
    """Pause time and repetition of port ``q``, which may ask for so many ``pauses``."""
    if pausing.pause == "on_off":
        return
    time = (pausing.quanta * QUANTUM * picoseconds_per_byte) >> 16
    if time >= NEVER:
        most = (int(NEVER) - 1 << 16) // (QUANTUM * picoseconds_per_byte)
        raise InvalidInput.at(
            "switch.headroom.quanta",
            pausing.quanta,
            f"lasts {time / _SECOND:.3g} s on the slowest link; the packet engines count up to "
            f"{NEVER / _SECOND:.3g} s: give {most} or less, or set pause to on_off",
        )
    # A repetition may have to wait for a packet, and for the frames about all other pauses.
    least = ((frame + pauses * PAUSE_FRAME) * picoseconds_per_byte) >> 16
    t.pause_time[q], t.pause_refresh[q] = time, int(time * pausing.refresh)
    between = min(int(t.pause_refresh[q]), time - int(t.pause_refresh[q]))
    if between <= least < time // 2:
        raise InvalidInput.at(
            "switch.headroom.refresh",
            pausing.refresh,
            f"leaves {between / _SECOND:.3g} s between a frame or the pause's end and the repetition, which behind a "
            f"full packet and other frames takes {least / _SECOND:.3g} s on the slowest link: move refresh towards 0.5",
        )
    if between <= least:
        raise InvalidInput.at(
            "switch.headroom.quanta",
            pausing.quanta,
            f"lasts {time / _SECOND:.3g} s on the slowest link, too short to be repeated in time behind a full packet "
            f"and {pauses} pause frames, which take {least / _SECOND:.3g} s: raise quanta, or set pause to on_off",
        )


def _check_xon(pausing: Pausing, alpha: float, shared: int, name: str) -> None:
    """Refuse an xon that no group of switch ``name`` ever reaches. shared: memory of the groups [B]."""
    if not isinstance(pausing, StaticIndependent):
        return
    highest = int(alpha * shared / (1.0 + alpha))  # x = alpha · (shared − x)
    if pausing.xon >= max(highest, 1):
        raise InvalidInput.at(
            "switch.headroom.xon",
            pausing.xon,
            f"is not below the highest level at which a group of switch {name} "
            f"pauses, {highest} B of {shared} B shared memory, so every pause would end at once: give less",
        )


def _check_offsets(pausing: Pausing, alphas: list[float], shared: int, name: str) -> None:
    """Refuse a given offset beyond the shared memory of switch ``name``'s groups and beyond every threshold [B]."""
    for field, highest in (("xon_offset", max(alphas)), ("port_xon_offset", sum(alphas))):
        most = int(max(1.0, highest) * shared)
        given = getattr(pausing, field, 0.0)
        if given > most and given != type(pausing).model_fields[field].default:
            raise InvalidInput.at(
                f"switch.headroom.{field}",
                given,
                f"is above what a threshold at switch {name} can be, with {shared} B of shared memory: give {most} B "
                "or less, 0 B to resume as soon as the threshold allows it",
            )


def _divide(t: _Tables, s: int, setting: Switch, name: str, kept: list[int], full: int) -> None:
    """Divide the memory of switch ``s``, called ``name``: reserved, headroom, shared. full: bytes of a full packet."""
    pausing = setting.headroom
    assert isinstance(pausing, Pausing)
    groups, lossy = len(setting.lossless()), setting.queues - len(setting.lossless())
    headroom = sum(kept) * (1 if t.insured[s] else groups)
    pool = pausing.pool_of([size for size in kept for _ in range(groups)])
    if pool is not None:
        if max(kept) > pool:
            field = "pool" if getattr(pausing, "pool", None) is not None else "oversubscription"
            raise InvalidInput.at(
                f"switch.headroom.{field}",
                getattr(pausing, field),
                f"makes a headroom pool of {pool} B at switch "
                f"{name}, less than the {max(kept)} B of one priority group: give {max(kept)} B or more",
            )
        if pool > headroom:
            raise InvalidInput.at(
                "switch.headroom.pool",
                pool,
                f"is more than the headroom of all priority groups of switch {name} "
                f"together, {headroom} B: give less, or leave the pool out",
            )
        headroom = t.headroom_pool[s] = pool
    reserved = len(kept) * (groups * int(pausing.reserved) + lossy * int(setting.reserved))
    shared = int(setting.buffer) - reserved - headroom
    if shared < full:
        raise InvalidInput.at(
            "switch.headroom",
            f"{headroom} B of headroom",
            f"leaves no shared memory at switch {name}: {len(kept)} "
            f"ports need {headroom} B of headroom and {reserved} B reserved, of {setting.buffer:.0f} B; "
            f"{full - shared} B are missing for one full packet. Raise switch.buffer, name fewer lossless classes, or "
            + ("reserve less" if reserved > headroom else "let the groups share a pool"),
        )
    t.pool_lossless[s] = t.pool_lossy[s] = shared
    if pausing.lossless_share is None:
        return
    own = int(shared * pausing.lossless_share)
    t.one_pool[s], t.pool_lossless[s], t.pool_lossy[s] = False, own, shared - own
    if min(own, shared - own if lossy else shared) < full:
        raise InvalidInput.at(
            "switch.headroom.lossless_share",
            pausing.lossless_share,
            f"divides {shared} B of shared memory at switch "
            f"{name} into {own} B and {shared - own} B; each pool must hold a full packet of {full} B",
        )


def cautions(lossless: Lossless | None, names: Sequence[str], entering: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Settings with which classes are paused all the time, one sentence for all switches where it happens.

    names, entering: as for ``resolve``.
    """
    if lossless is None:
        return ()
    found = []
    for s, ports in enumerate(entering):
        most = lossless.group_alpha[list(ports)].max(initial=0.0) * float(lossless.pool_lossless[s])
        least = int(lossless.insurance[list(ports)].min(initial=NEVER))
        if lossless.insured[s] and most <= least:
            found.append((names[s], int(most), least))
    if not found:
        return ()
    name, most_bytes, eta = found[0]
    others = f" and {len(found) - 1} switches more" if len(found) > 1 else ""
    told = (
        f"At switch {name}{others} the threshold of a lossless class is at most {most_bytes} B, not above the "
        f"headroom of {eta} B: each class is paused as soon as it takes shared memory. Raise switch.headroom.alpha "
        "or switch.buffer."
    )
    return (told,)


def counted_in_cells(
    scenario: Scenario,
    settings: Sequence[Switch],
    names: Sequence[str],
    entering: Sequence[Sequence[int]],
    port_rate: Sequence[float],
    port_delay: Sequence[float],
) -> tuple[str, ...]:
    """What cells make of headroom that a scheme counts in bytes of the line: one sentence, with the largest port.

    Arguments as for ``resolve``.
    """
    frame = float(scenario.run.frames.frame(int(scenario.run.mtu)))
    for s, setting in enumerate(settings):
        pausing, cell = setting.headroom, setting.cell_size
        if not isinstance(pausing, Pausing) or cell is None:
            continue
        kept = [pausing.kept(port_rate[q], port_delay[q], frame, cell) for q in entering[s]]
        most = max(kept, key=lambda each: each.size if each.line is not None else -1, default=None)
        if most is not None and most.line is not None:
            told = (
                f"Scheme {pausing.scheme} counts bytes of the line. Frames of 64 B and more fill at most "
                f"{in_memory(1.0 * 2**20, cell) / 2**20:.3g} times as much memory in cells of {cell:.0f} B, so at "
                f"switch {names[s]} its {most.line} B become {most.size} B of headroom. Give switch.headroom.size "
                "where packets are larger."
            )
            return (told,)
    return ()
