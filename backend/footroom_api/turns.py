"""Turns: requests that may compute for long take turns, and each has a limited time.

They share a few places, so that health checks, files and short questions never wait for a thread behind them. A request
waits for its turn for a while, then is refused because the server is busy. Clients are served in turn, and where too
many requests wait, the last one of the client with most of them is refused. A request's work ends when its time is over
(``footroom.base.deadline``), or when the client has gone.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import Request

from footroom.base.deadline import Deadline, within
from footroom_api.clients import client_of
from footroom_api.fair import FairQueue
from footroom_api.problems import ProblemError
from footroom_api.settings import Limits


class Turns:
    """The places of one kind of work. Lives in one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._free = limits.computing
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    @contextlib.asynccontextmanager
    async def take(self, request: Request) -> AsyncIterator[None]:
        """A turn for ``request``, whose body was read. Raises ProblemError (503) when there is none in time."""
        await self._wait(client_of(request))
        try:
            deadline = Deadline(self._limits.answer)
            watching = asyncio.create_task(_drop_when_gone(request, deadline))
            try:
                with within(deadline):
                    yield
            finally:
                watching.cancel()
        finally:
            self._give_back()

    async def _wait(self, client: str) -> None:
        if self._free:
            self._free -= 1
            return
        self._make_room(client)
        place = asyncio.get_running_loop().create_future()
        self._waiting.add(client, place)
        try:
            await asyncio.wait_for(place, self._limits.patience)
        except TimeoutError:
            raise _busy(f"other requests have been computing for {self._limits.patience:g} s") from None
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self._give_back()  # its turn came as it was given up
            raise
        finally:
            self._waiting.remove(client, place)

    def _make_room(self, client: str) -> None:
        """Refuse the last request of the client with most, where too many wait."""
        if len(self._waiting) < self._limits.queue:
            return
        why = _busy(f"{len(self._waiting)} requests wait to be computed")
        most = self._waiting.longest() if self._waiting else client
        if self._waiting.count(most) <= self._waiting.count(client) + 1:
            raise why
        last = self._waiting.take_last(most)
        if not last.done():
            last.set_exception(why)

    def _give_back(self) -> None:
        place = self._waiting.take()
        while place is not None and place.done():  # given up in this very step; it has not left the queue yet
            place = self._waiting.take()
        if place is None:
            self._free += 1
        else:
            place.set_result(None)


async def _drop_when_gone(request: Request, deadline: Deadline) -> None:
    """Once a body was read, the next message is that the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    deadline.drop()


def _busy(why: str) -> ProblemError:
    return ProblemError(503, "busy", f"{why}; try again later", headers={"Retry-After": "10"})
