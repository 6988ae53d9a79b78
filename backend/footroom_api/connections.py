"""Limits of connections: how many there may be, and how long a client may take to send a request.

A process has a limited number of file descriptors. A client that opens connections and sends nothing would use them
all up: the server could then neither accept connections, nor open its database, nor read its files.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Connections at a time, where the system allows as many files.
MOST_CONNECTIONS = 4000
#: Files kept free for the database, the page, compiled code, and connections that are accepted to be refused.
RESERVE = 256
#: Connections that the system accepts before the server counts them: asyncio takes as many in one go.
BACKLOG = 64
#: Time to send a request's header in [s], from the opening of the connection or the end of the last request on.
HEADER_SECONDS = 15.0
#: Of a request's body, so much must arrive [bytes/s], on average over so long [s].
BODY_RATE, BODY_SECONDS = 5000.0, 30.0

_REFUSAL = json.dumps(
    {
        "type": "urn:footroom:problem:busy",
        "title": "The server has too many connections",
        "status": 503,
        "detail": "too many connections are open; try again later",
    },
    separators=(",", ":"),
).encode()


def _late(detail: str) -> bytes:
    document = {
        "type": "urn:footroom:problem:request-timeout",
        "title": "The request came too slowly",
        "status": 408,
        "detail": detail,
    }
    return json.dumps(document, separators=(",", ":")).encode()


_LATE = _late(f"the header of a request must arrive within {HEADER_SECONDS:g} s")
_SLOW = _late(f"the body of a request must arrive with {BODY_RATE:g} bytes/s, on average over {BODY_SECONDS:g} s")


def most_connections() -> int:
    """How many connections this process can serve, after raising its limit of open files as far as it may."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + RESERVE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    free = wanted if soft == resource.RLIM_INFINITY else soft
    return max(16, min(MOST_CONNECTIONS, free - RESERVE))


class LimitedProtocol(H11Protocol):
    """Uvicorn's protocol, with a limit of connections, a time limit for headers and a least rate of bodies."""

    most = MOST_CONNECTIONS
    header_seconds, body_seconds = HEADER_SECONDS, BODY_SECONDS
    _late: asyncio.TimerHandle | None = None
    _slow: asyncio.TimerHandle | None = None
    _received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._end(b"503 Service Unavailable", _REFUSAL, b"retry-after: 10\r\n")
        else:
            self._wait_for_header()

    def connection_lost(self, exc: Exception | None) -> None:
        self._header_arrived()
        self._body_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._received += len(data)
        if self._answering():
            self._header_arrived()
            self._watch_body()
        else:
            self._wait_for_header()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._body_arrived()
        if self.transport.is_closing():
            return
        if self._answering():  # the next request had arrived already, in part or as a whole
            self._watch_body()
        else:
            self._wait_for_header()

    def _answering(self) -> bool:
        """Whether a request has arrived whose answer is not complete."""
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait_for_header(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.header_seconds, self._too_late)

    def _header_arrived(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        self._late = None
        if not self._answering():
            self._end(b"408 Request Timeout", _LATE)

    def _watch_body(self) -> None:
        if not (self._answering() and self.cycle.more_body):
            self._body_arrived()
        elif self._slow is None:
            self._received = 0
            self._slow = self.loop.call_later(self.body_seconds, self._check_body)

    def _body_arrived(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None

    def _check_body(self) -> None:
        self._slow = None
        if self.flow.read_paused or self._received >= BODY_RATE * self.body_seconds:  # paused: we do not read
            self._watch_body()
        elif self.cycle.response_started:
            self.transport.close()
        else:
            self._end(b"408 Request Timeout", _SLOW)

    def _end(self, status: bytes, body: bytes, more: bytes = b"") -> None:
        if not self.transport.is_closing():
            length = str(len(body)).encode()
            self.transport.write(
                b"HTTP/1.1 "
                + status
                + b"\r\ncontent-type: application/problem+json\r\ncontent-length: "
                + length
                + b"\r\nconnection: close\r\n"
                + more
                + b"\r\n"
                + body
            )
            self.transport.close()


def protocol(most: int) -> type[LimitedProtocol]:
    """The protocol with a limit of ``most`` connections."""
    return type("_Protocol", (LimitedProtocol,), {"most": most})


class Sparse(logging.Filter):
    """Lets a message of asyncio's through once in a while.

    Where file descriptors still run out, asyncio logs every connection that it cannot accept: 100 MB in seconds.
    """

    def __init__(self, seconds: float = 10.0) -> None:
        super().__init__()
        self._seconds, self._next = seconds, 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        if "out of system resource" not in record.getMessage():
            return True
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._seconds
        record.exc_info = None
        return True
