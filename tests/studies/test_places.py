"""Who comes next at workers that several studies share: the order in which runs begin, with one worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from footroom.base.errors import Cancelled
from footroom.studies import Study, run
from footroom.studies.executors import Places, Visitor, check_executor, places


class Held:
    """Runs that take as long as the clock is moved on, one at a time, and the order in which they began."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, raw: dict[str, Any], count: int = 1) -> None:
        self.places, self.raw = Places(count), raw
        self.now, self.began = 0.0, []  # type: float, list[str]
        self.room, self.ended = threading.Semaphore(0), threading.Semaphore(0)
        self.costs: dict[str, float] = {}
        monkeypatch.setattr(places, "_clock", lambda: self.now)
        monkeypatch.setattr(
            places, "_expected", lambda task: (self.costs.get(task["name"], 1.0), task.get("memory", 0))
        )
        monkeypatch.setattr(places, "run_cells", self.make)

    def make(self, tasks: list[dict[str, Any]], *_: Any) -> list[dict[str, Any]]:
        self.began.append(tasks[0]["name"])
        assert self.room.acquire(timeout=60)
        self.now += self.costs.get(tasks[0]["name"], 1.0)
        return []

    def ask(self, study: Visitor, name: str, runs: int, seconds: float, **task: Any) -> list[Any]:
        self.costs[name] = seconds
        return [study.submit([{"name": name, **task}], threading.Event(), []) for _ in range(runs)]

    def go(self, futures: list[Any]) -> str:
        for _ in futures:
            self.room.release()
        for future in futures:
            future.result(60)
        return "".join(self.began)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch, raw: dict[str, Any]) -> Held:
    return Held(monkeypatch, raw)


def test_users_have_equal_time_however_many_studies_and_however_long_runs(held: Held) -> None:
    first, second, other = held.places.enter("me"), held.places.enter("me"), held.places.enter("you")
    futures = held.ask(first, "a", 4, 1.0) + held.ask(second, "b", 4, 1.0) + held.ask(other, "c", 3, 2.0)
    # One run of two seconds for you, then two of one second for me, one of each study.
    assert held.go(futures) == "acbacbacbab"


def test_whoever_comes_late_begins_where_the_others_are(held: Held) -> None:
    mine = held.places.enter("me")
    held.go(held.ask(mine, "a", 9, 1.0))
    held.began.clear()
    futures = held.ask(mine, "a", 3, 1.0) + held.ask(held.places.enter("you"), "b", 3, 1.0)
    assert held.go(futures) in ("aababb", "ababab")


def test_a_young_study_comes_before_an_old_one_in_every_other_turn(held: Held) -> None:
    large = held.places.enter("me")
    held.go(held.ask(large, "L", 1, 60.0))
    held.began.clear()
    futures = held.ask(large, "l", 6, 20.0) + held.ask(held.places.enter("me"), "s", 3, 1.0)
    order = held.go(futures)
    assert order.index("s") <= 2
    assert order.rindex("s") <= 6
    assert order.endswith("l")


def test_old_studies_take_turns(held: Held) -> None:
    studies = [held.places.enter("me") for _ in range(2)]
    for study, name in zip(studies, "AB", strict=True):
        held.go(held.ask(study, name, 1, 100.0))
    held.began.clear()
    futures = [one for study, name in zip(studies, "ab", strict=True) for one in held.ask(study, name, 3, 10.0)]
    assert held.go(futures) == "ababab"


def test_short_runs_pass_long_ones_by_a_thread_of_their_own(held: Held) -> None:
    long, quick = held.places.enter("me"), held.places.enter("me")
    waiting = held.ask(long, "l", 2, 1000.0)
    passing = held.ask(quick, "q", 2, 1.0)
    large = held.ask(quick, "m", 1, 1.0, memory=1e9)
    # One of the long runs is under way, and a short one beside it; what takes much memory waits for the place.
    while sorted(held.began) != ["l", "q"]:
        pass
    assert sorted(held.go([*waiting, *passing, *large])) == ["l", "l", "m", "q", "q"]


def test_studies_share_the_workers_and_give_the_bytes_of_one_that_is_alone(raw: dict[str, Any]) -> None:
    shared = Places(2)
    documents = [Study.of(raw, {"switch.buffer": [5e4 + 1e3 * n, 6e4 + 1e3 * n]}, "packet", 2) for n in range(3)]
    found: dict[int, Any] = {}

    def work(number: int) -> None:
        visitor = shared.enter(str(number % 2))
        found[number] = run(documents[number], executor=visitor)
        visitor.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, study in enumerate(documents):
        alone = run(study, workers=1)
        assert [point.result.metrics for point in found[number].points] == [p.result.metrics for p in alone.points]


def test_a_study_that_leaves_takes_nothing_with_it(held: Held) -> None:
    going, staying = held.places.enter("me"), held.places.enter("you")
    gone = held.ask(going, "g", 3, 1.0)
    left = held.ask(staying, "s", 2, 1.0)
    held.room.release()
    gone[0].result(60)
    closing = threading.Thread(target=going.close)
    for future in gone:
        future.cancel()
    closing.start()
    assert held.go(left).count("s") == 2
    closing.join(60)
    assert not closing.is_alive()
    assert set(held.places._users) == {"you"}


def test_errors_come_back_and_the_place_is_free_again(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    make: Callable[..., Any] = held.make

    def stopped(*_: Any) -> Any:
        raise Cancelled("stopped")

    monkeypatch.setattr(places, "run_cells", stopped)
    study = held.places.enter("me")
    with pytest.raises(Cancelled):
        held.ask(study, "a", 1, 1.0)[0].result(60)
    monkeypatch.setattr(places, "run_cells", make)
    assert held.go(held.ask(study, "b", 1, 1.0)) == "b"


def test_a_study_at_shared_places_is_an_executor() -> None:
    check_executor(Places(1).enter("me"))
