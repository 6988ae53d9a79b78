"""Stored results are kept when words of the code are edited, and discarded when what it does is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from footroom.base.compile_cache.unit import source
from footroom.studies.fingerprint import fingerprint

_LAW = '''"""A law."""

GAIN = 1 / 16


class Law:
    """Its class."""

    scale: float = 2.0

    def cut(self, window: float) -> float:
        """Cut the window."""
        # by half
        if "cwr" in {"ece", "cwr", "ce"}:
            return window / self.scale
        return GAIN * max(window, 1.0)
'''

#: Edits, each of which takes the place of a text of ``_LAW``: such that change only words and lines, and others.
_SAME = [
    ('"""A law."""', '"""Another docstring.\n\nOn several lines.\n"""'),
    ('"""Its class."""', '"""Its only class."""'),
    ('"""A law."""\n', ""),
    ('    """Its class."""\n', ""),
    ('        """Cut the window."""\n', ""),
    ('"""Cut the window."""', "'''Cut.'''"),
    ("# by half", "# in two"),
    ("max(window, 1.0)", "max(\n            window,\n            1.0,\n        )"),
    ("class Law", "\n\nclass Law"),
]
_OTHER = [
    ("1 / 16", "1 / 8"),
    ("= 2.0", "= 2"),
    ("window / self.scale", "window * self.scale"),
    ('"ce"}', '"ec"}'),
    ("max(window, 1.0)", "min(window, 1.0)"),
    ("max(window, 1.0)", "max(window, -0.0)"),
    ("window: float)", "window: float = 1.0)"),
    ("def cut(", "def cut_window("),
]


def _address(folder: Path, law: str, data: str = "1") -> str:
    package = folder / "footroom"
    (package / "engines" / "packet").mkdir(parents=True, exist_ok=True)
    (package / "engines" / "packet" / "law.py").write_text(law)
    (package / "engines" / "packet" / "data.csv").write_text(data)
    source.cache_clear()
    return fingerprint.__wrapped__("packet", package)


@pytest.mark.parametrize(("edit", "kept"), [(edit, True) for edit in _SAME] + [(edit, False) for edit in _OTHER])
def test_an_edit_of_words_keeps_results_and_one_of_code_does_not(
    edit: tuple[str, str],
    kept: bool,
    tmp_path: Path,
) -> None:
    assert _LAW.count(edit[0]) == 1
    assert (_address(tmp_path, _LAW) == _address(tmp_path, _LAW.replace(*edit))) == kept


def test_a_docstring_where_nothing_else_is_counts_for_nothing(tmp_path: Path) -> None:
    found = {_address(tmp_path, f"class Law:\n    {body}\n") for body in ("pass", '"""A law."""', '"""A law."""; pass')}
    assert len(found) == 1


def test_an_edit_of_data_discards_results(tmp_path: Path) -> None:
    assert _address(tmp_path, _LAW) != _address(tmp_path, _LAW, "2")


def test_every_process_finds_the_same_address() -> None:
    """A set of constants is in another order in every process that hashes text differently."""
    program = "from footroom.studies.fingerprint import fingerprint; print(fingerprint('packet'))"
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {fingerprint("packet")}
