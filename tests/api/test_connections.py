"""Connections that send nothing or come in crowds leave the server to everybody else."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from footroom_api.connections import Sparse, protocol
from footroom_api.serve import _bind, _Server

ASK = b"GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def answer(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def read_then_answer(scope: Any, receive: Any, send: Any) -> None:
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.request":
        await answer(scope, receive, send)


@asynccontextmanager
async def served(
    most: int,
    header_seconds: float,
    app: Any = answer,
    body_seconds: float = 0.2,
    served_by: list[uvicorn.Server] | None = None,
) -> AsyncIterator[int]:
    kind = protocol(most)
    kind.header_seconds, kind.body_seconds = header_seconds, body_seconds
    server = uvicorn.Server(uvicorn.Config(app, http=kind, log_level="warning", lifespan="off"))
    if served_by is not None:
        served_by.append(server)
    listener = _bind("127.0.0.1", 0)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def opened(port: int, first: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(first)
    return reader, writer


def test_half_a_header_is_not_waited_for() -> None:
    async def check() -> None:
        async with served(10, 0.2) as port:
            for first in (b"", b"GET /x HTTP/1.1\r\nHost: loc", ASK + b"GET /y HTT"):
                reader, writer = await opened(port, first)
                found = await asyncio.wait_for(reader.read(), 60)
                assert found.count(b"HTTP/1.1 408 ") == 1
                assert found.count(b"HTTP/1.1 200 ") == (first[:4] == ASK[:4] and first.count(b"GET") == 2)
                assert b"application/problem+json" in found
                writer.close()

    asyncio.run(check())


def test_a_body_that_comes_too_slowly_is_not_waited_for() -> None:
    begin = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n"

    async def check() -> None:
        async with served(10, 60.0, read_then_answer) as port:
            reader, writer = await opened(port, begin)
            answered = asyncio.create_task(reader.read())
            while not answered.done():  # a byte now and then does not help
                writer.write(b" ")
                await asyncio.sleep(0.05)
            found = await answered
            assert found.startswith(b"HTTP/1.1 408 ")
            assert b"application/problem+json" in found
            writer.close()
            reader, writer = await opened(port, begin + b" " * 4_000_000)
            await asyncio.sleep(0.3)  # beyond the time, but with bytes enough
            writer.write(b" " * 5_000_000)
            assert (await asyncio.wait_for(reader.readuntil(b"ok"), 60)).startswith(b"HTTP/1.1 200 ")
            writer.close()

    asyncio.run(check())


def slow(server: uvicorn.Server) -> list[Any]:
    """The timers of bodies that are waited for."""
    timers = [getattr(connection, "_slow", None) for connection in server.server_state.connections]
    return [timer for timer in timers if timer is not None]


async def watched(server: uvicorn.Server) -> None:
    """Wait until a body is waited for."""
    for _ in range(6000):
        if slow(server):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nobody waits for a body")


def test_the_time_of_a_body_ends_with_it() -> None:
    """Otherwise the next request on the connection would get what is left of it."""
    begin = b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"

    async def check() -> None:
        served_by: list[uvicorn.Server] = []
        async with served(10, 60.0, read_then_answer, 60.0, served_by) as port:
            reader, writer = await opened(port, begin)
            [server] = served_by
            await watched(server)
            for answers in (1, 2):
                writer.write(b"{}")
                await asyncio.wait_for(reader.readuntil(b"ok"), 60)
                assert not slow(server)
                if answers == 1:
                    writer.write(begin)
            writer.write(begin + b"{}" + begin)  # the next one waits behind it, and its body never comes
            await asyncio.wait_for(reader.readuntil(b"ok"), 60)
            await watched(server)
            writer.close()

    asyncio.run(check())


def test_too_many_connections_are_refused_and_the_others_are_served() -> None:
    async def check() -> None:
        async with served(3, 60.0) as port:
            idle = [await opened(port, b"") for _ in range(3)]
            await asyncio.sleep(0.05)
            reader, writer = await opened(port, ASK)
            refused = await asyncio.wait_for(reader.read(), 60)
            assert refused.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after: 10" in refused
            writer.close()
            reader, writer = idle.pop()
            writer.write(ASK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            assert (await asyncio.wait_for(reader.read(), 60)).endswith(b"ok")
            for _, writer in idle:
                writer.close()

    asyncio.run(check())


def test_a_flood_of_messages_is_thinned_out() -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, "socket.accept() out of system resource", (), None)
    other = logging.LogRecord("asyncio", logging.ERROR, "", 0, "something else", (), None)
    sparse = Sparse(3600.0)
    assert [sparse.filter(record) for _ in range(3)] == [True, False, False]
    assert sparse.filter(other)


def test_requests_that_were_sent_before_the_end_are_answered() -> None:
    async def check() -> None:
        server = _Server(uvicorn.Config(answer, http=protocol(100), log_level="warning", lifespan="off"))
        listener = _bind("127.0.0.1", 0)
        address = listener.getsockname()
        loop = asyncio.get_running_loop()
        running = asyncio.create_task(server.serve(sockets=[listener]))
        clients = [socket.create_connection(address) for _ in range(20)]
        for client in clients:
            client.setblocking(False)
            await loop.sock_sendall(client, ASK)
            assert (await loop.sock_recv(client, 1000)).startswith(b"HTTP/1.1 200")
        for client in clients:
            client.send(ASK)  # the server cannot read it before it is told to stop
        await server.shutdown()
        for client in clients:
            assert (await loop.sock_recv(client, 1000)).startswith(b"HTTP/1.1 200")
            client.close()
        server.should_exit = True
        await running

    asyncio.run(check())
