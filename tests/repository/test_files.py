"""What every file of the repository keeps to."""

import json
import re
from pathlib import Path

SOURCE = {".py", ".ts", ".tsx", ".css", ".mjs", ".js"}
LONGEST = 400
WIDEST = 120


def test_no_source_file_is_too_long_to_read(texts: dict[Path, str]) -> None:
    sources = [path for path in texts if path.suffix in SOURCE and ".gen." not in path.name]
    lengths = {path: texts[path].count("\n") for path in sources}
    assert {str(path): length for path, length in lengths.items() if length > LONGEST} == {}
    assert len(lengths) > 50, "the search has lost sight of the sources"


def test_lines_of_the_page_are_not_too_wide(texts: dict[Path, str]) -> None:
    """120 columns, as Prettier has them; it leaves a string or an expression alone that cannot be broken."""
    whole = re.compile(r'^\s*(?:["/`].*|.*\{" "\})$')
    wide = {
        f"{path}:{number}": line
        for path, text in texts.items()
        if path.suffix in {".ts", ".tsx", ".mjs", ".js"} and ".gen." not in path.name
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDEST and not whole.match(line)
    }
    assert wide == {}


def test_nothing_points_into_somebodys_machine(texts: dict[Path, str]) -> None:
    """A path that begins at one machine's home or work folders works nowhere else."""
    personal = re.compile(r"(?<![\w.:/<-])/(?:home|mnt|root|Users|work)/\w+")
    found = {str(path): personal.findall(text) for path, text in texts.items() if personal.search(text)}
    assert found == {}


def test_json_holds_numbers_that_json_knows(texts: dict[Path, str]) -> None:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    for path, text in texts.items():
        if path.suffix in {".json", ".ipynb"} and not path.name.startswith("tsconfig"):
            try:
                json.loads(text, parse_constant=refuse)
            except ValueError as error:
                raise AssertionError(f"{path}: {error}") from error


def test_notebooks_are_kept_without_output(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        if path.suffix == ".ipynb":
            outputs = [cell["outputs"] for cell in json.loads(text)["cells"] if cell.get("outputs")]
            assert not outputs, f"{path} holds output; clear it, the tests run it anew"
