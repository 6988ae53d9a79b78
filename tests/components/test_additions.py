"""What CONTRIBUTING.md lists for a new law, option of hosts and paper is all that each needs: a copy of the package."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import footroom
from footroom.scenario.kinds import REGISTRIES

_LAW = '''"""A law of this test."""

from typing import ClassVar, Literal

from footroom.base.component import About
from footroom.parts.congestion.newreno import NewReno


class Tuned(NewReno):
    """NewReno by another name."""

    kind: Literal["tuned"] = "tuned"
    about: ClassVar[About] = About("Tuned", "Grows as NewReno does.")
'''

_OPTION = '    patience: Time = option(0.0, "s", "How long it waits.", ge=0, le=1)\n'

_ASK = """
import json
import footroom
from footroom.scenario.kinds import REGISTRIES
import numpy as np
from footroom.engines.packet.classes import CLASS
from footroom.engines.plan import build_plan
from footroom.papers.catalogue import papers
from footroom.studies import catalog

entry = {"kind": "long_lived", "flows": 1, "congestion": {"kind": "tuned"}, "host": {"patience": "2 ms"}}
scenario = footroom.Scenario.parse({
    "topology": {"kind": "dumbbell", "bottleneck": "10 Mb/s", "rtt": "20 ms"},
    "switch": {"buffer": "30 kB"}, "traffic": [entry], "run": {"duration": 2, "warmup": 0.1},
})
axis = next(one for one in catalog()["axes"] if one["axis"] == "congestion")
schema = json.dumps(footroom.Scenario.model_json_schema())
print(json.dumps({
    "copy": footroom.__file__,
    "catalogue": "tuned" in [kind["kind"] for kind in axis["kinds"]],
    "schema": ["patience" in schema, '"tuned"' in schema],
    "papers": [paper.id for paper in papers()],
    "column": "patience" in np.dtype(CLASS).names,
    "stack": build_plan(scenario).stacks[0].options["patience"],
}))
"""


def _put(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) >= 1, f"{path.name} has no {before!r}"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a copy of the package says once it has a law, an option of hosts and a paper more."""
    folder = tmp_path_factory.mktemp("copy")
    source = Path(footroom.__file__).parent
    package = shutil.copytree(source, folder / "footroom", ignore=shutil.ignore_patterns("__pycache__"))

    laws = package / "parts" / "congestion"
    (laws / "tuned.py").write_text(_LAW, encoding="utf-8")
    registered = "import Timely\nfrom footroom.parts.congestion.tuned import Tuned\n"
    _put(laws / "__init__.py", "import Timely\n", registered)
    _put(laws / "__init__.py", "Kinds = ", "Kinds = Tuned | ")

    _put(
        package / "parts" / "traffic" / "host.py",
        "    ack_every: int = option(",
        f"{_OPTION}    ack_every: int = option(",
    )

    papers = package / "papers"
    paper = json.loads((papers / "data" / "dsh.json").read_text(encoding="utf-8")) | {"id": "made-up"}
    (papers / "data" / "made-up.json").write_text(json.dumps(paper), encoding="utf-8")
    _put(papers / "catalogue.py", '"dsh")', '"dsh", "made-up")')

    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", _ASK], check=False, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    assert Path(str(answer["copy"])).is_relative_to(folder), "the copy was not what answered"
    return answer


def test_a_law_needs_its_file_and_its_registry(found: dict[str, object]) -> None:
    assert found["catalogue"] is True
    assert found["schema"] == [True, True]


def test_an_option_of_hosts_needs_its_field(found: dict[str, object]) -> None:
    assert found["column"] is True
    assert found["stack"] == 2_000_000_000  # picoseconds


def test_a_paper_needs_its_file_and_its_line(found: dict[str, object]) -> None:
    assert "made-up" in found["papers"]  # type: ignore[operator]


def test_a_view_is_named_by_nothing_outside_its_folder() -> None:
    """The folder is found by its name, and the list of views says the name."""
    pages = Path(__file__).parents[2] / "frontend" / "src"
    outside = [path for path in pages.rglob("*.ts*") if (pages / "views") not in path.parents]
    assert len(outside) > 50, "the search has lost sight of the page"
    assert [str(path) for path in outside if '"@/views/' in path.read_text(encoding="utf-8")] == []


def test_every_kind_of_part_has_its_row() -> None:
    """A row names the file of a new kind; fluid markings are kept beside the axes."""
    text = (Path(footroom.__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for axis in [registry.axis for registry in REGISTRIES]:
        assert f"`models/footroom/parts/{axis}/KIND.py`" in text, axis
        assert f"`parts/{axis}/__init__.py`" in text, axis
    assert "`models/footroom/engines/fluid/markings/KIND.py`" in text
