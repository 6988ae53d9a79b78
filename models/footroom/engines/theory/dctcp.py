"""DCTCP under a step in closed form: the sawtooth of its paper (Alizadeh et al., SIGCOMM 2010, section 3.3).

Compared with the packet engine over 2 to 40 flows at 4 and 25 Gb/s, round trips of 0.3 and 0.12 ms, equal and spread
by 20 %, thresholds of 0.05 to 1 bandwidth-delay products (``python -m tests.validation.tools.compare_models dctcp``).
Inside the bounds below utilisation was within 1 point and the mean queue within a tenth of the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from footroom.base.written import count
from footroom.engines.theory import rules
from footroom.engines.theory.engine import TheoryAnswer
from footroom.formulas.transfer.dctcp_sawtooth import COLLISION, FEWEST, SMALLEST_WINDOW, SOURCE, Sawtooth
from footroom.formulas.transfer.marked import Load
from footroom.result.explanation import Explanation, Term

#: Samples of one tooth.
_SAMPLES = 256
#: Packets of a flow's least window.
LEAST_WINDOW = 2.0
_HOLDS = (
    "Long-lived DCTCP flows alone under a step, all with the same round trip, windows well above 2 packets, no bursts."
)


@dataclass(frozen=True)
class DctcpInputs:
    """DCTCP flows alone under a step. capacity [bit/s].  buffer, threshold, mtu [B].  rtt: without queue [s]."""

    capacity: float
    buffer: float
    threshold: float
    mtu: float
    rtt: float
    flows: int

    @property
    def saw(self) -> Sawtooth:
        """The sawtooth, in packets."""
        pipe = self.capacity * self.rtt / 8.0 / self.mtu
        return Sawtooth(pipe, self.threshold / self.mtu, float(self.flows), self.rtt)

    @property
    def course(self) -> Load:
        """One tooth of the queue, and the share of packets marked: all while more than the threshold waits."""
        saw = self.saw
        queue = saw.top - saw.amplitude * (1.0 - (np.arange(_SAMPLES) + 0.5) / _SAMPLES)
        return Load(
            saw.period / _SAMPLES,
            queue,
            np.asarray(queue > saw.threshold, dtype=np.float64),
            capacity=self.capacity / 8.0 / self.mtu,
            buffer=self.buffer / self.mtu,
            rtt=self.rtt,
            flows=float(self.flows),
        )


def _metrics(inputs: DctcpInputs) -> dict[str, float]:
    saw = inputs.saw
    used = saw.utilisation
    return {
        "utilisation": used,
        "drop_rate": 0.0,
        "throughput": used * inputs.capacity,
        "queue_mean": min(saw.queue_mean * inputs.mtu, inputs.buffer),
        "queue_max": min(saw.top * inputs.mtu, inputs.buffer),
    }


def evaluate(inputs: DctcpInputs) -> TheoryAnswer:
    """Metrics of one buffer with their explanations."""
    found, saw = _metrics(inputs), inputs.saw
    terms = (
        Term("C RTT", "packets in the pipe", saw.pipe, "packet"),
        Term("K", "threshold", saw.threshold, "packet"),
        Term("N", "flows", saw.flows, "1"),
        Term("A", "peak to peak of the queue", saw.amplitude, "packet"),
    )
    explained = [
        Explanation(
            "utilisation",
            "Utilisation",
            "1 - max(0, A - K - N)^2 / (2 A C RTT), A = 1/2 sqrt(2 N (C RTT + K))",
            found["utilisation"],
            "1",
            SOURCE,
            _HOLDS,
            terms,
        ),
        Explanation("drop_rate", "Drop rate", "0 while K + N < B", 0.0, "1", SOURCE, _HOLDS, terms),
        Explanation(
            "queue_mean",
            "Mean queue",
            "K + N - A/2 while A < K + N, (K + N)^2 / (2 A) beyond",
            found["queue_mean"],
            "B",
            SOURCE,
            _HOLDS,
            terms,
        ),
        replace(
            rules.bdp(inputs.capacity, inputs.rtt, inputs.flows),
            valid=False,
            holds="Flows that halve when the buffer is full. Not here: marks hold the queue near the threshold.",
        ),
    ]
    return TheoryAnswer(found, explained, ["All flows cut together here; flows out of step keep a steadier queue."])


def evaluate_many(inputs: DctcpInputs, buffers: Sequence[float]) -> list[dict[str, float]]:
    """The metrics of :func:`evaluate` for many buffers [B], in their order, without explanations."""
    return [_metrics(replace(inputs, buffer=float(buffer))) for buffer in buffers]


def outside(inputs: DctcpInputs) -> dict[str, str]:
    """Metric to reason, where the sawtooth was found not to hold, or even the least windows overflow the buffer."""
    saw, buffer = inputs.saw, inputs.buffer / inputs.mtu
    if LEAST_WINDOW * inputs.flows <= saw.pipe + buffer:
        return _beside_packets(inputs)
    why = (
        f"{inputs.flows} flows of {LEAST_WINDOW:g} packets, their least window, are more than path and buffer hold, "
        f"{count(saw.pipe + buffer)} packets: the packet simulation lost up to 8 %, and the sawtooth knows no losses."
    )
    return dict.fromkeys(("drop_rate", "queue_mean", "queue_max"), why) | _beside_packets(inputs)


def _beside_packets(inputs: DctcpInputs) -> dict[str, str]:
    saw, buffer = inputs.saw, inputs.buffer / inputs.mtu
    if buffer < saw.top:
        return dict.fromkeys(
            _metrics(inputs),
            (
                f"A buffer of {count(buffer)} packets fills before DCTCP's marks take hold (K + n = {count(saw.top)}), "
                "and the sawtooth knows no losses."
            ),
        )
    if buffer < FEWEST:
        return dict.fromkeys(
            _metrics(inputs),
            f"The buffer holds {count(buffer)} packets. Below {FEWEST:g} packets single bursts fill it, and the "
            "sawtooth knows no losses.",
        )
    least = max(FEWEST, COLLISION * math.sqrt(saw.pipe))
    if saw.threshold < least:
        return dict.fromkeys(
            ("utilisation", "throughput", "queue_mean", "queue_max"),
            (
                f"The threshold is {count(saw.threshold)} packets. Below {least:.0f} packets bursts of different "
                "flows meet above it: up to 15 points more utilisation than the packet simulation."
            ),
        )
    if saw.brim < SMALLEST_WINDOW:
        return dict.fromkeys(
            ("queue_mean", "queue_max"),
            (
                f"Windows are {saw.brim:.2g} packets. Below {SMALLEST_WINDOW:g} packets cuts come in whole packets: "
                "the mean queue was up to a fifth of the threshold longer than that of the packet simulation."
            ),
        )
    return {}
