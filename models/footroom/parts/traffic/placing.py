"""Between which hosts the flows of an entry run."""

from __future__ import annotations

from footroom.base.errors import InvalidInput
from footroom.parts.traffic.common import Traffic
from footroom.parts.traffic.ground import Ground, Pairs


def spread(traffic: Traffic, ground: Ground, count: int) -> Pairs:
    """Ends of ``count`` short flows: at random among the hosts named, or by the topology's rule."""
    if traffic.sources is None and traffic.destinations is None:
        return ground.place(count, ground.random("places"))
    return _between_named(traffic, ground, count, in_turn=False)


def settle(traffic: Traffic, ground: Ground, count: int, before: int = 0) -> Pairs:
    """Ends of ``count`` lasting flows: sources in turn, or by the topology's rule after the first ``before``."""
    if traffic.sources is None and traffic.destinations is None:
        return ground.place_lasting(before + count, ground.random("places"))[before:]
    return _between_named(traffic, ground, count, in_turn=True)


def names_or(ground: Ground, names: tuple[str, ...] | None, field: str, otherwise: list[int]) -> list[int]:
    """The hosts called ``names``, which stand in ``field``, or those the topology has."""
    return otherwise if names is None else ground.nodes(names, field)


def _between_named(traffic: Traffic, ground: Ground, count: int, *, in_turn: bool) -> Pairs:
    rng = ground.random("places")
    destinations = names_or(ground, traffic.destinations, "destinations", ground.hosts)
    # The only receiver is no sender unless it is named as one, which is refused below.
    able = ground.hosts if len(set(destinations)) > 1 else [host for host in ground.hosts if host not in destinations]
    sources = names_or(ground, traffic.sources, "sources", able)
    pairs = []
    for k in range(count):
        a = sources[k % len(sources)] if in_turn else sources[int(rng.integers(len(sources)))]
        others = destinations if a not in destinations else [b for b in destinations if b != a]
        if not others:
            raise InvalidInput.at(
                f"{ground.path}.destinations",
                list(traffic.destinations or ()),
                f"leaves {ground.names[a]} nobody to send to; a flow needs two different hosts",
            )
        pairs.append((a, others[int(rng.integers(len(others)))]))
    return pairs
