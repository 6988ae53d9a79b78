"""Headroom: memory kept for packets that arrive after a switch asked for a pause.

The axis ``switch.headroom`` of a scenario. The formulas are in ``footroom.formulas.headroom``.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.headroom.dynamic_shared import DynamicShared
from footroom.parts.headroom.none import NoHeadroom
from footroom.parts.headroom.pausing import Pausing
from footroom.parts.headroom.static_independent import StaticIndependent
from footroom.parts.headroom.watchdog import Watchdog

Kinds = NoHeadroom | StaticIndependent | DynamicShared
REGISTRY = Registry("headroom", "Memory reserved for packets that arrive after a pause frame was sent", Kinds)
Headroom = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "DynamicShared", "Headroom", "NoHeadroom", "Pausing", "StaticIndependent", "Watchdog"]
