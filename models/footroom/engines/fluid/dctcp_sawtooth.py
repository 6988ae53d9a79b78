"""DCTCP under a step: the sawtooth of the paper in closed form, beside the fluid."""

from __future__ import annotations

from dataclasses import replace

from footroom.formulas.transfer.dctcp_sawtooth import SOURCE, Sawtooth
from footroom.result.explanation import Explanation, Term

HOLDS = "Flows in step, windows well above 2 packets, no bursts (30 to 40 packets at 10 Gb/s come on top: section 3.4)."
WIDER = (
    "The closed form cuts once, in the round trip after the queue crosses K. In the fluid marks arrive from R* after "
    "it rises above K until R* after it falls below, and cut bit by bit meanwhile: for two to three R* with one to ten "
    "flows at C RTT = 83 packets, where the oscillation is 17 to 33 % wider than A."
)


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
            title="Gain below which alpha averages over a whole period",
            formula="g < 1.386 / sqrt(2 (C RTT + K))",
            value=saw.largest_gain,
            terms=(pipe, threshold, Term("g", "gain in use", gain, "1")),
            valid=gain < saw.largest_gain,
        ),
    )
