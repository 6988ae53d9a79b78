"""Laws are translated without Numba's analysis: to the bit what Numba makes of them, and what Python does."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import ctypes
import importlib
import math
import os
import pkgutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import footroom.parts.congestion
from footroom.kernel import calls
from footroom.kernel.flow_tables import FLOW, REPORT
from footroom.kernel.hooks import Hook, law_hook, row
from footroom.kernel.tables import HOPS, TELEMETRY_WORDS, rows

_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 4)
#: Words of a law's memory that are drawn as 0 or 1: one holds an index into it, the other counts rounds of a loop.
_TURN = {"bbr_v1": ("bbr_v1_words", "EXTRA_TURN"), "bbr_v3": ("bbr_v1_words", "EXTRA_TURN"), "dcqcn": ("dcqcn", "_DUE")}
_WORDS = 128


def law_hooks() -> dict[str, Hook]:
    """Every hook of every law."""
    found = {}
    for info in pkgutil.iter_modules(footroom.parts.congestion.__path__, "footroom.parts.congestion."):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, Hook) and value.kind == "law" and value.function.__module__ == info.name:
                found[f"{info.name.rpartition('.')[2]}.{name}"] = value
    return found


HOOKS = law_hooks()


class Rows:
    """What a hook is called with, drawn at random."""

    def __init__(self, seed: int, turn: int | None) -> None:
        random = np.random.default_rng(seed)
        self.flow, self.report = rows(1, FLOW), rows(1, REPORT)
        for table in (self.flow, self.report):
            for name, (kind, *_) in (table.dtype.fields or {}).items():
                if kind.kind == "f":
                    table[name] = random.choice([0.0, 1.0, 7.5, 1e9, 1e18, random.uniform(1, 60)])
                elif kind.kind in "iu" and not kind.shape:
                    table[name] = random.integers(-1, random.choice([2, 3, 100]))
        for name in ("now", "srtt", "rtt", "sample_rtt", "interval", "base_rtt", "handshake"):
            table = self.report if name in (REPORT.names or ()) else self.flow
            table[name] = int(random.choice([0, -1, 50_000_000, int(random.integers(1, 10**12))]))
        self.flow["random"] = random.integers(0, 2**63)
        self.own = random.choice([0.0, 1.0, 2.0, 3.0, 40.5, 1e10, 1e18], _WORDS) * random.choice([1.0, 1.1], _WORDS)
        if turn is not None:
            self.own[turn] = float(random.integers(2))
        self.params = random.choice([0.0, 1.0, 0.5, 3.0, 1e9], 32) * random.choice([1.0, 0.9], 32)
        self.told = random.integers(1, 10**6, TELEMETRY_WORDS)
        self.told[0] = random.integers(1, HOPS + 1)
        self.report["telemetry"] = self.told.ctypes.data
        if seed % 4 == 0:
            self.own[:] = 0.0

    def after(self, address: int) -> tuple[int, bytes, bytes]:
        """The answer of the hook at ``address``, and what it leaves in the flow's row and in its own memory."""
        flow, own = self.flow.copy(), self.own.copy()
        answer = _CALL(address)(flow.ctypes.data, own.ctypes.data, self.params.ctypes.data, self.report.ctypes.data)
        return answer, flow.tobytes(), own.tobytes()


@pytest.mark.parametrize("name", HOOKS)
def test_a_law_does_to_the_bit_what_numba_makes_of_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    hook, module = HOOKS[name], name.partition(".")[0]
    mine, numbas = hook.address, calls.compile_by_numba(hook.function, "law")
    place, word = _TURN.get(module, ("", ""))
    turn = getattr(importlib.import_module(f"footroom.parts.congestion.{place}"), word) if word else None
    compared, changed = 0, 0
    for seed in range(400):
        given = Rows(seed, turn)
        if module == "dcqcn":  # its loop ends only where timer and counter are above 0, and soon where they are long
            given.params = np.maximum(given.params, 1e9)
        raised.clear()
        expected = given.after(int(numbas.address))
        if raised:  # Numba stops at a division by zero
            continue
        assert given.after(mine) == expected, seed
        compared += 1
        changed += expected[1:] != (given.flow.tobytes(), given.own.tobytes())
    assert compared > 100
    assert changed > 0 or name == "bbr_v3.on_ecn"  # which has nothing to do


def test_no_law_is_left_to_numba(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(calls, "compile_by_numba", lambda function, kind: asked.append(function.__qualname__))
    for hook in HOOKS.values():
        calls.compile_hook(hook.function, hook.kind)
    assert asked == []


PROBE = """
from footroom.parts.congestion.cubic import _grow
_grow.address
print(_grow._compiled.cache_hits)
"""


def test_the_next_process_reads_what_this_one_compiled(tmp_path: Any) -> None:
    environment = {**os.environ, "FOOTROOM_CACHE_DIR": str(tmp_path / "cache")}
    hits = [
        subprocess.run(
            [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert hits == ["0\n", "1\n"]


@law_hook
def beyond(flow, own, params, report):
    """Uses a tuple as a value, which is not translated."""
    both = (own[0], own[1])
    own[2] = both[0] + both[1]
    return 7


def test_code_that_is_not_translated_goes_to_numba() -> None:
    given = Rows(1, None)
    own = given.own.copy()
    answer = _CALL(beyond.address)(0, own.ctypes.data, 0, 0)
    assert answer == 7
    assert own[2] == given.own[0] + given.own[1]


def _arithmetic(own):
    """Everything that Python and compiled code might disagree about."""
    n = 0
    for k in range(4, 8):
        if k == 6:
            continue
        n += k
        while n > 12:
            n -= 5
            if n == 9:
                break
    own[2] = n
    own[3] = own[0] // own[1]
    own[4] = own[0] % own[1]
    whole, other = int(own[0]), int(own[1])
    own[5] = whole // other
    own[6] = whole % other
    own[7] = max(own[0], own[1], 2) - min(whole, own[1])
    own[8] = 1.0 if -3.0 < own[0] <= own[1] or not own[0] > 0.0 else 2
    own[9] = math.floor(own[0]) + math.ceil(own[1]) + abs(own[0])
    own[10] = abs(own[0]) ** 0.3 + own[1] ** 2 + math.log2(abs(own[0]) + 1.0)
    mixed = 3
    if own[0] > 1.0:
        mixed = own[0]
    own[11] = mixed / 2
    a = b = own[0] - own[1]
    a, b = b + 1.0, a
    own[12] = a - 2.0 * b
    return -1


@pytest.mark.parametrize(
    "pair", [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (6.0, 3.0), (-6.0, 3.0), (0.0, -4.0)]
)
def test_arithmetic_is_pythons(pair: tuple[float, float]) -> None:
    expected = [*pair, *[0.0] * 11]
    assert _arithmetic(expected) == -1
    found = np.array([*pair, *[0.0] * 11])
    assert _CALL(wrapped.address)(0, found.ctypes.data, 0, 0) == -1
    assert found.tolist() == expected
    assert [math.copysign(1.0, each) for each in found] == [math.copysign(1.0, float(each)) for each in expected]


@law_hook
def wrapped(flow, own, params, report):
    return _arithmetic(own)


def test_a_source_edited_after_import_is_not_read(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "edited_law.py"
    path.write_text("def given(flow, own, params, report):\n    return 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    given = importlib.import_module("edited_law").given
    path.write_text("def given(flow, own, params, report):\n    return 4\n")
    compiled = calls.compile_hook(given, "law")
    assert _CALL(compiled.address)(0, 0, 0, 0) == 3


def test_rows_are_read_and_written_at_every_width() -> None:
    given = Rows(2, None)
    given.flow["mode"], given.flow["cwr"], given.flow["una"], given.flow["cwnd"] = -3, -1, 2**40, 1.5
    flow = given.flow.copy()
    _CALL(fields.address)(flow.ctypes.data, given.own.ctypes.data, given.params.ctypes.data, given.report.ctypes.data)
    assert (flow["mode"][0], flow["cwr"][0], flow["una"][0], flow["cwnd"][0]) == (-6, 0, 2**40 + 1, -1.0)
    others = [name for name in FLOW.names or () if name not in ("mode", "cwr", "una", "cwnd")]
    assert all(flow[name].tobytes() == given.flow[name].tobytes() for name in others)


@law_hook
def fields(flow, own, params, report):
    f = row(flow)
    f.mode += f.mode
    f.cwr += 1
    f.una = f.una + 1.25  # a field of whole numbers cuts the rest off
    f.cwnd = -1
    return 0
