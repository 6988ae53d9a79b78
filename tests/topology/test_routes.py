"""Routes against every shortest path of small random networks, found by walking all of them."""

from __future__ import annotations

import numpy as np
import pytest

from footroom.base.rng import stream
from footroom.engines.plan.routes import Routes

NODES = 9


def network(seed: int) -> tuple[list[int], list[int]]:
    """Cables at random among five nodes, parallel ones too, and four more nodes that hang on one of all others."""
    rng = np.random.default_rng(seed)
    cables = [tuple(rng.choice(5, 2, replace=False)) for _ in range(7)]
    cables += [(node, int(rng.integers(node))) for node in range(5, NODES)]
    ends = [(int(a), int(b)) for cable in cables for a, b in (cable, cable[::-1])]
    return [a for a, _ in ends], [b for _, b in ends]


def shortest(source: int, target: int, port_from: list[int], port_to: list[int]) -> set[tuple[int, ...]]:
    """All shortest paths, as ports."""
    reached: dict[int, set[tuple[int, ...]]] = {source: {()}}
    for _ in range(NODES):
        if target in reached:
            return reached[target]
        further: dict[int, set[tuple[int, ...]]] = {}
        for node, paths in reached.items():
            for port, (a, b) in enumerate(zip(port_from, port_to, strict=True)):
                if a == node:
                    further.setdefault(b, set()).update((*path, port) for path in paths)
        reached = further
    return set()


@pytest.mark.parametrize("seed", range(12))
def test_every_shortest_path_is_taken_and_no_other(seed: int) -> None:
    port_from, port_to = network(seed)
    routes = Routes(NODES, port_from, port_to)
    delay = np.random.default_rng(seed).integers(1, 100, len(port_from))
    rng = stream(seed, "paths")
    for source in range(NODES):
        for target in range(NODES):
            every = shortest(source, target, port_from, port_to)
            if not every:
                assert routes.path(source, target, rng) is None
                assert routes.least(source, target, delay) == 0
                continue
            taken = {tuple(routes.path(source, target, rng) or ()) for _ in range(60)}
            assert taken <= every
            assert len(taken) > len(every) / 2, "equal paths are drawn among"
            assert routes.least(source, target, delay) == min(sum(int(delay[p]) for p in path) for path in every)


def test_two_hosts_on_one_cable() -> None:
    routes = Routes(2, [0, 1], [1, 0])
    assert routes.path(0, 1, stream(1, "paths")) == [0]
    assert routes.least(1, 0, np.array([5, 7])) == 7
