"""Print the tables of docs/validation.md: what was measured beside what each engine says. Takes about a minute."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from tests.validation.cases import DATA, Case, cases

from footroom.engines.fluid.adapter import estimate_many as fluid
from footroom.engines.theory.adapter import estimate_many as theory

Row = dict[str, float]
_SOURCES = ("Linux", "packet", "ns-3", "fluid", "theory")
_FORMATS: dict[str, Callable[[float], str]] = {
    "utilisation": lambda x: f"{100.0 * x:.1f}",
    "drop_rate": lambda x: f"{1000.0 * x:.2f}",
    "queue_mean": lambda x: f"{x:.1f}",
}
_TITLES = {
    "utilisation": "Utilisation, per cent",
    "drop_rate": "Drop rate, per thousand",
    "queue_mean": "Mean queue, packets waiting",
}


def _packets(metrics: Row) -> Row:
    return {**metrics, "queue_mean": metrics["queue_mean"] / 1500.0}


def _table(metric: str, measured: list[Case], found: list[dict[str, Row]]) -> str:
    show = _FORMATS[metric]
    lines = [
        f"### {_TITLES[metric]}",
        "",
        f"| case | buffer | {' | '.join(_SOURCES)} |",
        f"|---|--:|{'--:|' * len(_SOURCES)}",
    ]
    for case, sources in zip(measured, found, strict=True):
        cells = [show(sources[s][metric]) if s in sources else "" for s in _SOURCES]
        error = sources["Linux"].get(f"{metric}_error")
        if error is not None:
            cells[0] += f" ± {show(error)}"
        if not case.sound:
            cells[0] += " (paused)"
        lines.append(f"| {case.label} | {case.buffer} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _tails(measured: list[Case]) -> str:
    """Timeouts and probes where Linux probed for more than a hundred lost tails."""
    head = (
        "case",
        "buffer",
        "timeouts: Linux",
        "packet",
        "with probes",
        "probes: Linux",
        "packet",
        "drops: Linux",
        "packet",
        "with probes",
    )
    lines = [
        "### Timeouts and probes of lost tails, per run; drop rate, per thousand",
        "",
        f"| {' | '.join(head)} |",
        f"|---|{'--:|' * 9}",
    ]
    for case in measured:
        if case.tail_loss_probes > 100:
            without, found = case.packet_engine(), case.packet_engine(probes=True, seeds=case.probe_seeds)
            drops = (f"{1000.0 * rate:.1f}" for rate in (case.drop_rate, without["drop_rate"], found["drop_rate"]))
            cells = [
                case.label,
                case.buffer,
                case.timeouts,
                f"{without['timeouts']:.0f}",
                f"{found['timeouts']:.0f}",
                case.tail_loss_probes,
                f"{found['tail_loss_probes']:.0f}",
                *drops,
            ]
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    """Print all tables."""
    measured = cases("linux-reno.json") + cases("linux-reno-40ms.json")
    rows = json.loads((DATA / "ns3-newreno.json").read_text())["cases"]
    simulated = {(row["name"], row["buffer_bdp"]): row for row in rows}
    scenarios = [case.scenario() for case in measured]
    found: list[dict[str, Row]] = []
    for case, by_fluid, by_theory in zip(measured, fluid(scenarios), theory(scenarios), strict=True):
        sources: dict[str, Row] = {
            "Linux": {key: getattr(case, key) for key in (*_FORMATS, "utilisation_error", "drop_rate_error")},
            "packet": case.packet_engine(),
            "fluid": _packets(by_fluid.metrics),
            "theory": _packets(by_theory.metrics),
        }
        if case.sack and (case.name, case.buffer_bdp) in simulated:
            sources["ns-3"] = simulated[case.name, case.buffer_bdp]
        found.append(sources)
    tables = [_table(metric, measured, found) for metric in _FORMATS]
    sys.stdout.write("\n\n".join([*tables, _tails(cases("linux-reno.json"))]) + "\n")


if __name__ == "__main__":
    main()
