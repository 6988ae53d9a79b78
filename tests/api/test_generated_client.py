"""openapi-python-client generates every operation, where it is installed: ``pipx install openapi-python-client``."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from footroom_api.app import create_app

_TOOL = shutil.which("openapi-python-client")


@pytest.mark.skipif(_TOOL is None, reason="openapi-python-client is not installed: pipx install openapi-python-client")
def test_every_operation_is_generated_without_a_warning(tmp_path: Path) -> None:
    described, settings, client = tmp_path / "openapi.json", tmp_path / "settings.yaml", tmp_path / "client"
    document = create_app().openapi()
    described.write_text(json.dumps(document))
    settings.write_text("post_hooks: []\n")  # formatting the client needs ruff, and is a warning without it
    asked = ["generate", "--path", described, "--output-path", client, "--meta", "none", "--config", settings]
    words = [str(_TOOL), *map(str, asked), "--fail-on-warning"]
    made = subprocess.run(words, check=False, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    generated = {path.stem for path in (client / "api").rglob("*.py")} - {"__init__"}
    operations = {one["operationId"] for item in document["paths"].values() for one in item.values()}
    assert generated == {re.sub("(?=[A-Z])", "_", name).lower() for name in operations}
