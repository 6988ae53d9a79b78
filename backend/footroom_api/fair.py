"""A queue in which clients take turns, so that none waits behind all requests of another."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Waiting items by client. Clients are served in turn, each with its oldest item."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(own) for own in self._waiting.values())

    def count(self, client: str) -> int:
        """Number of waiting items of one client."""
        return len(self._waiting.get(client, ()))

    def add(self, client: str, item: T) -> None:
        """Add ``item`` behind the client's other items."""
        self._waiting.setdefault(client, deque()).append(item)

    def take(self) -> T | None:
        """Remove and return the next item; its client comes last from now on."""
        if not self._waiting:
            return None
        client, own = self._waiting.popitem(last=False)
        item = own.popleft()
        if own:
            self._waiting[client] = own
        return item

    def take_last(self, client: str) -> T:
        """Remove and return the newest item of ``client``, who has at least one."""
        item = self._waiting[client].pop()
        if not self._waiting[client]:
            del self._waiting[client]
        return item

    def remove(self, client: str, item: T) -> None:
        """Take ``item`` out, if it still waits."""
        own = self._waiting.get(client)
        if own is not None and item in own:
            own.remove(item)
            if not own:
                del self._waiting[client]

    def longest(self) -> str:
        """The client with most waiting, of one or more."""
        return max(self._waiting, key=lambda client: len(self._waiting[client]))
