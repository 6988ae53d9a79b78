"""What README and docs show below a command is what the command prints."""

from __future__ import annotations

import re
import shlex

import pytest
from tests.repository.conftest import ROOT

from footroom.cli import main

#: Commands that simulate for longer than a test may take.
SLOW = ("size wan-bottleneck --require 'utilisation>=0.99' --require", "run.duration=3000s")
#: What the commands take differs from machine to machine.
TIME = re.compile(r"in [\d.]+ s\)")


def blocks(text: str) -> list[tuple[str, list[str]]]:
    """Each command after a prompt, with the lines that a document shows below it."""
    found = []
    for code in re.findall(r"^```\w*\n(.*?)^```", text.replace("\\\n", " "), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
            command, *lines = part.splitlines()
            if command.startswith("footroom ") and not any(words in command for words in SLOW):
                found.append((command, [line for line in lines if line.strip() not in ("", "...")]))
    return found


def shown() -> list[tuple[str, str, list[str]]]:
    found = []
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        same = re.search(r"`SAME` is\s+`([^`]*)`", text)
        for command, lines in blocks(text):
            whole = command.replace("SAME", " ".join(same[1].split())) if same else command
            found.append((path.name, whole, lines))
    return found


def cells(line: str) -> str:
    """A line whatever the width of its columns. A document may leave out the last ones."""
    return TIME.sub("in TIME)", " ".join(line.split()))


@pytest.mark.parametrize(("document", "command", "lines"), shown())
def test_a_document_shows_what_its_command_prints(
    document: str, command: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if "excerpt" in command:
        pytest.skip("some columns and rows of it are shown")
    words = shlex.split(command, comments=True)[1:]
    assert main(words) == 0
    printed = [f"{cells(line)} " for line in capsys.readouterr().out.splitlines()]
    missing = [line for line in lines if not any(one.startswith(f"{cells(line)} ") for one in printed)]
    assert [line for line in missing if set(line) - set("- ")] == []


def test_the_commands_are_found() -> None:
    assert len(shown()) >= 14
    assert blocks("```\n$ footroom x\na  1\n...\n$ npm test\n```") == [("footroom x", ["a  1"])]
