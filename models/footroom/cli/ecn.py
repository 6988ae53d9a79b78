"""``footroom ecn``: marking thresholds that keep utilisation and queue within limits and stay stable."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from footroom.calculators.ecn.question import EcnQuestion
from footroom.cli import fields, show

if TYPE_CHECKING:
    from footroom.calculators.ecn.advice import Judged

UNREACHABLE = 3


def options(parser: argparse.ArgumentParser) -> None:
    """One option per field of the question."""
    fields.add(parser, EcnQuestion)


def command(chosen: argparse.Namespace) -> int:
    """Search, and judge shipped thresholds beside those found."""
    from footroom.calculators.ecn.advice import advise

    found = advise(fields.read(chosen, EcnQuestion))
    status = 0 if found.advice is not None else UNREACHABLE
    if chosen.json:
        show.print_json(found.to_dict())
    else:
        judged = [*([] if found.advice is None else [found.advice]), *found.defaults]
        rows = [_row(one, found.valid_from) for one in judged]
        print(
            show.table(
                rows,
                ("", "Kmin", "Kmax", "Pmax", "queue", "queue range", "utilisation", "margin", "verdict"),
                words=(0, 8),
            )
        )
        for one in found.explanations:
            print(f"{one.title}: {show.number(one.value, one.unit)}, from {one.formula}")
        if any(one.thresholds.kmin < found.valid_from for one in judged):
            print(f"! marking begins below {show.number(found.valid_from, 'B')}: outside the validity of the fluid")
        print(show.notes(found.notes))
    if found.advice is None:
        show.tell(f"cannot be reached: {found.reason}")
    return status


def _row(one: Judged, valid_from: float) -> tuple[str, ...]:
    bounds = one.thresholds
    extremes = (
        f"{show.number(one.over_time.queue_least, 'B')} .. {show.number(one.over_time.queue_greatest, 'B')}"
        if not one.stable
        else ""
    )
    kmin = f"{'! ' if bounds.kmin < valid_from else ''}{show.number(bounds.kmin, 'B')}"
    return (
        one.name,
        kmin,
        show.number(bounds.kmax, "B"),
        f"{bounds.pmax:g}",
        show.number(one.queue if one.queue is not None and one.stable else one.over_time.queue_mean, "B"),
        extremes,
        show.metric("utilisation", one.over_time.utilisation),
        "" if one.phase_margin is None else f"{one.phase_margin:.1f}°",
        "meets" if one.meets else "; ".join(one.reasons),
    )
