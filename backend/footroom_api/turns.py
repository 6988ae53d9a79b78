"""Who computes when: requests that may compute for long take turns, and each has a limited time.

They share a few places, so that health checks, files and short questions never wait for a thread behind them. A request
waits for its turn for a while, then hears that the server is busy. Its work ends when its time is over
(``footroom.base.deadline``), or when the client has gone.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import Request

from footroom.base.deadline import Deadline, within
from footroom_api.problems import ProblemError
from footroom_api.settings import Limits


class Turns:
    """The places of one kind of work. Lives in one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places = asyncio.Semaphore(limits.computing)
        self._waiting = 0

    @contextlib.asynccontextmanager
    async def take(self, request: Request) -> AsyncIterator[None]:
        """A turn for ``request``, whose body was read. Raises ProblemError (503) when there is none in time."""
        await self._wait()
        try:
            deadline = Deadline(self._limits.answer)
            watching = asyncio.create_task(_drop_when_gone(request, deadline))
            try:
                with within(deadline):
                    yield
            finally:
                watching.cancel()
        finally:
            self._places.release()

    async def _wait(self) -> None:
        if self._waiting >= self._limits.queue:
            raise _busy(f"{self._waiting} requests wait to be computed")
        self._waiting += 1
        try:
            await asyncio.wait_for(self._places.acquire(), self._limits.patience)
        except TimeoutError:
            raise _busy(f"other requests have been computing for {self._limits.patience:g} s") from None
        finally:
            self._waiting -= 1


async def _drop_when_gone(request: Request, deadline: Deadline) -> None:
    """Once a body was read, the next message is that the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    deadline.drop()


def _busy(why: str) -> ProblemError:
    return ProblemError(503, "busy", f"{why}; try again later", headers={"Retry-After": "10"})
