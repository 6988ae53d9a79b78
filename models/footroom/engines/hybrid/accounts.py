"""Whether every byte of fluid that moves in blocks is accounted for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from footroom.engines.hybrid import layout
from footroom.engines.hybrid import sampled_layout as own_layout
from footroom.engines.hybrid.sampled_layout import Sampled

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NONE: Ints = np.zeros(0, dtype=np.int64)


def _of_lists(heads: Ints, blocks: np.ndarray) -> Iterator[int]:
    """All blocks of the lists that begin with ``heads``."""
    for head in heads[heads >= 0].tolist():
        k = head
        while k >= 0:
            yield k
            k = int(blocks["following"][k])


def _everywhere(lists: Ints, blocks: np.ndarray, back: np.ndarray, wires: Ints = NONE) -> Iterator[int]:
    """All blocks in the network: those that wait at ports, that come to them, and that come ``back`` to senders.

    wires: first blocks of the lists of those that are on their way between ports.
    """
    yield from _of_lists(np.concatenate([lists[:, [layout.FIRST, layout.NEW]].ravel(), wires]), blocks)
    for slot in back[back["count"] > 0]:
        yield from slot["blocks"][: slot["count"]].tolist()
        if slot["count"] > layout.INLINE:
            yield from _of_lists(np.array([slot["first"]]), blocks)


def at_ports(fluids: np.ndarray, ports: Floats, lists: Ints, blocks: np.ndarray, since: float) -> None:
    """Raise RuntimeError unless ports hold what came and neither left nor was lost, and blocks are as many bytes.

    since: ps from the last step to now.
    """
    for x, row, listed in zip(fluids, ports, lists, strict=True):
        found = float(x["lost"] + x["sent"] + x["inside"])
        if abs(float(x["offered"]) - found) > 1.0 + 1e-9 * found:
            raise RuntimeError(f"fluid is not conserved: {x['offered']} bytes came to a port, {found} are known of")
        waiting = sum(float(blocks["bytes"][k]) for k in _of_lists(listed[[layout.FIRST]], blocks))
        there = (
            waiting
            + float(x["rate"]) * since
            - (row[layout.DUE_OUT] + x["sent"] - row[layout.LEFT_BEFORE])
            - (row[layout.OWED] + x["lost"] - row[layout.GONE])
        )
        if abs(there - float(x["inside"])) > 2.0 * x["packet"] + 1e-6 * waiting:
            raise RuntimeError(f"fluid is not conserved: blocks of {there} bytes wait at a port of {x['inside']}")


def on_routes(routes: Floats, lists: Ints, blocks: np.ndarray, back: np.ndarray, wires: Ints = NONE) -> None:
    """Raise RuntimeError unless blocks hold, or acknowledge, what routes have in the network. wires: as above."""
    found = _everywhere(lists, blocks, back, wires)
    inside = sum(float(blocks["answers"][k]) or float(blocks["bytes"][k]) for k in found)
    held = float(routes[:, layout.INSIDE].sum())
    if abs(inside - held) > 1.0 + 1e-6 * inside:
        raise RuntimeError(f"fluid is not conserved: {held} bytes are in the network, {inside} are in blocks")


def at_senders(s: Sampled, routes: Floats, lists: Ints, blocks: np.ndarray, back: np.ndarray, packet: float) -> None:
    """Raise RuntimeError unless senders that are told delivery rates know, or will hear, of all that they have sent."""
    gone = np.zeros(len(s.own))
    if len(s.stamps) > 1:
        for k in _everywhere(lists, blocks, back):
            w = int(routes[blocks["route"][k], layout.SAMPLED])
            gone[w] += float(s.stamps["lost"][k]) if w >= 0 else 0.0
    for r in np.flatnonzero(routes[:, layout.SAMPLED] >= 0.0).tolist():
        w = int(routes[r, layout.SAMPLED])
        own, arrived = s.own[w], float(s.rows["arrived"][w]) * packet
        sent = own[own_layout.SENT] * packet
        known = routes[r, layout.INSIDE] + own[own_layout.BYTES] + arrived + own[own_layout.TAKEN]
        if abs(sent - known) > 1.0 + 1e-9 * sent:
            raise RuntimeError(f"fluid is not conserved: a sender sent {sent} bytes, {known} are known of")
        if abs(gone[w] + own[own_layout.LOST_BACK] - own[own_layout.GONE]) > 1e-3:
            raise RuntimeError(
                f"fluid is not conserved: blocks tell of {gone[w] + own[own_layout.LOST_BACK]} lost packets, their "
                f"sender waits for {own[own_layout.GONE]}"
            )
