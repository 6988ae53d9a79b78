"""Verdicts and figures that come with the package: what runs of the papers found before the release.

They are shown where a paper was not run here yet; an own run replaces them. A result is stale where code that its runs
execute, or the paper's own experiments and rules, have changed since: ``changed`` names these parts, and page, command
line and API show them beside the verdicts.

    footroom papers run --tier laptop --json > run.json
    python -m footroom.papers.release run.json 2026-11-22 > release.json

One paper can be renewed alone; ``--keep`` copies the results of the others from the file that was shipped so far:

    footroom papers run smartbuf --tier laptop --json > run.json
    python -m footroom.papers.release run.json 2026-11-22 --keep old.json > release.json

Write it from the tree that ran it, or name that tree's ``models/footroom`` with ``--tree``.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from footroom.base.compile_cache.unit import source
from footroom.base.version import VERSION
from footroom.papers.measures import MEASURES, leaves
from footroom.papers.paper import Paper, Tier, describe, why

_PACKAGE = Path(__file__).parents[1]
#: What a run of a paper executes, beside the paper's own data.
PARTS = (
    "base/framing.py",
    "base/rng.py",
    "engines/packet",
    "engines/plan",
    "formulas/headroom",
    "kernel",
    "papers/comparison",
    "papers/figures/plots.py",
    "papers/cases.py",
    "papers/expression.py",
    "parts/architecture",
    "parts/congestion",
    "parts/headroom",
    "parts/marking",
    "parts/scheduling",
    "parts/sharing",
    "parts/sizes",
    "parts/topology",
    "parts/traffic",
    "scenario",
    *(f"papers/measures/{name}.py" for name in ("answer", "estimate", "flows", "registry", "spec")),
)
#: Measures by file: a paper's results depend on those that its targets name.
_MEASURES = tuple(sorted({measure.function.__module__.rpartition(".")[2] for measure in MEASURES.values()}))
MEASURE_PARTS = tuple(f"papers/measures/{name}.py" for name in _MEASURES)
#: Files of ``PARTS`` that closed forms, fluids and notes read; no number of a packet run depends on them.
_NOT_RUN = frozenset(
    f"scenario/{name}.py"
    for name in ("beside", "bottleneck", "collisions", "lockout", "one_more", "one_more_bbr", "short_runs", "unpaced")
)
#: What is kept of a verdict; the rest stands in the paper's data.
_KEPT = ("id", "ours", "interval", "verdict", "reason", "samples", "replicas", "support")
#: Significant digits of what is kept, and of the numbers that rules compare, some of which require equality.
_DIGITS, _JUDGED = 4, 8


@dataclass(frozen=True)
class Origin:
    """The run that a paper's results come from.

    date: day of the run, ISO 8601.  version: of the package that ran it.  runs: how many there were of the paper's
    experiments.  digests: of ``PARTS`` and of the paper as they were run.  note: how that run differs from the command,
    empty where it does not.
    """

    date: str
    version: str
    runs: int
    digests: Mapping[str, str]
    note: str = ""


@dataclass(frozen=True)
class Released:
    """What runs before the release found.

    command: how to run all papers again.  origins: by paper; of a paper without results, none.  targets: by id, what
    was found.  figures: by id, as plain data.
    """

    tier: Tier
    command: str
    origins: Mapping[str, Origin]
    targets: Mapping[str, Mapping[str, Any]]
    figures: Mapping[str, Mapping[str, Any]]

    def changed(self, paper: Paper) -> list[str]:
        """Parts of the code that changed since, and "paper" where its experiments or rules did; of no result, none."""
        if paper.id not in self.origins:
            return []
        now, then = digests(), self.origins[paper.id].digests
        found = [part for part in (*PARTS, *_measured(paper)) if now.get(part) != then.get(part)]
        return found + ["paper"] * (now.get(paper.id) != then.get(paper.id))

    def of(self, paper: Paper, figures: bool = True) -> dict[str, Any]:
        """Results of ``paper`` as plain data, without targets that were not judged; empty where it has no results
        yet.
        """
        origin = self.origins.get(paper.id, Origin(date="", version="", runs=0, digests={}))
        judged = [
            {
                **describe(target),
                **self.targets[target.id],
                "tier": self.tier,
                **why(target, self.targets[target.id]["verdict"]),
            }
            for target in paper.targets
            if target.id in self.targets
        ]
        drawn = [
            {**self.figures[spec.id], "published": [line.model_dump() for line in spec.published]}
            for spec in paper.figures
            if spec.id in self.figures
        ]
        return {
            "tier": self.tier,
            "date": origin.date,
            "version": origin.version,
            "command": f"{self.command} {paper.id}",
            "runs": origin.runs,
            "note": origin.note,
            "changed": self.changed(paper),
            "targets": judged,
            **({"figures": drawn} if figures else {}),
        }


@functools.cache
def released() -> Released:
    """What came with this version."""
    return read(resources.files("footroom.papers").joinpath("data", "release.json").read_text(encoding="utf-8"))


def read(text: str) -> Released:
    """The results in ``text``, a file that ``write`` made."""
    found = json.loads(text)
    for part in ("targets", "figures"):
        found[part] = {one["id"]: one for one in found[part]}
    return Released(**{**found, "origins": {paper: Origin(**one) for paper, one in found["origins"].items()}})


def _measured(paper: Paper) -> tuple[str, ...]:
    """Files of the measures that the paper's targets name."""
    named = {leaf.measure for target in paper.targets for leaf in leaves(target.measure)}
    used = {MEASURES[name].function.__module__.rpartition(".")[2] for name in named}
    return tuple(f"papers/measures/{name}.py" for name in sorted(used))


@functools.cache
def digests(package: Path = _PACKAGE) -> dict[str, str]:
    """Hash of every part that runs of papers execute, and of every paper's experiments and rules.

    Only the statements of a part count, not layout, comments or docstrings.
    """
    found: dict[str, str] = {}
    for part in (*PARTS, *MEASURE_PARTS):
        home = package / part
        digest = hashlib.sha256()
        for path in sorted(home.rglob("*.py")) if home.is_dir() else [home]:
            if path.exists() and path.relative_to(package).as_posix() not in _NOT_RUN:
                digest.update(f"{path.relative_to(package).as_posix()}\0{source(path)}".encode())
        found[part] = digest.hexdigest()[:12]
    for path in sorted((package / "papers" / "data").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if path.stem != "release":
            kept = json.dumps(_decisive(data), sort_keys=True)
            found[path.stem] = hashlib.sha256(kept.encode()).hexdigest()[:12]
    return found


def _decisive(paper: Mapping[str, Any]) -> list[Any]:
    """The part of a paper's data that decides its verdicts and figures, without texts."""
    experiments = [
        [
            {name: one.get(name) for name in ("id", "base", "axes", "overrides")},
            {
                tier: {name: size.get(name) for name in ("set", "only", "replicas", "most_replicas")}
                for tier, size in one["tiers"].items()
            },
        ]
        for one in paper["experiments"]
    ]
    targets = [
        {name: one.get(name) for name in ("id", "experiment", "published", "comparison", "measure")}
        for one in paper["targets"]
    ]
    figures = [
        {name: one.get(name) for name in ("id", "plot", "experiment", "cases", "with")}
        for one in paper.get("figures", ())
    ]
    return [experiments, targets, figures]


def table() -> str:
    """The verdicts as rows of Markdown, as docs/papers.md shows them."""
    from footroom.papers.catalogue import papers

    rows = ["| target | what | published | ours, 95 % | verdict | support | follows from |", "|---" * 7 + "|"]
    for paper in papers():
        for target in released().of(paper, figures=False)["targets"]:
            verdict = target["verdict"].replace("_", " ")
            ends = target["interval"]
            rows.append(
                "| "
                + " | ".join(
                    (
                        target["id"],
                        target["metric"],
                        _text(target["published"]),
                        _text(target["ours"]) + ("" if ends is None else f" [{ends[0]:.3g}, {ends[1]:.3g}]"),
                        verdict if verdict == "met" else f"**{verdict}**",
                        "" if target["support"] is None else f"{target['support']:.2f}",
                        "" if target["follows_from"] == "simulation" else target["follows_from"],
                    )
                )
                + " |"
            )
    return "\n".join(rows)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(_text(one) for one in value)
    return f"{value:.3g}" if isinstance(value, (int, float)) else str(value if value is not None else "–")


def _round(value: Any, digits: int = _DIGITS) -> Any:
    """The same with numbers of so many significant digits."""
    if isinstance(value, dict):
        return {name: _round(one, digits) for name, one in value.items()}
    if isinstance(value, list):
        return [_round(one, digits) for one in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def _kept(target: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _round(target[name], _JUDGED if name == "ours" else _DIGITS) for name in _KEPT}


def write(
    run: Mapping[str, Any], date: str, package: Path = _PACKAGE, note: str = "", before: Released | None = None
) -> str:
    """The file's text for ``run``, a finished run of whole papers as plain data: a line a target and a line a figure.

    package: the tree that ran it.  before: results of papers that were not run, which are kept as they are.
    """
    from footroom.papers.catalogue import papers

    all_digests = digests(package)
    parts = {part: all_digests[part] for part in (*PARTS, *MEASURE_PARTS)}
    origins = {} if before is None else {name: asdict(origin) for name, origin in before.origins.items()}
    targets = {} if before is None else {name: dict(found) for name, found in before.targets.items()}
    figures = {} if before is None else {name: dict(found) for name, found in before.figures.items()}
    targets |= {one["id"]: _kept(one) for one in run["targets"]}
    figures |= {
        one["id"]: {name: _round(value) for name, value in one.items() if name != "published"} for one in run["figures"]
    }
    ran = {one["id"] for one in run["targets"]}
    for paper in papers():
        if any(target.id in ran for target in paper.targets):
            own = {experiment.id for experiment in paper.experiments}
            count = sum(one.get("experiment") in own for one in run["runs"])
            origins[paper.id] = asdict(Origin(date, VERSION, count, {**parts, paper.id: all_digests[paper.id]}, note))
    head = {"tier": run["tier"], "command": f"footroom papers run --tier {run['tier']}"}
    kept = [
        [known[one.id] for paper in papers() for one in getattr(paper, part) if one.id in known]
        for part, known in (("targets", targets), ("figures", figures))
    ]
    rows = [f" {json.dumps(name)}: {json.dumps(origins[name])}" for name in origins]
    lines = [",\n  ".join(json.dumps(one, ensure_ascii=False) for one in part) for part in kept]
    return (
        f'{json.dumps(head)[:-1]},\n "origins": {{\n '
        + ",\n ".join(rows)
        + f'\n}},\n "targets": [\n  {lines[0]}\n],\n "figures": [\n  {lines[1]}\n]}}\n'
    )


def main(given: Sequence[str]) -> None:
    """Print the file for a run: ``run.json DATE [--keep FILE] [--tree DIRECTORY] [--note TEXT]``."""
    parser = argparse.ArgumentParser(prog="python -m footroom.papers.release")
    parser.add_argument("run", type=Path, help="what `footroom papers run --json` printed")
    parser.add_argument("date", help="day of the run, 2026-11-22")
    parser.add_argument("--keep", type=Path, help="file with the results of papers that were not run")
    parser.add_argument("--tree", type=Path, default=_PACKAGE, help="models/footroom of the tree that ran it")
    parser.add_argument("--note", default="", help="how the run differs from the command")
    chosen = parser.parse_args(given)
    before = None if chosen.keep is None else read(chosen.keep.read_text(encoding="utf-8"))
    run = json.loads(chosen.run.read_text(encoding="utf-8"))
    sys.stdout.write(write(run, chosen.date, chosen.tree, chosen.note, before))


if __name__ == "__main__":
    main(sys.argv[1:])
