"""``footroom sweep``: many points, several engines."""

from __future__ import annotations

import argparse
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.cli import show
from footroom.cli.guard import Guard
from footroom.cli.inputs import assignment, document_of, writable
from footroom.cli.table_file import TableFile
from footroom.scenario import lookup
from footroom.studies import Study, Sweep, run
from footroom.studies.choice import AUTO
from footroom.studies.engines import engine_named, engine_names
from footroom.studies.executors import check_executor
from footroom.studies.journal import Journal

_COLUMNS = ("utilisation", "drop_rate", "queue_mean", "queue_p99", "fct_p99", "transfer_p50", "transfer_p99")


def command(chosen: argparse.Namespace) -> int:
    """Run the sweep and print its points."""
    document, preset = document_of(chosen.scenario, chosen.settings)
    over: dict[str, Any] = {}
    for written in chosen.over:
        path, values = assignment(written, "--over", "switch.buffer=25kB:2.5MB:log9")
        if path in over:
            raise InvalidInput.at("--over", written, f"{path} is given twice; join its values by commas")
        over[path] = values
    if not over:
        over = dict(preset.over) if preset else {}
    if not over:
        raise InvalidInput.at("--over", None, "name at least one axis, such as switch.buffer=25kB:2.5MB:log9")
    default = preset.engines if preset else "theory,fluid,packet"
    engines = default if chosen.engine is None else chosen.engine
    words = engines.split(",") if isinstance(engines, str) else engines
    if AUTO not in words:
        engine_names(words, "--engine")
    check_executor(chosen.scheduler, "--scheduler")
    guard = Guard(chosen.workers, force=chosen.force)
    study = Study.of(document, over, engines, chosen.replicas, chosen.scale, guard, chosen.budget)
    target = writable(chosen.csv)
    guard.tell()
    _print(_run(study, chosen, None if target is None else TableFile(target)).answered(), chosen)
    return 0


def _print(sweep: Sweep, chosen: argparse.Namespace) -> None:
    if chosen.json:
        show.print_json(sweep.to_dict())
    else:
        print(_text(sweep))


def _print_part(sweep: Sweep, chosen: argparse.Namespace) -> None:
    """What was finished when the sweep was interrupted."""
    if sweep.points:
        _print(sweep, chosen)
        asked = len(sweep.study.points) * len(sweep.study.engines)
        show.tell(f"{len(sweep.points)} of {asked} points were finished and are shown")


def _run(study: Study, chosen: argparse.Namespace, table: TableFile | None) -> Sweep:
    """Run the study; runs that an earlier, interrupted one finished are taken from its journal."""
    journal = Journal.of(study.id) if any(engine_named(name).random for name in study.engines) else None
    if journal is not None and journal.found:
        show.tell(f"{journal.found} runs were finished before the interruption and are not repeated")
    progress = show.Progress()
    done = False
    finished: list[Sweep] = []
    try:
        sweep = run(
            study,
            executor=chosen.scheduler,
            workers=chosen.workers,
            on_progress=progress,
            on_point=table,
            cache=journal,
            on_stop=finished.append,
        )
        done = True
    finally:
        progress.clear()
        if finished:
            _print_part(finished[0], chosen)
        points = None if table is None else table.write()
        if journal is not None and (done or len(journal) == 0):
            journal.discard()
        elif journal is not None:
            journal.close()
            kept = "1 finished run is" if len(journal) == 1 else f"{len(journal)} finished runs are"
            show.tell(f"{kept} kept: the same command goes on from there")
        if points is not None and not done:
            show.tell(f"{points} finished points are in the CSV file")
    return sweep


def _text(sweep: Sweep) -> str:
    paths = [path for path, _ in sweep.study.axes]
    present = [name for name in _COLUMNS if any(name in point.result.metrics for point in sweep.points)]
    scaled = sweep.study.scale is not None
    rows = []
    for point in sweep.points:
        metrics = point.result.metrics
        ran = [show.at_text(path, lookup(point.result.scenario, path)) for path in paths] if scaled else []
        rows.append(
            [
                *(show.at_text(path, point.at[path]) for path in paths),
                *ran,
                point.result.engine,
                *(
                    show.outside(show.metric(name, metrics[name]), name, point.result) if name in metrics else ""
                    for name in present
                ),
            ]
        )
    ran_at = [f"{path} scaled" for path in paths] if scaled else []
    first = sweep.points[0].result.scaling if sweep.points else None
    parts = [
        show.table(rows, [*paths, *ran_at, "engine", *present]),
        *show.reasons([point.result for point in sweep.points]),
        "\n".join([*show.scaling(first), "(of the first point)"]) if first else "",
        show.notes([note for point in sweep.points for note in point.result.notes]),
    ]
    parts += [
        f"{refusal.engine} cannot answer: {refusal.message}"
        for refusal in {(r.engine, r.message): r for r in sweep.unsupported}.values()
    ]
    return "\n".join(filter(None, parts))
