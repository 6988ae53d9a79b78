"""The compiled emulator and the plain one lose the same packets, on traces of all sorts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.emulator import oracle

from footroom.calculators.emulator import tables as at
from footroom.calculators.emulator.arrivals import Arrivals, places
from footroom.calculators.emulator.question import Question
from footroom.calculators.emulator.replay import run
from footroom.parts.sharing import REGISTRY, Policy, Smartbuf

POLICIES: list[dict[str, Any]] = [
    *({"kind": kind.model_fields["kind"].default} for kind in REGISTRY if "reference" in kind.engines),
    {"kind": "dynamic_threshold", "alpha": 8},
    {"kind": "static", "per_queue": 20_000},
    {"kind": "edt", "enqueues": 4, "dequeues": 2, "within": 2e-5, "longest": 1e-4},
    {"kind": "fab", "recent": 6000, "idle": 5e-5, "small_alpha": 4},
    {"kind": "abm", "alpha": 2, "unscheduled": 3000, "window": 2e-5, "near": 0.4},
    {"kind": "smartbuf", "alpha": 0.3, "sigma": 12, "nearest": 2, "ageing": 2e-3, "learning_time": 2e-4},
    {"kind": "smartbuf", "alpha": 0.3, "sigma": 12, "faithful": True, "key_width": 0.5},
]
LABELS = [" ".join(f"{value}" for value in policy.values()) for policy in POLICIES]


def question(reserved: int = 0, **bytes_: Any) -> Question:
    return Question.parse(
        {"rate": "10G", "ports": 4, "buffer": 120_000, "reserved": reserved, "policies": ["static"], **bytes_}
    )


#: What packets take of links and of memory.
BYTES: list[dict[str, Any]] = [
    {},
    {"cell_size": 208},
    {"framing": "ethernet"},
    {"framing": "ethernet", "cell_size": 254},
]


def made(policy: dict[str, Any]) -> Policy:
    found = REGISTRY.get(policy["kind"]).model_validate(policy)
    assert isinstance(found, Policy)
    return found


def arrivals(seed: int) -> Arrivals:
    """Bursts from 2 to 9 senders at one or two ports at a time, over a trickle at all of them."""
    draw = np.random.default_rng(seed)
    times, ports, sizes, flows = [], [], [], []
    begin, own = 0, 0
    for _ in range(25):
        begin += int(draw.exponential(4e7))
        senders, target = int(draw.integers(2, 10)), int(draw.integers(4))
        for _ in range(senders):
            count = int(draw.integers(1, 25))
            length = int(draw.choice([300, 1500]))
            times.append(begin + int(draw.integers(1_200_000)) + np.arange(count) * length * 800)
            ports.append(np.full(count, target))
            sizes.append(np.full(count, length))
            flows.append(np.full(count, own))
            own += int(draw.random() < 0.7)
    count = 300
    times.append(draw.integers(0, begin, count))
    ports.append(draw.integers(0, 4, count))
    sizes.append(draw.integers(64, 1501, count))
    flows.append(own + 1 + draw.integers(0, 9, count))
    time, port, size, flow = (np.concatenate(column).astype(np.int64) for column in (times, ports, sizes, flows))
    order = np.argsort(time, kind="stable")
    flow = np.unique(flow[order], return_inverse=True)[1].astype(np.int64)
    return Arrivals(
        time[order], port[order], size[order], flow, places(flow), np.full(len(time), -1), np.zeros(0, np.int64)
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("policy", POLICIES, ids=LABELS)
def test_the_same_packets_are_lost(policy: dict[str, Any], seed: int) -> None:
    asked, shown = question(500 * (seed % 2), **BYTES[seed]), arrivals(seed)
    plain = oracle.emulate(made(policy), asked, shown)
    outcome = run(made(policy), asked, shown, steps=50, until=int(shown.time[-1]))
    assert outcome.first == (plain.dropped[0] if plain.dropped else -1)
    assert outcome.counts[:, at.PEAK].tolist() == plain.peaks
    assert outcome.peak == plain.used
    lost = np.bincount(shown.port[plain.dropped], weights=shown.size[plain.dropped], minlength=4)
    assert outcome.counts[:, at.DROPPED_BYTES].tolist() == lost.tolist()
    # With all packets up to the next loss the two must part no later either.
    for kept in plain.dropped[1:40:5]:
        part = replace(
            shown,
            **{name: getattr(shown, name)[: kept + 1] for name in ("time", "port", "size", "flow", "seq", "burst")},
        )
        cut = run(made(policy), asked, part)
        assert cut.counts[:, at.DROPPED].sum() == sum(number <= kept for number in plain.dropped)


def test_policies_part_from_dynamic_threshold_on_these_traces() -> None:
    """Else the comparison above would say nothing of what makes them different."""
    asked = question()
    for policy in POLICIES:
        if policy["kind"] in ("complete", "static", "dynamic_threshold"):
            continue
        alpha = {name: value for name, value in made(policy).model_dump().items() if name == "alpha"}
        usual = {"kind": "dynamic_threshold", **alpha}
        lost = [
            [run(made(one), asked, arrivals(seed)).counts[:, at.DROPPED].tolist() for seed in range(4)]
            for one in (policy, usual)
        ]
        assert lost[0] != lost[1], policy


def test_the_map_holds_what_the_plain_one_holds() -> None:
    asked, policy = question(), made(POLICIES[-2])
    assert isinstance(policy, Smartbuf)
    for seed in range(4):
        plain = oracle.emulate(policy, asked, arrivals(seed))
        outcome = run(policy, asked, arrivals(seed))
        entries = int(policy.observe(outcome.scratch)["entries"])
        keys, values = outcome.scratch[16 : 16 + entries], outcome.scratch[528 : 528 + entries]
        rule: Any = plain.memory._rule
        assert dict(zip(keys, values, strict=True)) == {key: value for key, (value, _) in rule.map.items()}
        assert entries > 1
