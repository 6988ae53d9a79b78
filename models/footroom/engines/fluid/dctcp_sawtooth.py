"""DCTCP under a step, as the sawtooth of the paper: what it says in closed form, beside what the fluid did.

N flows in step fill the pipe and the queue up to K with a window of W* = (C RTT + K)/N packets each. They grow one
packet further while the notice is on its way, and all cut once by alpha/2 (Alizadeh et al., SIGCOMM 2010, section 3.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from footroom.base.errors import InvalidInput
from footroom.result.explanation import Explanation, Term

SOURCE = "Alizadeh et al., SIGCOMM 2010, section 3.3"
HOLDS = "Flows in step, windows well above 2 packets, no bursts (30 to 40 packets at 10 Gb/s come on top: section 3.4)."
WIDER = (
    "The closed form cuts once, in the round trip after the queue crosses K. In the fluid marks arrive from R* after "
    "it rises above K until R* after it falls below, and cut bit by bit meanwhile: for two to three R* with one to ten "
    "flows at C RTT = 83 packets, where the oscillation is 17 to 33 % wider than A."
)


@dataclass(frozen=True)
class Sawtooth:
    """pipe: C RTT in packets.  threshold: K, packets.  flows: N.  trip: RTT without queueing, s."""

    pipe: float
    threshold: float
    flows: float
    trip: float

    def __post_init__(self) -> None:
        for name in ("pipe", "flows", "trip"):
            if not getattr(self, name) > 0.0:
                raise InvalidInput.at(name, getattr(self, name), "above 0")
        if self.threshold < 0.0:
            raise InvalidInput.at("threshold", self.threshold, "at least 0")

    @property
    def brim(self) -> float:
        """W*, packets."""
        return (self.pipe + self.threshold) / self.flows

    @property
    def alpha(self) -> float:
        """Share of marked packets, at most 1."""
        return share_of_marks(self.brim)

    @property
    def amplitude(self) -> float:
        """Of the queue, packets: A = 1/2 sqrt(2 N (C RTT + K))."""
        return 0.5 * math.sqrt(2.0 * self.flows * (self.pipe + self.threshold))

    @property
    def period(self) -> float:
        """Seconds: 1/2 sqrt(2 (C RTT + K) / N) round trips."""
        return 0.5 * math.sqrt(2.0 * self.brim) * self.trip

    @property
    def top(self) -> float:
        """Largest queue, packets: K + N."""
        return self.threshold + self.flows

    @property
    def least_threshold(self) -> float:
        """K (packets) above which the queue never runs empty, whatever N (eq. 13): C RTT / 7."""
        return self.pipe / 7.0

    @property
    def largest_gain(self) -> float:
        """Largest g at which alpha averages over a whole period (eq. 15): 1.386 / sqrt(2 (C RTT + K))."""
        return 1.386 / math.sqrt(2.0 * (self.pipe + self.threshold))


def share_of_marks(brim: float) -> float:
    """Alpha of a sawtooth about a window of ``brim`` packets, at most 1: alpha^2 (1 - alpha/4) = (2 W* + 1)/(W* + 1)^2.

    The left side rises up to alpha = 1. For large windows sqrt(2/W*).
    """
    wanted = (2.0 * brim + 1.0) / (brim + 1.0) ** 2
    if wanted >= 0.75:
        return 1.0
    alpha = math.sqrt(wanted)
    for _ in range(40):
        alpha -= (alpha * alpha * (1.0 - 0.25 * alpha) - wanted) / (alpha * (2.0 - 0.75 * alpha))
    return alpha


def explanations(
    saw: Sawtooth,
    gain: float,
    *,
    least: float,
    greatest: float,
    alpha: float,
) -> tuple[Explanation, ...]:
    """Every closed form beside the fluid's figure. least, greatest: of the fluid's queue, packets.  alpha: its mean."""
    pipe = Term("C RTT", "packets in the pipe", saw.pipe, "packet")
    threshold = Term("K", "threshold", saw.threshold, "packet")
    flows = Term("N", "flows", saw.flows, "1")
    brim = Term("W*", "window that fills the pipe and the queue up to K", saw.brim, "packet")
    both = (pipe, threshold, flows)
    whole = saw.brim > 2.0
    form = Explanation("", "", "", 0.0, "1", SOURCE, HOLDS, valid=whole)
    return (
        replace(
            form,
            name="dctcp_alpha",
            title="Share of marked packets of the sawtooth",
            formula="alpha^2 (1 - alpha/4) = (2 W* + 1) / (W* + 1)^2, W* = (C RTT + K) / N",
            value=saw.alpha,
            terms=(brim, *both),
        ),
        replace(
            form,
            name="fluid_mean_alpha",
            title="Share of marked packets in the fluid, on average",
            formula="mean of alpha over the measured window",
            value=alpha,
            source="Fluid",
            valid=True,
        ),
        replace(
            form,
            name="dctcp_amplitude",
            title="Peak to peak of the queue by the square-root law",
            formula="A = 1/2 sqrt(2 N (C RTT + K))",
            value=saw.amplitude,
            unit="packet",
            terms=both,
        ),
        replace(
            form,
            name="fluid_peak_to_peak",
            title="Peak to peak of the fluid's queue",
            formula="q_max - q_min",
            value=greatest - least,
            unit="packet",
            source="Fluid",
            holds=WIDER,
            valid=True,
            terms=(
                Term("q_max", "largest queue", greatest, "packet"),
                Term("q_min", "smallest queue", least, "packet"),
            ),
        ),
        replace(
            form,
            name="dctcp_period",
            title="Period of the sawtooth",
            formula="T = RTT/2 sqrt(2 (C RTT + K) / N)",
            value=saw.period,
            unit="s",
            terms=(*both, Term("RTT", "round trip without queueing", saw.trip, "s")),
        ),
        replace(
            form,
            name="dctcp_queue_max",
            title="Largest queue of the sawtooth",
            formula="q_max = K + N",
            value=saw.top,
            unit="packet",
            terms=(threshold, flows),
        ),
        replace(
            form,
            name="dctcp_least_threshold",
            title="Threshold above which the queue never runs empty",
            formula="K > C RTT / 7",
            value=saw.least_threshold,
            unit="packet",
            terms=(pipe,),
            holds="Worst number of flows, (C RTT + K)/8. " + HOLDS,
            valid=saw.threshold > saw.least_threshold,
        ),
        replace(
            form,
            name="dctcp_largest_gain",
            title="Gain below which alpha spans a whole period",
            formula="g < 1.386 / sqrt(2 (C RTT + K))",
            value=saw.largest_gain,
            terms=(pipe, threshold, Term("g", "gain in use", gain, "1")),
            valid=gain < saw.largest_gain,
        ),
    )
