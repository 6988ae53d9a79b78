"""``footroom serve``: the web page and the HTTP interface."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from footroom.base.errors import InvalidInput, Unsupported


def command(chosen: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if not 0 <= chosen.port <= 65535:
        raise InvalidInput.at("--port", chosen.port, "a port from 0 (any free one) to 65535 is needed")
    missing = [name for name in ("alembic", "fastapi", "sqlalchemy", "uvicorn", "zstandard") if find_spec(name) is None]
    if missing:
        raise Unsupported(f"the server needs {', '.join(missing)}: pip install 'footroom[server]'", path="serve")
    from footroom_api.serve import main

    main(
        host=chosen.host,
        port=chosen.port,
        database=chosen.database,
        scheduler=chosen.scheduler,
        allow_hosts=chosen.allow_host,
        first_free=chosen.first_free,
    )
    return 0
