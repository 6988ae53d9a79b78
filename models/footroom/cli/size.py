"""``footroom size``: the smallest buffer that meets requirements."""

from __future__ import annotations

import argparse

from footroom.base.errors import Infeasible, InvalidInput
from footroom.cli import show
from footroom.cli.guard import Guard
from footroom.cli.inputs import document_of, one_engine
from footroom.scenario.axes import scalar
from footroom.studies import Study, engine_named, search

UNREACHABLE = 3


def command(chosen: argparse.Namespace) -> int:
    """Search and print what was found, also where no value is enough."""
    engine = one_engine(chosen.engine)
    document, _ = document_of(chosen.scenario, chosen.settings)
    between = None
    if chosen.between is not None:
        between = [scalar(end) for end in chosen.between.split(":")]
        if len(between) != 2:
            raise InvalidInput.at("--between", chosen.between, "write the lowest and the highest, such as 10kB:10MB")
    guard = Guard(chosen.workers, force=chosen.force)
    Study.of(document, None, [engine], chosen.replicas, admission=guard)
    guard.tell("each value tried: ")
    progress = show.Progress()
    tried: dict[float, bool] = {}
    done = False
    try:
        answer = search(
            document,
            chosen.require,
            path=chosen.path,
            engine=engine,
            between=between,
            tolerance=chosen.tolerance,
            replicas=chosen.replicas,
            workers=chosen.workers,
            on_progress=progress,
            admission=guard,
            on_value=tried.__setitem__,
        )
        done = True
    finally:
        progress.clear()
        if tried and not done:
            _print_part(chosen.path, tried)
    if chosen.json:
        show.print_json(answer.to_dict())
        if not answer.feasible:
            show.tell(f"cannot be reached: {answer.reason}")
        return 0 if answer.feasible else UNREACHABLE
    if answer.value is None or answer.interval is None:
        raise Infeasible(answer.reason)
    low, high = (show.at_text(answer.path, end) for end in answer.interval)
    decides = (
        f"decided by {answer.binding}" if answer.binding else ("the smallest value searched; no requirement limits it")
    )
    sure = (
        f"95 % interval {low} to {high}"
        if engine_named(answer.engine).random
        else (f"{low} is too little, {high} is enough")
    )
    print(
        f"{answer.path} = {show.at_text(answer.path, answer.value)} ({sure}; {decides}; {answer.engine}, "
        f"{len(answer.tried)} values in {answer.spent_s:.2g} s)"
    )
    if answer.notes:
        print(show.notes(answer.notes))
    return 0


def _print_part(path: str, tried: dict[float, bool]) -> None:
    """The values tried before the search was interrupted, and whether each meets the requirements."""
    print(show.table([[show.at_text(path, v), "yes" if tried[v] else "no"] for v in sorted(tried)], [path, "enough"]))
    show.tell(f"{len(tried)} values were tried before the search ended, and are shown")
