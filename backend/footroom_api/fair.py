"""A queue in which clients take turns, so that nobody waits behind all that another has asked for."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """What waits, by client. The clients come one after the other, each with what it asked for first."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(own) for own in self._waiting.values())

    def count(self, client: str) -> int:
        """How much of one client waits."""
        return len(self._waiting.get(client, ()))

    def add(self, client: str, item: T) -> None:
        """Put ``item`` behind what else the client waits for."""
        self._waiting.setdefault(client, deque()).append(item)

    def take(self) -> T | None:
        """What comes next; its client comes last from now on."""
        if not self._waiting:
            return None
        client, own = self._waiting.popitem(last=False)
        item = own.popleft()
        if own:
            self._waiting[client] = own
        return item

    def take_last(self, client: str) -> T:
        """What ``client``, who has something waiting, asked for last."""
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
