"""Watchers of studies, and the end of them."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

from footroom_api.jobs import Feed, Watcher


class Interrupted(dict[str, set[Watcher]]):
    """Watchers of a feed; the signal to stop arrives just when one more is entered."""

    def setdefault(self, *given: Any) -> Any:
        signal.raise_signal(signal.SIGUSR1)
        return super().setdefault(*given)


def test_the_signal_to_stop_may_come_while_a_reader_is_entered() -> None:
    feed = Feed()
    feed._watchers = Interrupted()
    before = signal.signal(signal.SIGUSR1, lambda *_: feed.close())
    try:
        asyncio.run(read(feed))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert feed.closed
    assert feed._watchers == {}


async def read(feed: Feed) -> None:
    with feed.watch("study"):
        pass


def test_a_wake_up_from_another_thread_arrives() -> None:
    feed = Feed()

    async def wait() -> None:
        with feed.watch("study") as watcher:
            thread = threading.Thread(target=feed.wake, args=("study",))
            thread.start()
            await watcher.changed(3600.0)
            thread.join()

    asyncio.run(asyncio.wait_for(wait(), 300.0))


def test_who_has_gone_is_not_woken() -> None:
    left: list[Watcher] = []

    async def enter() -> None:
        left.append(Watcher())

    asyncio.run(enter())
    left[0].wake()  # its loop is closed
