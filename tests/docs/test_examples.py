"""The examples of the documentation run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(("page", "count"), [("simpy.md", 8), ("recording.md", 1)])
def test_the_blocks_of_a_page_run_one_after_the_other(page: str, count: int) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= count
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
