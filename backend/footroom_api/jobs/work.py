"""From a stored request to a running study."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from footroom import studies
from footroom_api.jobs.scheduler import Work
from footroom_api.persistence import ResultStore


def study_runner(results: ResultStore, workers: int | None) -> Work:
    """Runs stored requests on ``workers`` cores, keeping every run's result in ``results``."""

    def work(request: dict[str, Any], *, stop: threading.Event, on_point: Callable[[dict[str, Any]], None],
             on_progress: Callable[[float, float | None], None]) -> None:
        studies.run(studies.Study.from_request(request), workers=workers, stop=stop, on_point=on_point, on_progress=on_progress,
                    cache=results)

    return work
