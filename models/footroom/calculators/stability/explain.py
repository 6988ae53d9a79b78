"""The numbers of a stability answer with their formulas."""

from __future__ import annotations

import math

from footroom.calculators.stability.delays import CriticalDelay
from footroom.calculators.stability.fairness import Fairness
from footroom.calculators.stability.judgement import Judgement
from footroom.engines.fluid.system import Linearised, System
from footroom.result import Explanation, Term

_SMALL = "Small disturbances about the fixed point; a large one may meet an empty or a full queue."
_CHEBYSHEV = "Breda, Maset, Vermiglio, SIAM J. Sci. Comput. 27(2), 2005; Newton's method on the equation itself"
_NYQUIST = "Nyquist, Bell Syst. Tech. J. 11(1), 1932; delays enter exactly"


def explanations_of(
    system: System,
    linear: Linearised,
    found: Judgement,
    critical: CriticalDelay | None,
    fairness: Fairness | None,
    cut: str,
) -> tuple[Explanation, ...]:
    """In the order a person reads them."""
    delays = tuple(
        Term(f"tau_{i}" if len(linear.delayed) > 1 else "tau", "feedback delay at equilibrium", delay, "s")
        for i, (_, delay) in enumerate(linear.delayed)
    )
    told = [
        Explanation(
            "rightmost",
            "Growth rate of a small disturbance",
            "max Re s of det(s I - A0 - sum A_k exp(-s tau_k)) = 0",
            found.rightmost.real,
            "1/s",
            _CHEBYSHEV,
            _SMALL,
            delays,
        )
    ]
    if found.margins is not None:
        margins = found.margins
        deciding = min(margins.falls, key=lambda fall: abs(fall.frequency - margins.crossover))
        told.append(
            Explanation(
                "phase_margin",
                "Phase margin",
                "180 deg + arg L(j w) where |L(j w)| falls through 1",
                margins.phase,
                "deg",
                _NYQUIST,
                _cut(cut, scalar=found.scalar),
                (
                    Term("w", "crossover frequency", margins.crossover, "rad/s"),
                    Term("arg L", "phase of the loop gain there", deciding.lag - 180.0, "deg"),
                ),
            )
        )
    if found.margins is not None and found.margins.delay is not None:
        told.append(
            Explanation(
                "delay_margin",
                "Delay margin",
                "phase margin in radians / w, the least of all crossings",
                found.margins.delay,
                "s",
                _NYQUIST,
                "All delays of the feedback grow together; the fixed point stays as it is.",
                (
                    Term("w", "crossover frequency", found.margins.crossover, "rad/s"),
                    Term("PM", "phase margin", math.radians(found.margins.phase), "rad"),
                ),
            )
        )
    if found.gain is not None:
        told.append(
            Explanation(
                "gain_margin",
                "Gain margin",
                "-20 log10 |L(j w)| where L is real and negative",
                20.0 * math.log10(found.gain[0]),
                "dB",
                _NYQUIST,
                "All feedback is scaled together.",
                (Term("w", "frequency there", found.gain[1], "rad/s"),),
            )
        )
    if critical is not None:
        told.append(_critical(system, found, critical))
    if fairness is not None:
        told.append(
            Explanation(
                "fairness",
                "Growth rate of a difference between equal flows",
                "max Re s of det(s I - B0 - sum B_k exp(-s tau_k)) = 0, B: what a half of a group does to itself less "
                "what "
                "it does to the other half",
                fairness.rightmost.real,
                "1/s",
                _CHEBYSHEV,
                "The queue does not change, as the sum of the halves stays the same. "
                + (
                    "Differences decay."
                    if fairness.fair
                    else "Differences persist."
                    if fairness.fair is None
                    else "Differences grow."
                ),
                delays,
            )
        )
    if len(system.groups) == 1:
        told += system.groups[0].flows.rest_forms(system.path(0))
    return tuple(told)


def _cut(cut: str, *, scalar: bool) -> str:
    if scalar:
        return f"The loop is cut at the delayed {cut.replace('_', ' ')}, which all other delayed signals follow."
    return (
        "Several delayed signals are independent: least margin of the characteristic loci, eigenvalues of "
        "(j w I - A0)^-1 sum A_k exp(-j w tau_k) (MacFarlane and Postlethwaite, Int. J. Control 25(1), 1977)."
    )


def _critical(system: System, found: Judgement, critical: CriticalDelay) -> Explanation:
    base = Term("T", "loop delay: shortest round trip without queueing", system.loop_delay, "s")
    if critical.direct and found.margins is not None and found.margins.delay is not None:
        return Explanation(
            "critical_delay",
            "Loop delay at which the verdict changes",
            "T + delay margin",
            critical.seconds,
            "s",
            _NYQUIST,
            "The linear equations depend on the loop delay by nothing but the delay itself.",
            (base, Term("DM", "delay margin", found.margins.delay, "s")),
        )
    return Explanation(
        "critical_delay",
        "Loop delay at which the verdict changes",
        "T at which max Re s = 0",
        critical.seconds,
        "s",
        _CHEBYSHEV,
        "All round trips change by the same amount and the fixed point with them; laws keep their parameters.",
        (base,),
    )
