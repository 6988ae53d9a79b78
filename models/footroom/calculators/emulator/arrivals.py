"""Packets on their way to output ports, the same for every policy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

#: Most packets of one emulation: made up, and of a trace.
MOST, MOST_TRACED = 1_000_000, 5_000_000


@dataclass(frozen=True)
class Arrivals:
    """Packets in the order of their arrival, one array entry each.

    time [ps], never falling.  port: output port.  size [B].  flow: numbered from 0.  seq: the packet's place in its
    flow, from 0.  burst: number of the burst it belongs to, -1 for none.  starts: when each burst begins [ps].
    """

    time: Ints
    port: Ints
    size: Ints
    flow: Ints
    seq: Ints
    burst: Ints
    starts: Ints

    @property
    def flows(self) -> int:
        """Number of flows."""
        return int(self.flow.max()) + 1 if len(self.flow) else 0


def places(flow: Ints) -> Ints:
    """Each packet's place in its flow, from 0, given the flow of every packet in order of arrival."""
    order = np.argsort(flow, kind="stable")
    ranked = flow[order]
    first = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]]) if len(flow) else np.zeros(0, np.int64)
    found = np.empty(len(flow), np.int64)
    found[order] = np.arange(len(flow)) - np.repeat(first, np.diff(np.r_[first, len(flow)]))
    return found


def merged(parts: list[Arrivals]) -> Arrivals:
    """Several streams as one; of packets that arrive at one instant those of the earlier stream come first.

    Flow numbers continue from stream to stream; bursts keep theirs, so only one stream may have bursts.
    """
    offsets = np.cumsum([0, *(part.flows for part in parts[:-1])])
    joined = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("time", "port", "size", "seq", "burst", "starts")
    }
    joined["flow"] = np.concatenate([part.flow + offset for part, offset in zip(parts, offsets, strict=True)])
    order = np.argsort(joined["time"], kind="stable")
    return Arrivals(**{name: values if name == "starts" else values[order] for name, values in joined.items()})
