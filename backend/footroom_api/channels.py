"""What all watchers of a study share: one reader asks the database, however many watch.

A channel exists while a study is watched. Its reader looks at the database when something is new and keeps the last
points, ready to be sent. A watcher that begins earlier reads the older points itself, a few watchers at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError

from footroom_api.persistence import StoredPoint, StoredStudy
from footroom_api.services import Services

_LOG = logging.getLogger("footroom_api")
#: Points read from the store at a time, so that a large study never lies in memory as a whole.
BATCH = 50
#: Bytes of points that are kept for watchers.
_KEPT = 8_000_000
#: Seconds after which the store is read even without a wake-up: another process may run the study.
_LOOK_EVERY = 2.0
#: Watchers notified at a time, and the pause before the next [s]: other requests are answered in between. With many
#: watchers, each is notified less often.
_TOLD, _PAUSE = 20, 0.04
#: Watchers that may read older points at a time: others need the threads too.
_READERS = 4


@dataclass(frozen=True)
class Ready:
    """A point as it is sent. event: "point" or "unsupported"."""

    sequence: int
    event: str
    text: str


def ready(point: StoredPoint) -> Ready:
    """``point`` written as JSON once for all who watch."""
    event = "point" if "result" in point.body else "unsupported"
    return Ready(point.sequence, event, json.dumps(point.body, separators=(",", ":"), allow_nan=False))


def _look(shared: Services, study: str, after: int) -> tuple[StoredStudy | None, list[Ready]]:
    # The status first: a study that is done by then has all its points in the second answer.
    found = shared.study(study)
    return found, [ready(point) for point in shared.studies.arrived(study, after, BATCH)]


class Channel:
    """One study that is watched. Lives in one event loop.

    study: as it stood at the last look; none before the first, or once it is gone.  over: no more will come.
    """

    def __init__(self, shared: Services, id_: str) -> None:
        self._shared, self._id = shared, id_
        self._kept: deque[Ready] = deque()
        self._bytes = 0
        self.watchers: list[asyncio.Event] = []
        self.since = self.last = 0  # sequence numbers: points after the first are kept, up to the second
        self.study: StoredStudy | None = None
        self.over = False
        self.reader: asyncio.Task[None] | None = None

    def after(self, sequence: int) -> list[Ready] | None:
        """Points after a sequence number; none where older ones than those kept are asked for."""
        if sequence < self.since:
            return None
        return [point for point in self._kept if point.sequence > sequence]

    async def read(self) -> None:
        """Look at the store until the study ends or the server does."""
        try:
            self.since = self.last = await run_in_threadpool(self._shared.studies.last_sequence, self._id)
            with self._shared.feed.watch(self._id) as watcher:
                while not (self.over or self._shared.feed.closed):
                    found, points = await run_in_threadpool(_look, self._shared, self._id, self.last)
                    self._keep(points)
                    self.study = found
                    self.over = found is None or (found.final and len(points) < BATCH)
                    await self._tell()
                    if len(points) < BATCH and not self.over:
                        await watcher.changed(_LOOK_EVERY)
        except SQLAlchemyError as error:
            _LOG.error("streams of study %s end: %s", self._id, type(error).__name__)
        finally:
            self.over = True
            for news in self.watchers:
                news.set()

    def _keep(self, points: list[Ready]) -> None:
        for point in points:
            self._kept.append(point)
            self._bytes += len(point.text)
            self.last = point.sequence
        while self._bytes > _KEPT and len(self._kept) > 1:
            gone = self._kept.popleft()
            self._bytes -= len(gone.text)
            self.since = gone.sequence

    async def _tell(self) -> None:
        told = list(self.watchers)
        for first in range(0, len(told), _TOLD):
            for news in told[first : first + _TOLD]:
                news.set()
            await asyncio.sleep(_PAUSE)


class Channels:
    """All studies that are watched. Lives in one event loop."""

    def __init__(self, shared: Services) -> None:
        self._shared = shared
        self._open: dict[str, Channel] = {}
        self._places = asyncio.Semaphore(_READERS)

    @contextlib.asynccontextmanager
    async def join(self, study: str) -> AsyncIterator[tuple[Channel, asyncio.Event]]:
        """The channel of ``study``, and what is set when something is new, for the time of an ``async with`` block."""
        channel = self._open.get(study)
        if channel is None or channel.over:
            channel = self._open[study] = Channel(self._shared, study)
            channel.reader = asyncio.create_task(channel.read())
        news = asyncio.Event()
        channel.watchers.append(news)
        try:
            yield channel, news
        finally:
            channel.watchers.remove(news)
            if not channel.watchers:
                if self._open.get(study) is channel:
                    del self._open[study]
                await _end(channel.reader)

    async def older(self, study: str, after: int) -> list[Ready]:
        """A batch of points after a sequence number, from the store."""
        async with self._places:
            points = await run_in_threadpool(self._shared.studies.arrived, study, after, BATCH)
            return await run_in_threadpool(lambda: [ready(point) for point in points])


async def _end(task: asyncio.Task[Any] | None) -> None:
    if task is not None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
