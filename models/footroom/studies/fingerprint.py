"""Which code produced a result: part of the address under which the result is kept.

Only statements count: a change of docstrings, comments or line breaks keeps results.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from footroom.base.compile_cache.unit import source
from footroom.base.version import VERSION

_PACKAGE = Path(__file__).parent.parent
_DATA = (".csv", ".json")
_TYPES_ONLY = re.compile(r"^([ ]*)if TYPE_CHECKING:\n(?:\1[ ]+.*\n|[ ]*\n)+", re.MULTILINE)
_IMPORT = re.compile(r"^([ ]*)(?:from[ ]+([\w.]+)[ ]+import[ ]+(\([^)]*\)|.*)|import[ ]+([\w., ]+))$", re.MULTILINE)


@functools.cache
def fingerprint(engine: str, package: Path = _PACKAGE) -> str:
    """Hash of the version, of NumPy's version, of all that ``engine`` imports, and of the data beside it.

    Results of other code never count as results of this code; modules that the engine never imports do not matter.
    """
    return _hash(package, _reached(package, sorted((package / "engines" / engine).rglob("*.py"))))


@functools.cache
def sources(folder: Path) -> str:
    """Hash of all sources and data in ``folder``."""
    return _hash(folder, set(folder.rglob("*.py")))


def _hash(root: Path, code: set[Path]) -> str:
    """Hash of ``code``, and of the data in its folders and below, except below folders of code that is left out."""
    digest = hashlib.sha256(f"{VERSION} {np.__version__}".encode())
    folders = {path.parent for path in code}
    data = {path for path in root.rglob("*") if path.suffix in _DATA and _home(path) in folders}
    for path in sorted(code | data):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(_content(path))
    return digest.hexdigest()[:16]


def _content(path: Path) -> bytes:
    return source(path).encode() if path.suffix == ".py" else path.read_bytes()


def _home(path: Path) -> Path:
    """The nearest folder with code above a file."""
    return next((folder for folder in path.parents if any(folder.glob("*.py"))), path.parent)


def _reached(package: Path, roots: list[Path]) -> set[Path]:
    """``roots`` and all modules of ``package`` that they import, wherever in their code, and these in turn."""
    found: set[Path] = set()
    names: set[str] = set()
    ahead = list(roots)
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            for name in set(_imports(path, package.name)) - names:
                names.add(name)
                ahead += _files(package, name.split(".")[1:])
    return found


def _imports(path: Path, root: str) -> Iterator[str]:
    """Dotted names below ``root`` that a file may import; names inside a module are listed too, as if modules.

    Imports inside the functions of an ``__init__`` do not count: the modules that call them import the same names.
    """
    text = _TYPES_ONLY.sub("", path.read_text(encoding="utf-8"))
    for indent, module, names, plain in _IMPORT.findall(text):
        if indent and path.name == "__init__.py":
            continue
        modules = [part.split()[0] for part in plain.split(",")] if plain else [module]
        for each in modules:
            if each.split(".")[0] == root:
                yield each
                for name in re.findall(r"\w+", names):
                    yield f"{each}.{name}"


def _files(package: Path, steps: list[str]) -> Iterator[Path]:
    """The modules that importing ``steps`` runs: every package on the way, and the module itself."""
    for count in range(len(steps) + 1):
        place = package.joinpath(*steps[:count])
        for path in (place / "__init__.py", place.with_suffix(".py")):
            if path.exists() and (count > 0 or path.name == "__init__.py"):
                yield path
