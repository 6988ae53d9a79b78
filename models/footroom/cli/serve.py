"""``footroom serve``: the web page and the HTTP interface."""

from __future__ import annotations

import argparse

from footroom.errors import InvalidInput


def command(chosen: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if not 0 <= chosen.port <= 65535:
        raise InvalidInput.at("--port", chosen.port, "a port from 0 (any free one) to 65535 is needed")
    from footroom_api.serve import main

    main(host=chosen.host, port=chosen.port, database=chosen.database, scheduler=chosen.scheduler,
         allow_hosts=chosen.allow_host)
    return 0
