"""BBR in closed forms: its published equilibria on one bottleneck, and what ProbeRTT costs.

With b = B/BDP and N flows that probe one at a time at 5/4 of an estimate of 5C/(4N+1) (Scherrer, Legner, Perrig,
Schmid, IMC 2022):

* Version 1, N >= 2. What is sent above the capacity is lost, (N-1)/(5N), while windows of two products do not bind,
  b <= 0.6; a probing flow is held to g = 2/(1+b) of its estimate beyond, hence p = (1 - 1/N)(1 - 1/g) with g between
  1 and 5/4. The queue is min(b, 1). From 0.6 to where all windows fit, 10N/(4N+1) - 1, this is a sketch.
* Version 1, one flow. A queue of 1/4 up in one of eight round trips and down in the next: min(b, 1/4)/8 on average;
  what the buffer is short of 1/4 is lost going up and missing going down.
* Version 2, N >= 2. The queue that cruising at 0.85 of 5/4 of the estimates leaves, in buffers that hold it.

Flows whose queue never empties hold windows of four packets (version 2: half a product) for some 200 ms every now and
then (ProbeRTT); once the queue has drained the link carries no more than those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from footroom.base.errors import Unsupported
from footroom.engines.theory import rules
from footroom.engines.theory.engine import TheoryAnswer
from footroom.formulas.transfer.checks import at_least, not_negative, positive
from footroom.result.explanation import Explanation, Term

_SOURCE = "Scherrer, Legner, Perrig, Schmid, IMC 2022"
#: Smallest window [packets].
_LEAST_WINDOW = 4.0
#: What version 2 cruises with, over its estimate: 0.85 of the 5/4 that its last probing held.
_CRUISING = 0.85 * 1.25
#: Buffers [BDP] up to which version 2's start leaves a bound on what is in flight.
_BOUNDED = 5.0


@dataclass(frozen=True)
class BbrInputs:
    """BBR flows alone on a bottleneck. capacity [bit/s], buffer [B], mtu [B], rtt: without queue [s].

    version: 1 or 2.  interval, lasts: of ProbeRTT [s]; an interval of 0 leaves it out.
    """

    capacity: float
    buffer: float
    mtu: float
    rtt: float
    flows: int
    version: int = 1
    interval: float = 10.0
    lasts: float = 0.2

    def __post_init__(self) -> None:
        for name in ("capacity", "mtu", "rtt", "lasts"):
            positive(name, getattr(self, name))
        not_negative("buffer", self.buffer)
        at_least("flows", self.flows, 1)

    @property
    def bdp(self) -> float:
        """Bandwidth-delay product [B]."""
        return self.capacity * self.rtt / 8.0

    @property
    def ratio(self) -> float:
        """Buffer over bandwidth-delay product."""
        return self.buffer / self.bdp


@dataclass(frozen=True)
class _Steady:
    """Outside ProbeRTT. queue: mean [BDP].  loss, used [1].  low: share of the capacity used in ProbeRTT, None where
    the queue empties by itself and there is none.  formulas: of queue, loss and utilisation.  holds, valid: where.
    """

    queue: float
    loss: float
    used: float
    low: float | None
    formulas: tuple[str, str, str]
    holds: str
    valid: bool


def _first_alone(inputs: BbrInputs) -> _Steady:
    top = min(inputs.ratio, 0.25)
    short = (0.25 - top) / 8.0
    return _Steady(
        top / 8.0,
        short,
        1.0 - short,
        None,
        ("BDP·min(b, 1/4)/8", "max(0, 1/4 - b)/8", "1 - max(0, 1/4 - b)/8"),
        "One flow of version 1 that started with an empty queue.",
        valid=True,
    )


def _first(inputs: BbrInputs) -> _Steady:
    flows, b = inputs.flows, inputs.ratio
    gain = min(1.25, max(1.0, 2.0 / (1.0 + b)))
    fits = 10.0 * flows / (4.0 * flows + 1.0) - 1.0
    holds = (
        "Two flows or more of version 1 with equal round trips; buffers of at most 0.6 or at least "
        f"{fits:.3g} bandwidth-delay products."
    )
    return _Steady(
        min(b, 1.0),
        (1.0 - 1.0 / flows) * (1.0 - 1.0 / gain),
        1.0,
        min(1.0, _LEAST_WINDOW * flows * inputs.mtu / inputs.bdp),
        ("BDP·min(b, 1)", "(1 - 1/N)·(1 - 1/g), g = min(5/4, max(1, 2/(1+b)))", "1 outside ProbeRTT"),
        holds,
        valid=b <= 0.6 or b >= fits,
    )


def _second(inputs: BbrInputs) -> _Steady:
    flows = inputs.flows
    estimates = 5.0 * flows / (4.0 * flows + 1.0)
    queue = _CRUISING * estimates - 1.0
    # One flow that probes has 5/4 of its estimate in flight.
    needed = queue + (1.25 - _CRUISING) * estimates / flows
    if flows == 1 or not needed <= inputs.ratio <= _BOUNDED:
        raise Unsupported(
            "closed forms of BBR version 2 are known for two flows or more and buffers between "
            f"{needed:.3g} and {_BOUNDED:g} bandwidth-delay products",
            path="switch.buffer",
            given=inputs.buffer,
            engines=("fluid",),
        )
    return _Steady(
        queue,
        0.0,
        1.0,
        min(1.0, 0.5 * estimates),
        ("BDP·(17/16·5N/(4N+1) - 1)", "0", "1 outside ProbeRTT"),
        "Two flows or more of version 2 with equal round trips, in buffers that hold the queue and are no "
        f"deeper than {_BOUNDED:g} bandwidth-delay products.",
        valid=True,
    )


#: By version and whether the flow is alone.
_STEADY: dict[tuple[int, bool], Callable[[BbrInputs], _Steady]] = {
    (1, True): _first_alone,
    (1, False): _first,
    (2, True): _second,
    (2, False): _second,
}


def _steady(inputs: BbrInputs) -> _Steady:
    windows = 10.0 / (4.0 * inputs.flows + 1.0) * inputs.bdp / inputs.mtu
    if windows < _LEAST_WINDOW:
        raise Unsupported(
            f"windows of two bandwidth-delay products would be {windows:.2g} packets, below the minimum of "
            f"{_LEAST_WINDOW:g}: no closed form",
            path="traffic",
            engines=("fluid",),
        )
    return _STEADY[inputs.version, inputs.flows == 1](inputs)


def _missing(inputs: BbrInputs, steady: _Steady) -> float:
    """Share of the capacity that ProbeRTT leaves unused."""
    if steady.low is None or steady.low >= 1.0 or inputs.interval <= 0.0:
        return 0.0
    lasts = max(inputs.lasts, inputs.rtt * (1.0 + steady.queue))
    drained = steady.queue * inputs.rtt / (1.0 - steady.low)
    return max(0.0, lasts - drained) * (1.0 - steady.low) / (inputs.interval + lasts)


def _metrics(inputs: BbrInputs, steady: _Steady) -> dict[str, float]:
    used = steady.used - _missing(inputs, steady)
    return {
        "utilisation": used,
        "drop_rate": steady.loss,
        "throughput": used * inputs.capacity,
        "queue_mean": steady.queue * inputs.bdp,
    }


def evaluate(inputs: BbrInputs) -> TheoryAnswer:
    """Metrics of one buffer with their explanations. Raises Unsupported where no closed form is known."""
    steady = _steady(inputs)
    found = _metrics(inputs, steady)
    terms = (
        Term("BDP", "bandwidth-delay product", inputs.bdp, "B"),
        Term("b", "buffer over it", inputs.ratio, "1"),
        Term("N", "flows", float(inputs.flows), "1"),
    )
    queue, loss, used = steady.formulas
    explained = [
        Explanation(
            "utilisation",
            "Utilisation",
            f"{used}, less what ProbeRTT leaves unused",
            found["utilisation"],
            "1",
            _SOURCE,
            steady.holds,
            (*terms, Term("ProbeRTT", "share of the capacity it leaves unused", _missing(inputs, steady), "1")),
            steady.valid,
        ),
        Explanation("drop_rate", "Drop rate", loss, steady.loss, "1", _SOURCE, steady.holds, terms, steady.valid),
        Explanation(
            "queue_mean", "Mean queue", queue, found["queue_mean"], "B", _SOURCE, steady.holds, terms, steady.valid
        ),
        rules.bdp(inputs.capacity, inputs.rtt, inputs.flows, inputs.mtu),
        rules.law_dependent(inputs.capacity, inputs.rtt, "bbr", inputs.flows, packet=inputs.mtu),
    ]
    notes = [
        "Equilibria of BBR outside start-up; round trips are taken as equal.",
        "Flows that probe while others drain lose up to a fifth in shallow buffers, a little more than the form.",
    ]
    return TheoryAnswer(found, explained, notes)


def evaluate_many(inputs: BbrInputs, buffers: Sequence[float]) -> list[dict[str, float]]:
    """The metrics of :func:`evaluate` for many buffers [B], in their order, without explanations."""
    answers = []
    for buffer in buffers:
        one = replace(inputs, buffer=float(buffer))
        answers.append(_metrics(one, _steady(one)))
    return answers
