"""Common parts of the fragments for switches with a command line."""

from __future__ import annotations

from collections.abc import Iterable

from footroom.base.version import VERSION
from footroom.calculators.export.configuration import Configuration
from footroom.calculators.pool.thresholds import Queues, free_memory

NOT_VALIDATED = "not validated on a device"


def head(
    mark: str, target: str, configuration: Configuration, sources: Iterable[str], notes: Iterable[str]
) -> list[str]:
    """The comment that begins a fragment. mark: what begins a comment line."""
    chip = "" if configuration.asic is None else f", {configuration.asic.name}"
    return [
        f"{mark} {target} fragment by footroom {VERSION}{chip}: {NOT_VALIDATED}",
        *(f"{mark} syntax: {source}" for source in sources),
        *(f"{mark} {note}" for note in notes),
    ]


def warn_all(configuration: Configuration, target: str, notes: Iterable[str]) -> None:
    """Add the notes of a fragment as warnings, beside one that it was never loaded on a switch."""
    configuration.ledger.warn(f"the {target} fragment is {NOT_VALIDATED}")
    for note in notes:
        configuration.ledger.warn(note)


def kinds(configuration: Configuration) -> dict[tuple[int, int], list[int]]:
    """Places in the list of ports, from 1, by (speed [Mb/s], cable [m])."""
    found: dict[tuple[int, int], list[int]] = {}
    for place, port in enumerate(configuration.ports, 1):
        found.setdefault((port.speed, port.cable), []).append(place)
    return found


def ranges(places: Iterable[int], name: str) -> str:
    """Interfaces as a range: ``Ethernet1/1-4,Ethernet1/8`` from ``Ethernet1/`` and their places."""
    runs: list[list[int]] = []
    for place in sorted(places):
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return ",".join(f"{name}{first}" if first == last else f"{name}{first}-{last}" for first, last in runs)


def fair_threshold(configuration: Configuration) -> int:
    """What each lossless priority group holds when all of them are at their threshold, in whole cells [B]."""
    alpha, groups = configuration.lossless_threshold.alpha, len(configuration.ports) * len(configuration.lossless)
    if alpha is None:
        size = min(configuration.lossless_threshold.limit or configuration.pool, configuration.pool // max(1, groups))
    else:
        size = int(alpha * free_memory(configuration.pool, [Queues("lossless", groups, alpha)]))
    return size // configuration.cell * configuration.cell


def percent(probability: float) -> int:
    """A probability in whole percent, 1 at least."""
    return max(1, min(100, round(100.0 * probability)))
