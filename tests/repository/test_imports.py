"""Who may import whom."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path


def test_import_rules_hold(root: Path) -> None:
    command = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run([command, "--no-cache", "--no-logo"], cwd=root, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_every_layer_exists(root: Path) -> None:
    """import-linter passes over a layer in brackets that is missing; a product without it must not pass."""
    configured = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in configured if contract["id"] == "layers")
    package = root / "models" / "footroom"
    names = re.findall(r"\w+", " ".join(layers))
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    present = folders | {path.stem for path in package.glob("*.py")}
    assert sorted(set(names) - present) == []


def test_the_science_imports_without_the_web() -> None:
    """Importing the package loads no web framework and no database: a notebook starts fast."""
    heavy = {"fastapi", "footroom_api", "sqlalchemy", "uvicorn"}
    code = f"import sys, footroom; print(sorted({heavy} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_what_needs_no_simulation_loads_no_numbers() -> None:
    """A command that answers in closed form starts fast: neither NumPy nor the compiler is loaded for it."""
    heavy = {"numba", "numpy", "scipy"}
    asked = "footroom.headroom(speed='100G', cable='300 m').to_dict()"
    code = f"import sys, footroom; {asked}; footroom.Result; print(sorted({heavy} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_a_scenario_is_read_without_what_runs_it() -> None:
    """A command that reads a scenario starts fast: SciPy and the compiler are loaded when something is computed."""
    heavy = {"numba", "scipy"}
    asked = "footroom.load('wan-bottleneck').to_dict()"
    code = f"import sys, footroom; {asked}; print(sorted({heavy} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
