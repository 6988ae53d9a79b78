"""What the documents promise exists."""

import json
import re
from pathlib import Path

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs")
BUILT_IN = {"ci", "install", "view"}


def documents(texts: dict[Path, str]) -> dict[Path, str]:
    return {path: text for path, text in texts.items() if path.suffix == ".md" and path.parts[0] in DOCUMENTS}


def test_documented_npm_commands_exist(texts: dict[Path, str]) -> None:
    scripts = json.loads(texts[Path("package.json")])["scripts"]
    named = re.compile(r"npm (?:run )?([a-z]+)\b")
    for path, text in documents(texts).items():
        code = "\n".join(re.findall(r"`[^`]*`", text))
        unknown = set(named.findall(code)) - scripts.keys() - BUILT_IN
        assert not unknown, f"{path} names npm commands that package.json lacks: {sorted(unknown)}"


def test_the_readme_says_how_to_start_and_to_test(texts: dict[Path, str]) -> None:
    assert {"npm start", "npm test"} <= set(re.findall(r"npm (?:start|test)", texts[Path("README.md")]))


def test_folders_named_in_documents_exist(root: Path, texts: dict[Path, str]) -> None:
    """A path stops where it has a name in capitals, which stands for one of the reader's own."""
    named = re.compile(r"`((?:models|backend|frontend|tests|docs|docker|notebooks)/[\w./-]+)`")
    paths = [
        (path, re.split(r"[A-Z]{2,}", place)[0])
        for path, text in documents(texts).items()
        for place in named.findall(text)
    ]
    assert len(paths) > 50, "the search has lost sight of the documents"
    assert [f"{path}: {place}" for path, place in paths if not (root / place).exists()] == []


def test_links_between_documents_lead_somewhere(root: Path, texts: dict[Path, str]) -> None:
    link = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
    links = [(path, target) for path, text in documents(texts).items() for target in link.findall(text)]
    local = [(path, target) for path, target in links if "://" not in target and not target.startswith("mailto:")]
    assert [f"{path}: {target}" for path, target in local if not (root / path.parent / target).exists()] == []
