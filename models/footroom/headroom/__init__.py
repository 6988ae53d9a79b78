"""Headroom: memory kept for packets that arrive after a pause was asked for."""

from typing import Annotated

from footroom.headroom.none import NoHeadroom
from footroom.registry import Registry

Kinds = NoHeadroom
REGISTRY = Registry(
    "headroom",
    "Memory kept for packets that arrive after a pause was asked for",
    Kinds,
    planned=("static_independent", "dynamic_shared"),
)
Headroom = Annotated[Kinds, REGISTRY.check()]

__all__ = ["REGISTRY", "Headroom", "NoHeadroom"]
