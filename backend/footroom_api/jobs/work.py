"""From a stored request to a running study."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from footroom import studies
from footroom.studies.claims import Claims
from footroom.studies.cost import cores
from footroom.studies.executors import LOCAL, Places
from footroom_api.jobs.scheduler import Work
from footroom_api.persistence import ResultStore


def study_runner(results: ResultStore, workers: int | None, scheduler: str = "local") -> Work:
    """Runs stored requests on ``workers`` cores, or by ``scheduler``, keeping every run in ``results``.

    Studies that run at a time share the cores.
    """
    places = Places(workers or cores()) if scheduler == LOCAL else None

    def work(
        request: dict[str, Any],
        *,
        client: str,
        stop: threading.Event,
        on_point: Callable[[int, dict[str, Any]], None],
        on_progress: Callable[[float, float | None], None],
        claims: Claims,
        known: frozenset[int],
        helping: bool,
    ) -> None:
        study = studies.Study.from_request(request)
        names = study.engines
        answered = {(number // len(names), names[number % len(names)]) for number in known}
        if helping:  # what takes no claims is left to the server that leads
            at_once = [name for name in names if not studies.engine_named(name).random]
            answered |= {(point.index, name) for point in study.points for name in at_once}
        some = bool(answered)

        def tell(position: int, point: dict[str, Any]) -> None:
            nonlocal some
            some = some or "result" in point
            on_point(position, point)

        with contextlib.ExitStack() as stack:
            executor = scheduler if places is None else stack.enter_context(contextlib.closing(places.enter(client)))
            sweep = studies.run(
                study,
                executor=executor,
                workers=workers,
                stop=stop,
                on_point=tell,
                on_progress=on_progress,
                cache=results,
                claims=claims,
                known=answered,
                collect=False,  # points are in the database; a study of thousands would fill the memory
            )
        if not some:
            sweep.answered()

    return work
