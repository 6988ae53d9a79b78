"""Switch configuration from a scenario, and back: what a vendor's switch is told, and what it was told.

The package can be called, because ``footroom.export`` is both this package and a function of the public interface
(docs/adr/0007):

    import footroom as fr
    fr.export("sonic", ports="32x100G@40m", asic="tomahawk").write("out")
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footroom.export.answer import Export
    from footroom.scenario.source import Source


class _Callable(ModuleType):
    """The package as a function; what it needs is loaded on the first call."""

    def __call__(self, target: str, scenario: Source | None = None, **given: Any) -> Export:
        """The configuration of one switch for ``target``; see :func:`footroom.export.interface.export`."""
        from footroom.export.interface import export

        return export(target, scenario, **given)


sys.modules[__name__].__class__ = _Callable
