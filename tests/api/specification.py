"""Requests made from the API's description of itself, and what must hold of every answer.

``python -m tests.api.specification SECONDS SEED`` goes on for that long, over every operation, and prints the request
that breaks a rule.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from footroom_api.app import create_app
from footroom_api.settings import Limits, Settings

_CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def trial(app: FastAPI, name: str, examples: int, number: int | None = None) -> Callable[[], None]:
    """A test of ``examples`` requests to the operation ``name`` of a started application; number: of the random
    sequence."""
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)

    @given(case=schema.find_operation_by_id(name).as_strategy())
    def keeps(case: Any) -> None:
        # The first question to an engine may have to wait for the compiler.
        case.call_and_validate(timeout=600, checks=_CHECKS)

    here = settings(max_examples=examples, suppress_health_check=list(HealthCheck), deadline=None)
    if number is not None:
        here = settings(here, phases=(Phase.generate,), database=None)
        keeps = seed(number)(keeps)
    found: Callable[[], None] = here(keeps)
    return found


def main(seconds: float, number: int) -> None:
    """Go on until the time is over."""
    over, rounds, asked = time.monotonic() + seconds, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        given_ = Settings(
            database=str(place / "x.db"),
            warm=False,
            frontend=place,
            workers=1,
            allow_hosts=("testserver",),
            limits=Limits(answer=2.0, seconds=5.0),
        )
        app = create_app(given_)
        names = [operation["operationId"] for path in app.openapi()["paths"].values() for operation in path.values()]
        with TestClient(app):
            while time.monotonic() < over:
                for name in names:
                    if time.monotonic() < over:
                        trial(app, name, 20, number + rounds)()
                        asked += 1
                rounds += 1
                sys.stdout.write(f"{20 * asked} requests to {min(asked, len(names))} of {len(names)} operations\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
