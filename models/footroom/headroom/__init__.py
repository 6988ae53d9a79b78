"""Headroom: memory kept for packets that arrive after a pause was asked for.

The axis ``switch.headroom`` of a scenario lives here, and so does the calculator. The package can be called, because
``footroom.headroom`` is both this package and the function of the public interface (docs/adr/0007):

    import footroom as fr
    fr.headroom(speed="100G", cable="300 m").schemes["sih"]["headroom"]
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from footroom.headroom.dynamic_shared import DynamicShared
from footroom.headroom.none import NoHeadroom
from footroom.headroom.pausing import Pausing
from footroom.headroom.static_independent import StaticIndependent
from footroom.headroom.watchdog import Watchdog
from footroom.registry import Registry

if TYPE_CHECKING:
    from footroom.headroom.answer import HeadroomAnswer

Kinds = NoHeadroom | StaticIndependent | DynamicShared
REGISTRY = Registry("headroom", "Memory reserved for packets that arrive after a pause frame was sent", Kinds)
Headroom = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "DynamicShared", "Headroom", "NoHeadroom", "Pausing", "StaticIndependent", "Watchdog"]


class _Callable(ModuleType):
    """The package as a function; the calculator is loaded on the first call, because every scenario imports us."""

    def __call__(self, **asked: Any) -> HeadroomAnswer:
        """Headroom of one link by each scheme; see :func:`footroom.headroom.compute.headroom`."""
        from footroom.headroom.compute import headroom

        return headroom(**asked)


sys.modules[__name__].__class__ = _Callable
