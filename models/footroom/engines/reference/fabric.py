"""The recording of ``run.fabric`` in the plain engine: queues, pauses and rates over time, and how pauses spread."""

from __future__ import annotations

import numpy as np

from footroom.engines.plan import SECOND
from footroom.engines.reference.flow import Flow
from footroom.engines.reference.network import Network
from footroom.engines.reference.pause_report import report
from footroom.engines.reference.pause_story import lossless_beyond
from footroom.kernel.tables import NEVER
from footroom.result.fabric import FabricDocument, FabricQueue, FlowRates
from footroom.result.fct import fairness

#: Frames, classes of ports and flows reported at most, as docs/recording.md says.
_FRAMES, _QUEUES, _FLOWS = 200, 2000, 64


class Frames:
    """Looks at ``network`` every ``run.fabric``, from the end of the warm-up on. due: when to look next [ps].

    Where a run has too many frames, neighbours are joined: longest queues and sums are kept.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        step = network.plan.scenario.run.fabric
        self._step = 0 if step is None else max(1, round(step * SECOND))
        self.due = int(NEVER) if step is None else network.plan.warmup
        self._flows = _chosen(network)
        self._ends: list[int] = []
        self._peaks: list[dict[tuple[int, int], int]] = []
        self._received: list[list[int]] = []  # so far, at every look
        self._skipped: list[set[int]] = []  # flows that were not under way for the whole frame

    def look(self) -> None:
        """Note the frame that ends now."""
        now, network = self.due, self._network
        peaks: dict[tuple[int, int], int] = {}
        for port in network.ports:
            for card in [] if port.output is None else port.output.queues:
                for queue in card:
                    peaks[port.number, queue.klass] = peaks.get((port.number, queue.klass), 0) + queue.peak
                    queue.peak = queue.bytes
        if self._ends:
            self._peaks.append(peaks)
            self._skipped.append({flow.number for flow in self._flows if not _under_way(flow, self._ends[-1], now)})
        self._ends.append(now)
        self._received.append([_have(flow) for flow in self._flows])
        if len(self._peaks) >= _FRAMES:
            self._join()
        self.due = now + self._step

    def _join(self) -> None:
        self._peaks = [
            {key: max(a[key], b[key]) for key in a} for a, b in zip(self._peaks[::2], self._peaks[1::2], strict=True)
        ]
        self._skipped = [a | b for a, b in zip(self._skipped[::2], self._skipped[1::2], strict=True)]
        self._ends, self._received = self._ends[::2], self._received[::2]
        self._step *= 2

    def to_dict(self) -> FabricDocument | None:
        """Plain data; see docs/recording.md. None where the scenario does not ask for it."""
        network = self._network
        plan = network.plan
        if not self._ends or network.story is None:
            return None
        if self._ends[-1] < plan.duration:
            self.due = plan.duration
            self.look()
        switches = {int(node) for node in plan.port_from[plan.port_switch >= 0]}
        shown, left_out = self._queues()
        return {
            "step": self._step / SECOND,
            "start": self._ends[0] / SECOND,
            "time": [end / SECOND for end in self._ends[1:]],
            "nodes": [
                {"name": name, "kind": "switch" if i in switches else "host"} for i, name in enumerate(plan.names)
            ],
            "ports": [
                {
                    "port": network.name_of(port),
                    "from": plan.names[int(plan.port_from[port])],
                    "to": plan.names[int(plan.port_to[port])],
                    "rate": float(plan.port_rate[port]),
                    "delay": int(plan.port_delay[port]) / SECOND,
                }
                for port in range(plan.ports)
            ],
            "queues": shown,
            "queues_left_out": left_out,
            "flows": self._rates(),
            "pauses": None if plan.lossless is None else report(plan, network.story, plan.duration),
        }

    def _queues(self) -> tuple[list[FabricQueue], int]:
        plan = self._network.plan
        rows = []
        for port in range(plan.ports):
            at_switch = plan.port_switch[port] >= 0
            for klass in range(plan.classes) if at_switch else lossless_beyond(plan, port):
                longest = [peaks.get((port, klass), 0) for peaks in self._peaks]
                held = [self._held(port, klass, *frame) for frame in self._spans()]
                if any(longest) or any(held):
                    shares = [round(min(1.0, h / (b - a)), 4) for h, (a, b) in zip(held, self._spans(), strict=True)]
                    rows.append((-sum(held), -max(longest, default=0), port, klass, longest, shares))
        shown = sorted(sorted(rows, key=lambda row: row[:4])[:_QUEUES], key=lambda row: row[2:4])
        told: list[FabricQueue] = [
            {"port": self._network.name_of(port), "class": klass, "queue_max": longest, "paused": shares}
            for _, _, port, klass, longest, shares in shown
        ]
        return told, len(rows) - len(shown)

    def _spans(self) -> list[tuple[int, int]]:
        return list(zip(self._ends[:-1], self._ends[1:], strict=True))

    def _held(self, port: int, klass: int, begin: int, end: int) -> int:
        """Time of a frame for which pauses of ``klass``, and of the whole port, held it back."""
        story = self._network.story
        assert story is not None
        whole = klass in lossless_beyond(self._network.plan, port)
        return sum(
            max(0, min(end, hold.until(end)) - max(begin, hold.begin))
            for hold in story.holds[port]
            if hold.pause.klass == klass or (whole and hold.pause.klass is None)
        )

    def _rates(self) -> FlowRates:
        plan = self._network.plan
        lasting = bool(self._flows) and any(flow.bytes < 0 for flow in self._flows)
        rates: list[list[float]] = []
        index: list[float | None] = []
        for frame, (begin, end) in enumerate(self._spans()):
            got = [b - a for a, b in zip(self._received[frame], self._received[frame + 1], strict=True)]
            rates.append([round(8.0 * SECOND * bytes_ / (end - begin), 1) for bytes_ in got])
            mine = [g for g, flow in zip(got, self._flows, strict=True) if flow.number not in self._skipped[frame]]
            index.append(fairness(np.array(mine, np.float64)) if len(mine) > 1 and any(mine) else None)
        same = [f for f in self._network.flows if (f.bytes < 0) == lasting and not plan.probing[f.number]]
        return {
            "lasting": lasting,
            "of": len(same),
            "fairness": index,
            "rates": [
                {
                    "flow": flow.number,
                    "entry": flow.entry,
                    "source": plan.names[int(plan.flow_source[flow.number])],
                    "destination": plan.names[int(plan.flow_destination[flow.number])],
                    "rate": [row[i] for row in rates],
                }
                for i, flow in enumerate(self._flows)
            ],
        }


def _chosen(network: Network) -> list[Flow]:
    """Flows without an end, spread over all of them where there are many; else the largest."""
    flows = [flow for flow in network.flows if not network.plan.probing[flow.number]]
    lasting = [flow for flow in flows if flow.bytes < 0]
    if lasting:
        last = len(lasting) - 1
        count = min(len(lasting), _FLOWS)
        return [lasting[i] for i in sorted({int(k * last / max(1, count - 1)) for k in range(count)})]
    return sorted(sorted(flows, key=lambda flow: (-flow.bytes, flow.number))[:_FLOWS], key=lambda flow: flow.number)


def _have(flow: Flow) -> int:
    """Payload that the receiver has in order [B]."""
    have = int(flow.stack.payload_of(flow.receiver.expected))
    return have if flow.bytes < 0 else min(have, flow.bytes)


def _under_way(flow: Flow, begin: int, end: int) -> bool:
    """Whether it had begun and not ended for the whole of the frame."""
    return flow.start_at <= begin and (flow.sender.end is None or flow.sender.end >= end)
