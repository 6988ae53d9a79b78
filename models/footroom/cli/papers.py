"""``footroom papers``: published results beside ours."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote
from typing import Any

from footroom.cli import engine_errors, show
from footroom.cli.lazy import LazyParser
from footroom.papers.catalogue import paper_named, papers
from footroom.papers.listing import cases_of, scenario_of
from footroom.papers.paper import TIERS, Paper
from footroom.papers.release import released

_VERDICTS = {"met": "met", "missed": "MISSED", "undecided": "undecided", "not_testable": "not testable"}


def options(parser: argparse.ArgumentParser) -> None:
    """What can be done with papers."""
    actions = parser.add_subparsers(required=True, metavar="ACTION", dest="action", parser_class=LazyParser)
    _json(actions.add_parser("list", help="list the papers with the number of their targets", allow_abbrev=False))
    shown = actions.add_parser("show", help="show one paper: experiments, assumptions, targets", allow_abbrev=False)
    shown.add_argument("paper", metavar="ID", help="id of a paper, or ENGINES")
    _json(shown)
    listed = actions.add_parser(
        "cases", help="list a paper's scenarios with the targets that each decides", allow_abbrev=False
    )
    listed.add_argument("paper", metavar="ID", help="id of a paper")
    _tier(listed)
    _json(listed)
    written = actions.add_parser(
        "scenario", help="write one scenario of an experiment, to be changed and run alone", allow_abbrev=False
    )
    written.add_argument("experiment", metavar="EXPERIMENT", help="id of an experiment")
    written.add_argument("case", metavar="CASE", help="name of one of its cases, such as B/0.90")
    _tier(written)
    _json(written)
    run = actions.add_parser("run", help="run experiments and compare them with their targets", allow_abbrev=False)
    run.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help=(
            "papers, experiments or targets, default all; or ENGINES, which compares the engines with "
            "the packet simulation"
        ),
    )
    _tier(run)
    run.add_argument("--workers", type=int, help="runs at a time; default all cores")
    _json(run)


def _tier(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tier", default="smoke", help=f"one of {', '.join(TIERS)}; default smoke")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def command(chosen: argparse.Namespace) -> int:
    """Do what the action says."""
    {"list": _list, "show": _show, "cases": _cases, "scenario": _scenario, "run": _run}[chosen.action](chosen)
    return 0


def _list(chosen: argparse.Namespace) -> None:
    found = {paper.id: released().of(paper, figures=chosen.json) for paper in papers()}
    if chosen.json:
        show.print_json({"papers": [{**paper.summary(), "released": found[paper.id]} for paper in papers()]})
        return
    rows = [
        [
            paper.id,
            str(len(paper.targets)),
            _counted(_counts(found[paper.id]["targets"])) or "not run yet",
            ", ".join(e.id for e in paper.experiments),
            paper.title,
        ]
        for paper in papers()
    ]
    print(show.table(rows, ["id", "targets", "verdicts", "experiments", "title"], words=(0, 2, 3, 4)))
    print()
    _dated(found.values())


def _show(chosen: argparse.Namespace) -> None:
    if engine_errors.asked([chosen.paper]):
        engine_errors.show_grid(chosen)
        return
    paper = paper_named(chosen.paper)
    if chosen.json:
        show.print_json({**paper.to_dict(), "released": released().of(paper)})
        return
    print(f"{paper.title}\n{paper.authors}, {paper.year}. {paper.source}\n\n{paper.about}\n")
    for experiment in paper.experiments:
        print(f"{experiment.id}: {experiment.title}\n  {experiment.about}")
        for tier, size in experiment.tiers.items():
            print(f"  {tier}: {size.about} {len(experiment.cases(tier))} cases.")
        for one in experiment.assumptions:
            print(f"  assumed: {one.what}: {one.value}. {one.why} Otherwise: {one.effect}")
        for fitted in experiment.fitted:
            print(f"  fitted: {fitted.what} = {fitted.value:g}, to {fitted.to}: {fitted.how}")
        for number in experiment.chosen:
            print(f"  chosen: {number.what} = {_value(number.value, '')}. {number.why}")
        for limit in experiment.cannot_show:
            print(f"  cannot show: {limit}")
        print()
    print(_targets(paper))
    found = released().of(paper, figures=False)
    if not found["targets"]:
        return
    print()
    _dated([found])
    _print_verdicts(found["targets"])


def _dated(found: Iterable[dict[str, Any]]) -> None:
    """Print the date of the shipped verdicts, the number of runs behind them, and what changed since."""
    found = [one for one in found if one["targets"]]
    for version, tier, date in dict.fromkeys((one["version"], one["tier"], one["date"]) for one in found):
        runs = sum(one["runs"] for one in found if (one["version"], one["date"]) == (version, date))
        print(f"verdicts that came with version {version}: tier {tier}, {runs} runs on {date}")
    first = found[0]
    print(f"run them here: {first['command'] if len(found) == 1 else first['command'].rpartition(' ')[0]}")
    for note in dict.fromkeys(one["note"] for one in found if one["note"]):
        print(note)
    changed = list(dict.fromkeys(part for one in found for part in one["changed"]))
    if changed:
        print(f"changed since, so that numbers may differ: {', '.join(changed)}")


def _counts(targets: list[dict[str, Any]]) -> dict[str, int]:
    return {verdict: sum(target["verdict"] == verdict for target in targets) for verdict in _VERDICTS}


def _cases(chosen: argparse.Namespace) -> None:
    paper = paper_named(chosen.paper)
    cases = cases_of(paper, chosen.tier)
    if chosen.json:
        show.print_json({"paper": paper.id, "tier": chosen.tier, "cases": [case.to_dict() for case in cases]})
        return
    rows = [[case.experiment, case.case, ", ".join(case.targets)] for case in cases]
    print(show.table(rows, ["experiment", "case", "decides"], words=(0, 1, 2)))


def _scenario(chosen: argparse.Namespace) -> None:
    print(json.dumps(scenario_of(chosen.experiment, chosen.case, chosen.tier), indent=2, ensure_ascii=False))


def _targets(paper: Paper) -> str:
    rows = [
        [t.id, t.metric, _value(t.published, t.unit), t.comparison.text(), t.confidence, t.follows_from, t.source]
        for t in paper.targets
    ]
    header = ["id", "metric", "published", "rule", "confidence", "follows from", "source"]
    return show.table(rows, header, words=(0, 1, 2, 3, 4, 5, 6))


def _run(chosen: argparse.Namespace) -> None:
    if engine_errors.asked(chosen.ids):
        engine_errors.run_grid(chosen)
        return
    from footroom.papers.runner import run
    from footroom.studies.journal import Journal

    asked = json.dumps([sorted(chosen.ids), chosen.tier])
    journal = Journal.of(f"papers-{hashlib.sha256(asked.encode()).hexdigest()[:32]}")
    if journal is not None and journal.found:
        show.tell(f"{journal.found} runs were finished before the interruption and are not repeated")
    progress = show.Progress()
    done = False
    try:
        found = run(
            chosen.ids, chosen.tier, workers=chosen.workers, on_progress=progress, on_case=_tell, cache=journal
        ).to_dict()
        done = True
    finally:
        progress.clear()
        if journal is not None and (done or len(journal) == 0):
            journal.discard()
        elif journal is not None:
            journal.close()
            show.tell(f"finished runs are kept ({len(journal)}): the same command goes on from there")
    if chosen.json:
        show.print_json(found)
        return
    if found["targets"]:
        _print_verdicts(found["targets"], found["tier"])
    else:  # experiments that only explain
        print("\n\n".join(map(_figure, found["figures"])))
    for t in found["targets"]:
        if t["rule_note"]:
            print(f"\n{t['id']}, how it is judged: {t['rule_note']}")
    print()
    if found["targets"]:
        print(f"{_counted(found['counts'])} of {len(found['targets'])} targets")
        given = [t["follows_from"] for t in found["targets"] if t["follows_from"] != "simulation"]
        if given:
            kinds = ", ".join(f"{given.count(kind)} {words}" for kind, words in _FOLLOWS.items() if kind in given)
            print(
                f"{_counted(found['simulation_counts'])} of the {len(found['targets']) - len(given)} "
                f"that follow from the simulation; left out: {kinds}"
            )
    used = {t["experiment"] for t in found["targets"]} | {run["experiment"] for run in found["runs"]}
    owners = [(paper.id, e) for paper in papers() for e in paper.experiments if e.id in used]
    picked, fitted = sum(len(e.chosen) for _, e in owners), sum(len(e.fitted) for _, e in owners)
    if picked or fitted:
        names = ", ".join(dict.fromkeys(paper for paper, _ in owners))
        print(
            f"these results use {picked} chosen and {fitted} fitted numbers that no paper gives: "
            f"footroom papers show {names}"
        )
    print(f"tier {found['tier']}, {len(found['runs'])} runs, {found['wall_s']:.0f} s")


def _print_verdicts(targets: Sequence[Mapping[str, Any]], tier: str = "laptop") -> None:
    """Print published values beside ours, and the reason for each target that is not met."""
    rows = [
        [
            t["id"],
            t["metric"],
            _value(t["published"], t["unit"]),
            _value(t["ours"], t["unit"]),
            _interval(t["interval"]),
            t["comparison"],
            _VERDICTS[t["verdict"]],
        ]
        for t in targets
    ]
    header = ["id", "metric", "published", "ours", "95 %", "rule", "verdict"]
    print(show.table(rows, header, words=(0, 1, 2, 3, 4, 5, 6)))
    for t in targets:
        if t["verdict"] != "met":
            print(f"\n{t['id']} {_VERDICTS[t['verdict']]}: {t['reason']}")
            for text in (t["explanation"], t["sensitivity"]):
                if text:
                    print(f"    {text}")
            if t["shown_by"]:
                where = f"{t['shown_by']['experiment']} {quote(t['shown_by']['case'])}"
                print(f"    see it: footroom papers scenario {where} --tier {tier} > case.json; footroom run case.json")


def _counted(counts: Mapping[str, Any]) -> str:
    """Verdicts in words; none where nothing was judged."""
    words = ", ".join(f"{counts[verdict]} {word.lower()}" for verdict, word in _VERDICTS.items())
    return words if any(counts.values()) else ""


def _figure(figure: Mapping[str, Any]) -> str:
    """A figure's points as a table, where there are few enough to read."""
    x, y = figure["x"], figure["y"]
    rows = [
        [series["name"], _value(at, x["unit"]), _value(value, y["unit"])]
        for series in figure["series"]
        for at, value in zip(series["x"], series["y"], strict=True)
    ]
    text = (
        f"{len(rows)} points: see --json"
        if len(rows) > _MOST_ROWS
        else show.table(rows, ["series", x["title"], y["title"]], words=(0, 1, 2))
    )
    return "\n".join([f"{figure['id']}: {figure['title']}", *figure["notes"], text])


def _tell(experiment: str, case: str, done: int, total: int) -> None:
    """A line per finished case where no bar is shown, so that a log shows the progress."""
    if not sys.stderr.isatty():
        show.tell(f"{done} of {total}: {experiment} {case}")


def _value(value: Any, unit: str) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(part, unit)}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(_value(part, unit) for part in value)
    if isinstance(value, str):
        return value
    return show.number(float(value), unit) if unit in _UNITS else f"{value:.4g}"


_FOLLOWS = {"input": "inputs", "geometry": "geometry", "fit": "fits", "construction": "by construction"}
#: Of a figure's table at most.
_MOST_ROWS = 40
_UNITS = ("1", "s", "B", "bit/s", "packet")


def _interval(interval: Sequence[float] | None) -> str:
    return "" if interval is None else json.dumps([float(f"{end:.3g}") for end in interval])
