"""``footroom ecn``: marking thresholds that hold utilisation and queue within bounds and stay stable."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from footroom.cli import fields, show
from footroom.ecn.question import EcnQuestion

if TYPE_CHECKING:
    from footroom.ecn.advice import Judged

UNREACHABLE = 3


def options(parser: argparse.ArgumentParser) -> None:
    """One option per field of the question."""
    fields.add(parser, EcnQuestion)


def command(chosen: argparse.Namespace) -> int:
    """Search, and judge what is shipped beside what was found."""
    from footroom.ecn.advice import advise

    found = advise(fields.read(chosen, EcnQuestion))
    status = 0 if found.advice is not None else UNREACHABLE
    if chosen.json:
        show.print_json(found.to_dict())
    else:
        rows = [_row(one) for one in [*([] if found.advice is None else [found.advice]), *found.defaults]]
        print(show.table(rows, ("", "Kmin", "Kmax", "Pmax", "queue", "queue range", "utilisation", "margin", "verdict"),
                         words=(0, 8)))
        for one in found.explanations:
            print(f"{one.title}: {show.number(one.value, one.unit)}, from {one.formula}")
        print(show.notes(found.notes))
    if found.advice is None:
        show.tell(f"cannot be reached: {found.reason}")
    return status


def _row(one: Judged) -> tuple[str, ...]:
    bounds = one.thresholds
    swing = (f"{show.number(one.over_time.queue_least, 'B')} .. {show.number(one.over_time.queue_greatest, 'B')}"
             if not one.stable else "")
    return (one.name, show.number(bounds.kmin, "B"), show.number(bounds.kmax, "B"), f"{bounds.pmax:g}",
            show.number(one.queue if one.queue is not None and one.stable else one.over_time.queue_mean, "B"), swing,
            show.metric("utilisation", one.over_time.utilisation),
            "" if one.phase_margin is None else f"{one.phase_margin:.1f}°",
            "meets" if one.meets else "; ".join(one.reasons))
