"""Source is read by several threads at a time: studies of a server begin together, each with a fingerprint to make."""

from __future__ import annotations

import ast
import gc
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from footroom.base.syntax import compiled, parse


@pytest.fixture
def unsettled() -> Iterator[None]:
    """Threads change places often, and at every collection of garbage, which comes in the middle of a tree."""

    def give_way(phase: str, information: dict[str, Any]) -> None:
        time.sleep(0)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    gc.callbacks.append(give_way)
    yield
    gc.callbacks.remove(give_way)
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("unsettled")
def test_threads_that_parse_at_a_time_do_not_disturb_each_other() -> None:
    text, wrong = Path(ast.__file__).read_bytes(), list[BaseException]()

    def work() -> None:
        try:
            for _ in range(3):
                compiled(parse(text))
        except SystemError as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_source_is_parsed_in_one_place() -> None:
    root = Path(__file__).parents[2]
    assert [
        path.relative_to(root).as_posix()
        for folder in ("models", "backend")
        for path in sorted((root / folder).rglob("*.py"))
        if "ast.parse(" in path.read_text()
    ] == ["models/footroom/base/syntax.py"]
