"""Which code produced a result: part of the address under which the result is kept."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import numpy as np

from footroom.studies.engines import ENGINES
from footroom.version import VERSION

_PACKAGE = Path(__file__).parent.parent
#: Folders that decide what is asked and how it is shown, not what an engine answers.
_ASIDE = frozenset({"studies", "presets", "cli", "papers", "bench"})


@functools.cache
def fingerprint(engine: str, package: Path = _PACKAGE) -> str:
    """Hash of the version, of NumPy's version and of all sources and data that ``engine`` may depend on.

    A result of other code is never taken for one of this code; other engines and the surfaces do not count.
    """
    others = {e.name for e in ENGINES} - {engine}
    digest = hashlib.sha256(f"{VERSION} {np.__version__}".encode())
    for path in sorted(package.rglob("*")):
        steps = path.relative_to(package).parts
        if path.suffix in (".py", ".csv", ".json") and steps[0] not in _ASIDE | others:
            digest.update("/".join(steps).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
