"""Random scenarios of every kind sent to the API, and what must hold whatever they are.

``python -m tests.api.scenarios SECONDS SEED`` goes on for that long and prints the scenario that breaks a rule.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.components.fields import beyond, document_with, numeric_fields, put, within

from footroom.base.errors import FootroomError
from footroom.scenario import Scenario
from footroom.scenario.kinds import REGISTRIES
from footroom_api.app import create_app
from footroom_api.persistence.studies import FINAL
from footroom_api.settings import Limits, Settings

AXES = {registry.axis: registry for registry in REGISTRIES}
#: A study may be run where it is expected to take less [packet-hops, hosts and the like].
_SMALL = {"packet_hops": 2e5, "parts": 2e4, "memory": 5e8}
_PATIENCE = 300


@st.composite
def documents(draw: st.DrawFn, axis: str) -> dict[str, Any]:
    """A small scenario with a part of any kind of ``axis``, parts of others, and up to three fields changed."""
    document = document_with(AXES[axis], draw(st.sampled_from(list(AXES[axis]))))
    for other in draw(st.lists(st.sampled_from(sorted(AXES)), max_size=2, unique=True)):
        document = _mixed(document, document_with(AXES[other], draw(st.sampled_from(list(AXES[other])))))
    try:
        fields = list(numeric_fields(Scenario.parse(document)))
    except FootroomError:
        return document  # such a mixture may not be; the API has to say so
    for path, field in draw(st.lists(st.sampled_from(fields), max_size=3, unique_by=lambda one: one[0])):
        values = within(field) if draw(st.integers(0, 3)) else beyond(field)
        try:
            document = put(document, path, draw(st.sampled_from(values)))
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # a default that is not written down
    return document


def _mixed(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """``one`` with the parts that ``other`` has changed in the small scenario."""
    plain = document_with(AXES["sharing"], next(iter(AXES["sharing"])))
    changed = {key: value for key, value in other.items() if value != plain.get(key)}
    if "switch" in changed:
        changed["switch"] = {**one["switch"], **changed["switch"]}
    return {**one, **changed}


def _strict(text: str) -> Any:
    def refuse(constant: str) -> Any:
        raise AssertionError(f"{constant} in an answer")

    return json.loads(text, parse_constant=refuse)


def check(client: TestClient, document: dict[str, Any], *, simulate: bool = True) -> None:
    """Ask all that takes a scenario. Raises AssertionError with the scenario where a rule is broken."""
    said = json.dumps(document)

    def ask(path: str, **more: Any) -> tuple[int, Any]:
        body = json.dumps({"scenario": document, **more})
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        found = _strict(answer.text)
        assert answer.status_code in (200, 202, 400, 422), f"{path} {answer.status_code} {answer.text[:300]}: {said}"
        if answer.status_code == 422:
            assert found["errors"] or "limits" in found["detail"] or found["detail"], f"{path} {found}: {said}"
            assert all(error["message"] for error in found["errors"]), f"{path} {found}: {said}"
        return answer.status_code, found

    ask("estimates")
    ask("memory")
    status, cost = ask("studies/cost", engines=["packet"], replicas=1)
    if not simulate or status != 200 or any(cost[name] > most for name, most in _SMALL.items()):
        return
    _, study = ask("studies", engines=["packet"], replicas=1)
    patience = time.monotonic() + _PATIENCE
    while (found := _strict(client.get(f"studies/{study['id']}").text))["status"] not in FINAL:
        assert time.monotonic() < patience, f"still {found['status']}: {said}"
        time.sleep(0.005)
    assert found["status"] != "failed" or found["error"]["status"] != 500, f"{found['error']}: {said}"
    _strict(client.get(f"studies/{study['id']}/results").text)


def client_in(folder: Path) -> TestClient:
    """A server with the real engines whose requests may compute for two seconds."""
    given = Settings(database=str(folder / "x.db"), warm=False, frontend=folder, workers=1, limits=Limits(answer=2.0))
    return TestClient(create_app(given), base_url="http://localhost/api/v1", raise_server_exceptions=False)


def trial(client: TestClient, axis: str, examples: int, number: int | None = None) -> Callable[[], None]:
    """A test of ``examples`` scenarios around ``axis``; number: of the random sequence."""

    @given(document=documents(axis))
    @settings(
        max_examples=examples,
        suppress_health_check=list(HealthCheck),
        deadline=None,
        phases=(Phase.generate,),
        derandomize=number is None,
        database=None,
    )
    def scenarios(document: dict[str, Any]) -> None:
        check(client, document)

    found: Callable[[], None] = scenarios if number is None else seed(number)(scenarios)
    return found


def main(seconds: float, number: int) -> None:
    """Go on until the time is over."""
    over, rounds = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder, client_in(Path(folder)) as client:
        while time.monotonic() < over:
            for axis in AXES:
                trial(client, axis, 20, number + rounds)()
            rounds += 1
            sys.stdout.write(f"{rounds * 20 * len(AXES)} scenarios\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
