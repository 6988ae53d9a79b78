"""From a question to its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from footroom.calculators.emulator import series
from footroom.calculators.emulator import tables as at
from footroom.calculators.emulator.answer import EmulateAnswer
from footroom.calculators.emulator.arrivals import Arrivals
from footroom.calculators.emulator.capacity import absorbed, absorbed_when_repeated, most_packets, smallest_alpha
from footroom.calculators.emulator.closed import alpha_in_closed_form, closed_form, largest_queue, pool
from footroom.calculators.emulator.explain import explanations
from footroom.calculators.emulator.pattern import arrival_rate, synthetic
from footroom.calculators.emulator.question import Question
from footroom.calculators.emulator.replay import Outcome, run
from footroom.calculators.emulator.trace import read_trace
from footroom.calculators.pool.incast import exponent_for
from footroom.parts.sharing import Policy

if TYPE_CHECKING:
    from footroom.calculators.emulator.document import (
        AbsorbedBurst,
        BurstOutcome,
        ClosedForm,
        EmulateArrivals,
        PolicyOutcome,
        RepeatedBurst,
        SmallestAlpha,
    )

#: Ports of which totals are given.
_PORTS = 64
_SECOND = 1e-12


def emulate(question: Question | Mapping[str, Any] | None = None, /, **fields: Any) -> EmulateAnswer:
    """Sharing policies side by side on one stream of packets.

    question: a Question, or its fields as a mapping; ``fields`` override or complete them. Rates in bit/s, sizes in B,
    times in s, or text with units. Raises InvalidInput with the path of every field, or line of the trace, at fault.
    """
    if isinstance(question, Question):
        question = question.model_copy() if not fields else question.model_dump(exclude_unset=True)
    asked = question if isinstance(question, Question) else Question.parse({**(question or {}), **fields})
    arrivals = synthetic(asked) if asked.trace is None else _read(asked)
    end = max(run(policy, asked, arrivals).end for policy in asked.policies)
    return EmulateAnswer(
        question=asked,
        arrivals=_arrivals(asked, arrivals),
        time=series.times(asked.steps, end),
        policies=[
            _policy(policy, asked, arrivals, run(policy, asked, arrivals, asked.steps, end))
            for policy in asked.policies
        ],
        smallest_alpha=_alpha(asked, arrivals) if asked.capacity else None,
        notes=_notes(asked),
        explanations=explanations(asked),
    )


def _read(question: Question) -> Arrivals:
    assert question.trace is not None
    return read_trace(question.trace, question.ports)


def _arrivals(question: Question, arrivals: Arrivals) -> EmulateArrivals:
    incast = question.trace is None
    size = question.degree * question.size if question.degree is not None else None
    return {
        "source": "incast" if incast else "trace",
        "packets": len(arrivals.time),
        "bytes": int(arrivals.size.sum()),
        "flows": arrivals.flows,
        "bursts": len(arrivals.starts),
        "last": int(arrivals.time[-1]) * _SECOND,
        "burst_bytes": size,
        "rate": arrival_rate(question) if incast else None,
        "drain": question.rate,
    }


def _policy(policy: Policy, question: Question, arrivals: Arrivals, outcome: Outcome) -> PolicyOutcome:
    counts, bursts = outcome.counts, outcome.bursts
    total = counts.sum(axis=0)
    dropped = int(bursts[:, at.BURST_DROPPED].sum()) if len(bursts) else int(total[at.DROPPED])
    busy = np.flatnonzero(counts[:, at.OFFERED])
    ranked = sorted(busy.tolist(), key=lambda i: (-int(counts[i, at.DROPPED_BYTES]), -int(counts[i, at.PEAK]), i))
    shown = ranked if question.trace is not None else [0, *(port for port in ranked if port != 0)]
    return {
        "kind": policy.kind,
        "label": label(policy),
        "policy": policy.model_dump(mode="json"),
        "lossless": dropped == 0,
        "offered": {"packets": int(total[at.OFFERED]), "bytes": int(total[at.OFFERED_BYTES])},
        "admitted": {"packets": int(total[at.SENT]), "bytes": int(total[at.SENT_BYTES])},
        "dropped": {"packets": int(total[at.DROPPED]), "bytes": int(total[at.DROPPED_BYTES])},
        "drop_rate": float(total[at.DROPPED_BYTES] / total[at.OFFERED_BYTES]),
        "bursts": [_burst(int(start), row) for start, row in zip(arrivals.starts, bursts.tolist(), strict=True)],
        "peak_queue": int(counts[:, at.PEAK].max()),
        "peak_port": int(counts[:, at.PEAK].argmax()),
        "peak_memory": outcome.peak,
        "ports": [
            {
                "port": port,
                "offered_bytes": int(counts[port, at.OFFERED_BYTES]),
                "dropped_bytes": int(counts[port, at.DROPPED_BYTES]),
                "peak": int(counts[port, at.PEAK]),
            }
            for port in ranked[:_PORTS]
        ],
        "observed": policy.observe(outcome.scratch),
        "counts": {name: {"unit": unit, "title": title} for name, (unit, title) in policy.counts.items()},
        "absorbs": _absorbs(policy, question) if question.capacity and question.trace is None else None,
        "series": series.queues(outcome, shown),
        "memory": series.memory(outcome, int(pool(question))),
    }


def _burst(start: int, row: list[int]) -> BurstOutcome:
    lost = row[at.BURST_DROPPED]
    return {
        "start": start * _SECOND,
        "packets": row[at.BURST_PACKETS],
        "bytes": row[at.BURST_BYTES],
        "dropped_packets": lost,
        "dropped_bytes": row[at.BURST_DROPPED_BYTES],
        "first_drop": row[at.BURST_FIRST] * _SECOND if lost else None,
    }


def _absorbs(policy: Policy, question: Question) -> AbsorbedBurst:
    most = most_packets(question)
    unbounded = arrival_rate(question) <= question.rate
    found = None if most is None else absorbed(policy, question, synthetic(question, most, 1))
    closed = closed_form(policy, question)
    written: ClosedForm | None = None
    if closed is not None:
        written = {"bytes": closed.bytes, "queue": closed.queue, "formula": closed.formula}
    repeated: RepeatedBurst | None = None
    if most is not None and question.bursts > 1:
        size = absorbed_when_repeated(policy, question, most)
        repeated = None if size is None else {"bytes": size}
    return {
        "unbounded": unbounded,
        "bytes": None if found is None else found.bytes,
        "queue": None if found is None else found.queue,
        "time": None if found is None else found.time,
        "closed_form": written,
        "repeated": repeated,
    }


def _alpha(question: Question, arrivals: Arrivals) -> SmallestAlpha:
    found = smallest_alpha(question, arrivals)
    closed = alpha_in_closed_form(question) if question.trace is None else None
    return {
        "emulated": found.emulated,
        "closed_form": closed,
        "dynamic_th": None if found.emulated is None else exponent_for(found.emulated),
        "best_alpha": found.best,
        "best_dropped": found.dropped,
        "queue": largest_queue(question) if closed is not None and question.congested == 0 else None,
    }


def label(policy: Policy) -> str:
    """Kind and the parameters that are not the defaults, as a person tells policies apart."""
    usual = {name: field.default for name, field in type(policy).model_fields.items()}
    changed = [
        f"{name}={_short(value)}"
        for name, value in policy.model_dump(mode="json").items()
        if name != "kind" and value != usual[name]
    ]
    return " ".join([policy.kind, *changed])


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace(" ", "")


def _notes(question: Question) -> tuple[str, ...]:
    notes = []
    if question.trace is not None and "flow" not in question.trace.partition("\n")[0]:
        notes.append("the trace has no flows: all packets of a port count as one, which fab and abm judge by")
    if not question.plain and question.capacity:
        notes.append("closed forms count bytes of IP packets and are left out with frames or cells")
    if question.trace is None:
        arrival = arrival_rate(question)
        if arrival <= question.rate:
            notes.append("the incast arrives no faster than it leaves: its queue never grows")
        elif most_packets(question) is None:
            notes.append("the burst that a policy absorbs is too many packets to emulate; only closed forms are given")
        assert question.degree is not None
        if question.degree > question.ports - 1:
            notes.append(f"{question.degree} senders come in by {question.ports - 1} ports and take turns")
    return tuple(notes)
