"""Errors of theory, fluid and hybrid against packets, case by case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from footroom.base.errors import NotConverged, Unsupported
from footroom.studies.accuracy.grid import CASES, Case
from footroom.studies.engines import engine_named

#: Engines whose error is measured, against ``packet``.
ENGINES = ("theory", "fluid", "hybrid")
POINTS, RATIO, OF_BUFFER = "points", "times", "of the buffer"
#: Quantity to how its error is written: a difference in points, a ratio, or a difference over the buffer.
QUANTITIES = {
    "utilisation": POINTS,
    "drop_rate": RATIO,
    "queue_mean": OF_BUFFER,
    "queue_p99": OF_BUFFER,
    "fct_p50": RATIO,
    "fct_p99": RATIO,
}
#: Drop rate of packets below which one run says little about it.
FEWEST_DROPS = 1e-4


def errors(found: Mapping[str, float], packets: Mapping[str, float], buffer: float) -> dict[str, float]:
    """Quantity to error, where both have it. buffer: bytes. A drop rate is left out where packets lost hardly any."""
    kept = {}
    for name, how in QUANTITIES.items():
        if name not in found or name not in packets:
            continue
        ours, theirs = found[name], packets[name]
        if how == POINTS:
            kept[name] = 100.0 * (ours - theirs)
        elif how == OF_BUFFER:
            kept[name] = (ours - theirs) / buffer
        elif theirs > (FEWEST_DROPS if name == "drop_rate" else 0.0):
            kept[name] = ours / theirs
    return kept


def written(error: float | None, how: str, *, short: bool = False) -> str:
    """An error in words; a ratio as a multiple of the packets' value. short: without the reference."""
    if error is None:
        return ""
    if how == POINTS:
        return f"{error:+.2f}" + ("" if short else " points")
    if how == RATIO:
        return f"{error:.2f}" + ("" if short else " times")
    return f"{100.0 * error:+.1f} %" + ("" if short else " of the buffer")


def compare(case: Case) -> dict[str, Any]:
    """All engines at one case, as plain data. ``outside``: what the engine itself calls outside its validity."""
    scenario = case.scenario()
    packets = engine_named("packet").evaluate(scenario, scenario.run.seed).metrics
    row: dict[str, Any] = {
        "control": case.control,
        "flows": case.flows,
        "buffer": case.buffer,
        "load": case.load,
        "packets": {name: packets[name] for name in QUANTITIES if name in packets},
    }
    for name in ENGINES:
        try:
            found = engine_named(name).evaluate(scenario, scenario.run.seed)
        except (Unsupported, NotConverged) as error:
            row[name] = {"refused": error.reason if isinstance(error, Unsupported) else str(error)}
            continue
        made = errors(found.metrics, packets, case.bytes)
        row[name] = {"errors": made, "outside": [each for each in made if each in found.outside]}
    return row


def measure(
    cases: Sequence[Case] = CASES, on_case: Callable[[str, int, int], None] | None = None
) -> list[dict[str, Any]]:
    """Every case, one seed each. on_case: told each case's name, how many are done and how many there are."""
    rows = []
    for number, case in enumerate(cases):
        rows.append(compare(case))
        if on_case is not None:
            on_case(case.name, number + 1, len(cases))
    return rows
