"""Studies in PostgreSQL: several servers work at once, and nobody makes a run that another has claimed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError
from tests.api.conftest import PATIENCE, FakePackets

from footroom.base.errors import Cancelled, InvalidInput, Unsupported
from footroom_api.app import create_app
from footroom_api.jobs import scheduler
from footroom_api.persistence import Claim, Pulse, StudyStore, claim_of, open_database
from footroom_api.persistence.owner import Owner
from footroom_api.settings import Limits, Settings


@pytest.fixture
def engines(url: str) -> Iterator[tuple[Engine, Engine]]:
    """The database as two servers see it."""
    both = open_database(url), open_database(url)
    yield both
    for engine in both:
        engine.dispose()


@pytest.fixture
def owners(engines: tuple[Engine, Engine]) -> Iterator[tuple[Claim, Claim]]:
    """Two servers that have their numbers."""
    both = claim_of(engines[0]), claim_of(engines[1])
    assert [owner.take() for owner in both] == [True, True]
    yield both
    for owner in both:
        owner.release()


@pytest.fixture
def serve(url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., TestClient]]:
    """Servers over one database, one run at a time each."""
    monkeypatch.setattr(scheduler, "_LOOK_EVERY", 0.02)
    monkeypatch.setattr("footroom.studies.claims._LOOK_EVERY", 0.02)
    running: list[TestClient] = []

    def begin(work: Any = None) -> TestClient:
        given = replace(settings, database=url, limits=Limits())
        client = TestClient(create_app(given, work), base_url="http://localhost/api/v1")
        client.__enter__()
        running.append(client)
        return client

    yield begin
    for client in running:
        client.__exit__(None, None, None)


def wait_for(condition: Callable[[], bool]) -> None:
    patience = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < patience
        time.sleep(0.01)


def test_servers_that_start_together_make_one_schema(url: str) -> None:
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(open_database(url))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [StudyStore(engine).unfinished() for engine in found] == [[]] * 3
    assert [Pulse(engine).trouble() for engine in found] == [None] * 3
    for engine in found:
        engine.dispose()


def test_a_run_is_claimed_once(owners: tuple[Claim, Claim]) -> None:
    one, two = owners
    one_runs, two_runs = one.runs("s"), two.runs("s")
    assert one_runs is not None
    assert two_runs is not None
    assert [one.lead("s"), two.lead("s"), one.lead("s"), two.lead("t")] == [True, False, True, True]
    assert one_runs.claim(["a", "b"]).ours == {"a", "b"}
    assert two_runs.claim(["b", "c"]).ours == {"c"}
    assert one_runs.claim(["a", "c"]).ours == {"a"}
    one_runs.refuse("a", {"type": "unsupported"})
    assert two_runs.claim(["a", "b"]).refused == {"a": {"type": "unsupported"}}
    one_runs.settle(["b"])
    assert two_runs.claim(["a", "b"]).ours == {"b"}
    one.leave("s", over=False)
    assert two.lead("s")
    assert two_runs.claim(["a"]).refused  # those who are still at it must know
    two.leave("s", over=True)
    late = one_runs.claim(["a"])  # what could not be made is no longer known: a server that helps still tries nothing
    assert (set(late.ours), late.refused) == (set(), {})


def test_servers_that_claim_the_same_runs_in_any_order_do_not_wait_for_each_other(owners: tuple[Claim, Claim]) -> None:
    """PostgreSQL would end the wait with an error, and with its connection a server loses all it has claimed."""
    keys, wrong = [f"k{n}" for n in range(400)], list[Exception]()
    assert owners[0].lead("s")

    def take_and_settle(owner: Claim, dice: random.Random) -> None:
        runs = owner.runs("s")
        assert runs is not None
        try:
            for _ in range(10):
                runs.settle(list(runs.claim(dice.sample(keys, len(keys))).ours))
        except SQLAlchemyError as error:
            wrong.append(error)

    threads = [threading.Thread(target=take_and_settle, args=(one, random.Random(n))) for n, one in enumerate(owners)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_postgres_asks_whether_the_machine_of_a_server_is_still_there(owners: tuple[Claim, Claim]) -> None:
    one = owners[0]
    assert isinstance(one, Owner)
    for name, most in (("tcp_keepalives_idle", 30), ("tcp_keepalives_interval", 10), ("tcp_keepalives_count", 5)):
        assert 0 < int(one.ask(text(f"SELECT current_setting('{name}')"))[0][0]) <= most


def test_claims_end_with_the_connection(owners: tuple[Claim, Claim], engines: tuple[Engine, Engine]) -> None:
    one, two = owners
    one_runs, two_runs = one.runs("s"), two.runs("s")
    assert one_runs is not None
    assert two_runs is not None
    one.lead("s")
    one_runs.claim(["a", "b"])
    one_runs.refuse("a", {"type": "unsupported"})
    with engines[1].connect() as connection:  # as when the first server's machine is gone
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid IN "
                "(SELECT owner FROM claim)"
            )
        )
    wait_for(lambda: two_runs.claim(["b"]).ours == {"b"})
    assert two_runs.claim(["a"]).ours == {"a"}
    assert two.lead("s")
    assert not one.held()
    assert one.take()  # under another number
    assert not one.lead("s")


def test_claims_of_a_server_that_ended_are_removed(
    owners: tuple[Claim, Claim], engines: tuple[Engine, Engine], url: str
) -> None:
    """Its results may have been kept before it was killed: then nobody claims those runs again."""

    def claims() -> set[str]:
        with engines[1].connect() as connection:
            return set(connection.scalars(text("SELECT key FROM claim")))

    def lose(study: str) -> None:
        """A server that claims a run in the name of a study, and is killed."""
        gone = claim_of(engine := open_database(url))
        assert gone.take()
        runs = gone.runs(study)
        assert runs is not None
        runs.claim([f"run of {study}"])
        gone.lead("t")
        engine.dispose()
        assert isinstance(gone, Owner)
        gone._drop()

    one, two = owners
    assert one.lead("s")
    assert two.lead("u")
    two_runs = two.runs("u")
    assert two_runs is not None
    two_runs.claim(["alive"])
    lose("s")
    assert claims() == {"study s", "study t", "study u", "alive", "run of s"}
    wait_for(lambda: two.lead("t"))  # PostgreSQL has noticed
    one.leave("s", over=True)
    assert claims() == {"study t", "study u", "alive"}
    lose("u")
    assert claims() == {"study t", "study u", "alive", "run of u"}

    def begun_anew() -> bool:
        one.release()
        return one.take() and claims() == {"study t", "study u", "alive"}

    wait_for(begun_anew)


def many(request_body: dict[str, Any]) -> dict[str, Any]:
    return request_body | {"over": {"switch.buffer": [float(b) for b in range(100_000, 130_000, 1000)]}, "replicas": 2}


def test_two_servers_share_the_runs_of_one_study(
    serve: Callable[..., TestClient], request_body: dict[str, Any], packets: FakePackets, until: Any
) -> None:
    packets.gate.clear()
    first, second = serve(), serve()
    study = first.post("studies", json=many(request_body)).json()["id"]
    wait_for(lambda: packets.calls == 2)  # each makes one at a time: both are at work
    packets.gate.set()
    for client in (first, second):
        assert until(client, study, "done")["points"] == 30
    assert packets.calls == 60
    points = second.get(f"studies/{study}/results").json()["points"]
    assert [point["at"]["switch.buffer"] for point in points] == many(request_body)["over"]["switch.buffer"]


def test_each_server_leads_a_study_of_its_own(
    serve: Callable[..., TestClient], request_body: dict[str, Any], packets: FakePackets, until: Any
) -> None:
    packets.gate.clear()
    first = serve()
    ids = [first.post("studies", json=request_body | {"replicas": n}).json()["id"] for n in (1, 2)]
    second = serve()
    for study in ids:
        assert until(second, study, "running")
    packets.gate.set()
    for study in ids:
        assert until(first, study, "done")["points"] == 3
    assert packets.calls == 6  # the second study asks for the first one's runs, too
    assert first.get("health").json()["database"] == "ok"


def test_a_run_that_cannot_be_made_is_tried_once(
    serve: Callable[..., TestClient],
    request_body: dict[str, Any],
    packets: FakePackets,
    until: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make, refused = FakePackets.__call__, []

    def sometimes(self: FakePackets, scenario: Any, seed: int, **named: Any) -> Any:
        made = make(self, scenario, seed, **named)
        if scenario.switch.buffer > 115_000:
            refused.append(seed)
            raise Unsupported("too large a buffer")
        return made

    monkeypatch.setattr(FakePackets, "__call__", sometimes)
    packets.gate.clear()
    first, _second = serve(), serve()
    study = first.post("studies", json=many(request_body)).json()["id"]
    wait_for(lambda: packets.calls == 2)
    packets.gate.set()
    until(first, study, "done")
    found = first.get(f"studies/{study}/results").json()
    assert (len(found["points"]), len(found["unsupported"])) == (16, 14)
    assert packets.calls == 60


def test_a_server_that_can_help_no_further_asks_no_more(
    serve: Callable[..., TestClient], request_body: dict[str, Any], until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Estimates are made by the server that leads; another looks at them once, not over and over."""
    gate, helped = threading.Event(), list[bool]()

    def work(request: dict[str, Any], *, helping: bool, stop: threading.Event, **_: Any) -> None:
        helped.append(helping)
        while not helping and not gate.wait(0.005):
            if stop.is_set():
                raise Cancelled("stopped")

    first = serve(work)
    study = first.post("studies", json=request_body).json()["id"]
    until(first, study, "running")
    serve(work)
    wait_for(lambda: True in helped)
    time.sleep(0.5)  # many looks at the database
    assert helped == [False, True]
    gate.set()
    until(first, study, "done")


def test_a_study_is_cancelled_on_every_server(
    serve: Callable[..., TestClient],
    request_body: dict[str, Any],
    packets: FakePackets,
    until: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "_WRITE_EVERY", 0.0)
    packets.gate.clear()
    first, second = serve(), serve()
    study = first.post("studies", json=many(request_body)).json()["id"]
    wait_for(lambda: packets.calls == 2)
    assert second.delete(f"studies/{study}/run").json()["status"] == "cancelled"
    schedulers = [client.app.state.services.scheduler for client in (first, second)]  # type: ignore[attr-defined]
    wait_for(lambda: not any(one.progress() for one in schedulers))
    assert packets.calls <= 4  # what had been handed over to the one thread of each
    packets.gate.set()
    first.post("studies", json=many(request_body))
    assert until(second, study, "done")["points"] == 30


def test_a_server_that_does_not_answer_is_named() -> None:
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    with pytest.raises(InvalidInput, match="cannot be opened") as refused:
        open_database("postgresql://me:s3cret@127.0.0.1:9/x")
    assert "s3cret" not in str(refused.value)
