"""``footroom run``: one scenario, one engine."""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from footroom.cli import engine_errors, show
from footroom.cli.completions_text import completions_text, queues_text
from footroom.cli.deadlock_text import deadlock_text
from footroom.cli.fabric_text import fabric_text, headroom_text
from footroom.cli.guard import Guard
from footroom.cli.inputs import document_of, one_engine
from footroom.cli.pauses_text import pauses_text
from footroom.cli.steps_text import steps_text
from footroom.cli.watchdog_text import watchdog_text
from footroom.result import METRICS, Result
from footroom.studies import Study, run
from footroom.studies.executors import check_executor


def command(chosen: argparse.Namespace) -> int:
    """Run it and print the result."""
    engine = one_engine(chosen.engine)
    check_executor(chosen.scheduler, "--scheduler")
    document, _ = document_of(chosen.scenario, chosen.settings)
    guard = Guard(chosen.workers, force=chosen.force)
    study = Study.of(document, None, [engine], chosen.replicas, chosen.scale, guard, chosen.budget)
    guard.tell()
    progress = show.Progress()
    try:
        sweep = run(study, executor=chosen.scheduler, workers=chosen.workers, on_progress=progress)
    finally:
        progress.clear()
    result = sweep.answered().points[0].result
    if chosen.json:
        show.print_json(result.to_dict())
    else:
        print(_text(result, chosen.settings))
    return 0


def _text(result: Result, settings: Sequence[str]) -> str:
    name = result.scenario.get("name") or "scenario"
    if settings:  # a preset's name may no longer say what was run
        name += f", with {', '.join(settings)}"
    runs = f", {result.replicas} replicas" if result.replicas > 1 else ""
    title = f"{name}: {result.engine}, seed {result.seed}{runs}, {result.wall_s:.2g} s of computing"
    rows = []
    for metric, value in result.metrics.items():
        ends = result.intervals.get(metric)
        interval = f"{show.metric(metric, ends[0])} to {show.metric(metric, ends[1])}" if ends else ""
        rows.append([metric, show.outside(show.metric(metric, value), metric, result), interval, METRICS[metric][1]])
    header = ["metric", "value", "95 % interval" if any(row[2] for row in rows) else "", "meaning"]
    parts = [title, "", show.table(rows, header, words=(0, 3)), *show.reasons([result])]
    parts += [
        f"{explanation.title}: {show.number(explanation.value, explanation.unit)} = {explanation.formula} "
        f"({explanation.source}){'' if explanation.valid else ' [outside its range of validity]'}"
        for explanation in result.explanations
    ]
    if len(result.groups) > 1:
        shares = [
            [
                group.path,
                group.name,
                str(group.flows),
                show.number(group.rate, "bit/s"),
                f"{group.share:.4g}",
                f"{group.even:.4g}",
            ]
            for group in result.groups
        ]
        header = ["traffic", "name", "flows", "rate of one", "share", "even share"]
        parts += ["", show.table(shares, header, words=(0, 1))]
    if completed := completions_text(result.completions or (), result.completions_by_size or ()):
        parts += ["", completed]
    if result.queue_distribution is not None and len(result.queue_distribution["queues"]) > 1:
        parts += ["", queues_text(result.queue_distribution)]
    if result.priority_groups is not None:
        parts += ["", pauses_text(result.priority_groups)]
    if result.headroom is not None:
        parts += ["", headroom_text(result.headroom)]
    if result.fabric is not None:
        parts += ["", fabric_text(result.fabric)]
    if result.deadlock is not None:
        parts += ["", deadlock_text(result.deadlock)]
    if result.watchdog:
        parts += ["", watchdog_text(result.watchdog)]
    if result.steps:
        parts += ["", steps_text(result.steps)]
    if result.series is not None:
        parts += ["", _windows(result.series)]
    parts.append(engine_errors.line(result.expected_error))
    return "\n".join(filter(None, [*parts, "\n".join(show.scaling(result.scaling)), show.notes(result.notes)]))


#: Ports shown of a series: those that lost most.
_PORTS = 8


def _windows(series: Mapping[str, Any]) -> str:
    """Which windows lost packets, and how full the port was in them."""
    rows = []
    ports = sorted(series["ports"].items(), key=lambda item: -sum(item[1]["dropped"]))
    for name, port in ports[:_PORTS]:
        lossy = [share for share, lost in zip(port["utilisation"], port["dropped"], strict=True) if lost]
        whole = math.fsum(port["utilisation"]) / max(len(port["utilisation"]), 1)
        rows.append(
            [
                name,
                show.metric("utilisation", whole),
                str(sum(port["dropped"])),
                f"{len(lossy)} of {len(port['utilisation'])}",
                show.metric("utilisation", statistics.median(lossy)) if lossy else "",
            ]
        )
    header = [
        "port",
        "utilisation",
        "dropped",
        f"windows of {show.number(series['window'], 's')} with drops",
        "utilisation in these, median",
    ]
    more = f"\n… and {len(ports) - _PORTS} more ports" if len(ports) > _PORTS else ""
    return show.table(rows, header, words=(0,)) + more
