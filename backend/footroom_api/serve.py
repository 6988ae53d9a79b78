"""Starting the server."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from types import FrameType

import uvicorn

from footroom.base.errors import InvalidInput
from footroom_api.app import create_app
from footroom_api.connections import BACKLOG, Sparse, most_connections, protocol
from footroom_api.metrics import ACCESS
from footroom_api.persistence import open_database
from footroom_api.services import services_of
from footroom_api.settings import from_environment

#: Time for which a stopping server still reads requests sent before [s].
_LAST_READ = 0.1
#: Number of ports tried for a free one.
_PORTS_TRIED = 100


class _Server(uvicorn.Server):
    """Says where it is once it answers, and ends event streams when it is told to stop: they would keep it waiting."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            address = sockets[0].getsockname()
            host = f"[{address[0]}]" if ":" in address[0] else address[0]
            sys.stdout.write(f"Footroom is at http://{host}:{address[1]}/\n")
            sys.stdout.flush()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A connection that is closed with a request unread is reset: first read what has been sent.
        await asyncio.sleep(_LAST_READ)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.started:
            services_of(self.config.app).feed.close()
        super().handle_exit(sig, frame)


def _bind(host: str, port: int) -> socket.socket:
    """A listening socket: a taken port gives one clear sentence, and port 0 a known port. Raises InvalidInput."""
    if not 0 <= port <= 65535:  # the resolver would take it modulo 65536
        raise InvalidInput.at("port", port, "must be from 0 (any that is free) to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        # Two servers may bind one port before either listens; the second would fail only much later.
        listener.listen(BACKLOG)
    except OSError as error:
        raise InvalidInput.at("port", f"{host}:{port}", f"cannot be listened on: {error}") from None
    listener.set_inheritable(True)
    return listener


def _bind_first_free(host: str, port: int) -> socket.socket:
    """A listening socket on the first free port from ``port`` on. Raises InvalidInput."""
    for candidate in range(port, min(port + _PORTS_TRIED, 65535)):
        with contextlib.suppress(InvalidInput):
            return _bind(host, candidate)
    return _bind(host, port)


def _own_names(host: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Names that the server answers to: those allowed, and the one it listens on where that is a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return (*allowed, host) if host else tuple(allowed)
    return tuple(allowed)


def _log_access(place: str) -> None:
    """One line of JSON a request, to a file or, for "-", standard error. Raises InvalidInput."""
    try:
        handler = logging.StreamHandler() if place == "-" else logging.FileHandler(place, encoding="utf-8")
    except OSError as error:
        raise InvalidInput.at("FOOTROOM_ACCESS_LOG", place, f"cannot be written: {error.strerror}") from None
    handler.setFormatter(logging.Formatter("%(message)s"))
    ACCESS.addHandler(handler)
    ACCESS.setLevel(logging.INFO)
    ACCESS.propagate = False


def _is_local(address: str) -> bool:
    """Whether only this machine reaches ``address``."""
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def main(
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    scheduler: str | None = None,
    allow_hosts: Sequence[str] = (),
    *,
    first_free: bool = False,
) -> None:
    """Serve the API and the page until told to stop. ``database``: path of an SQLite file or URL.

    first_free: where ``port`` is taken, take the next free one.  allow_hosts: names that the server may be called by,
    beside ``host``, localhost and IP addresses.
    Raises InvalidInput for a database, a name or an address that cannot be used.
    """
    settings = from_environment(database=database, scheduler=scheduler)
    settings = replace(settings, allow_hosts=_own_names(host, (*settings.allow_hosts, *allow_hosts)))
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    app = create_app(settings)
    # Inside the server a database that cannot be opened would end in a traceback.
    open_database(settings.database).dispose()
    listener = _bind_first_free(host, port) if first_free else _bind(host, port)
    if settings.access_log:
        _log_access(settings.access_log)
    if not settings.token and not _is_local(listener.getsockname()[0]):
        sys.stderr.write(
            f"footroom: warning: listening on {host}, which other machines may reach. There is no log-in: whoever "
            "reaches this port can start and stop studies. Set FOOTROOM_TOKEN to ask for a token. See "
            "docs/serving.md\n"
        )
    logging.getLogger("asyncio").addFilter(Sparse())
    config = uvicorn.Config(
        app,
        log_level="warning",
        timeout_graceful_shutdown=5,
        server_header=False,
        http=protocol(most_connections()),
        backlog=BACKLOG,
    )
    _Server(config).run(sockets=[listener])
