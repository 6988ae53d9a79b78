"""Scenarios of every kind, mixed and changed at random, are answered or refused in plain words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.api.scenarios import AXES, client_in, trial

#: Scenarios of every axis; ``npm run fuzz`` tries many more.
EXAMPLES = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client_in(tmp_path_factory.mktemp("server")) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("axis", sorted(AXES))
def test_every_kind_is_answered_or_refused(server: TestClient, axis: str) -> None:
    trial(server, axis, EXAMPLES)()
