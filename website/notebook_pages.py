"""The notebooks with their outputs. ``FOOTROOM_NOTEBOOKS=run`` runs them; without it the pages have the code alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import figure_html
import nbformat
from nbclient import NotebookClient


def names(folder: Path) -> list[str]:
    """The pages in order."""
    return [f"notebooks/{path.stem}.md" for path in sorted(folder.glob("*.ipynb"))]


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Every notebook as a page, and a list of them."""
    titles = []
    for path in sorted(folder.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        if os.environ.get("FOOTROOM_NOTEBOOKS") == "run":
            os.environ["PLOTLY_RENDERER"] = "plotly_mimetype"
            NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": str(folder)}}).execute()
        text = "\n\n".join(part for cell in notebook.cells for part in _cell(cell))
        titles.append(f"- [{text.partition(chr(10))[0].lstrip('# ')}]({path.stem}.md)")
        yield f"notebooks/{path.stem}.md", text
    yield "notebooks/index.md", "# Notebooks\n\nThey lie in `notebooks` and run as they stand.\n\n" + "\n".join(titles)


def _cell(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        # In the repository ``docs`` lies beside ``notebooks``, on the site around it.
        yield cell.source.replace("](../docs/", "](../")
        return
    yield f"```python\n{cell.source}\n```"
    for output in cell.get("outputs", ()):
        yield from _output(output)


def _output(output: Any) -> Iterator[str]:
    if output.output_type == "stream":
        yield f"```\n{output.text.rstrip()}\n```"
        return
    data = output.get("data", {})
    if "application/vnd.plotly.v1+json" in data:
        yield figure_html.block(data["application/vnd.plotly.v1+json"])
    elif "text/html" in data:
        # pandas brings its own style, which the site's takes the place of.
        table = re.sub(r"<style.*?</style>|\n\s*", "", data["text/html"], flags=re.DOTALL)
        yield f'<div class="figure-table">{table}</div>'
    elif "text/plain" in data:
        yield f"```\n{data['text/plain']}\n```"
