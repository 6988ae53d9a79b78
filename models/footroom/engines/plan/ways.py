"""The way of every flow: there, and back for its acknowledgements."""

from __future__ import annotations

from collections.abc import Callable

from footroom.base.errors import InvalidInput
from footroom.base.rng import Choices
from footroom.engines.plan.routes import Routes


def ways(
    sources: list[int],
    targets: list[int],
    continues: list[int],
    routes: Routes,
    known: Callable[[list[int]], tuple[int, int]],
    names: list[str],
    random: Choices,
) -> tuple[list[int], list[int], list[int]]:
    """Where each flow's way there and back begins in the flat array, and its round trip without queueing [ps].

    continues: the earlier flow of the same connection, which has the same way; -1 for none.  known: where a path begins
    in the flat array, and its propagation [ps]. Raises InvalidInput where no path joins two hosts.
    """
    forward: list[int] = []
    reverse: list[int] = []
    rtt: list[int] = []
    certain: dict[tuple[int, int], tuple[int, int, int]] = {}
    for source, target, earlier in zip(sources, targets, continues, strict=True):
        if earlier >= 0:
            way = forward[earlier], reverse[earlier], rtt[earlier]
        elif (source, target) in certain:
            way = certain[source, target]
        else:
            there, back = routes.path(source, target, random), routes.path(target, source, random)
            if there is None or back is None:
                raise InvalidInput.at(
                    "topology.links", f"{names[source]} to {names[target]}", "no path joins these hosts"
                )
            (begins, out), (returns, home) = known(there), known(back)
            way = begins, returns, out + home
            if routes.certain(source, target) and routes.certain(target, source):
                certain[source, target] = way
        forward.append(way[0])
        reverse.append(way[1])
        rtt.append(way[2])
    return forward, reverse, rtt
