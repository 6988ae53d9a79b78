"""What of the site is not written by hand: the repository's own documents, and pages made from the package."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import gallery
import notebook_pages
import reference_pages

#: Documents at the top of the repository, and the page each becomes.
_TOP = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, and the files that they need."""
    made: dict[str, str | bytes] = {page: _moved((ROOT / name).read_text("utf-8")) for name, page in _TOP.items()}
    made |= {
        **dict(reference_pages.pages()),
        **dict(notebook_pages.pages(ROOT / "notebooks")),
        "gallery.md": gallery.page(),
    }
    made |= {name: (HERE / name).read_bytes() for name in ("website.css", "figures.js", "formulas.js")}
    made["plotly.min.js"] = resources.files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    made["katex.min.js"] = (ROOT / "frontend" / "node_modules" / "katex" / "dist" / "katex.min.js").read_bytes()
    made["adr/index.md"] = "# Decisions\n\n" + "\n".join(_decisions())
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the made pages into the navigation, where a folder stands for all that lies in it."""
    listed = {
        "notebooks/": ["notebooks/index.md", *notebook_pages.names(ROOT / "notebooks")],
        "reference/": reference_pages.names(),
        "adr/": ["adr/index.md", *sorted(f"adr/{path.name}" for path in (ROOT / "docs" / "adr").glob("*.md"))],
    }
    config.nav = _listed(config.nav, listed)
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links from ``docs`` to the notebooks lead to their pages."""
    return re.sub(r"\]\(\.\./notebooks/(\w+)\.ipynb\)", r"](notebooks/\1.md)", markdown)


def _listed(nav: Any, folders: dict[str, list[str]]) -> Any:
    if isinstance(nav, list):
        return [_listed(entry, folders) for entry in nav]
    if isinstance(nav, dict):
        return {title: _listed(entry, folders) for title, entry in nav.items()}
    return folders.get(nav, nav)


def _moved(text: str) -> str:
    """A document of the repository's top folder with its links as they are on the site."""
    for name, page in _TOP.items():
        text = text.replace(f"]({name})", f"]({page})")
    text = re.sub(r"\]\(notebooks/(\w+)\.ipynb\)", r"](notebooks/\1.md)", text)
    text = text.replace("](docs/adr)", "](adr/index.md)").replace("](docs/", "](")
    # What is no page of the site stands as plain text.
    return re.sub(r"\[([^\]]+)\]\((?:CITATION\.cff|LICENSE)\)", r"\1", text)


def _decisions() -> Iterator[str]:
    for path in sorted((ROOT / "docs" / "adr").glob("*.md")):
        title = path.read_text("utf-8").partition("\n")[0].lstrip("# ")
        yield f"- [{title}]({path.name})"
