"""Congestion: how a sender reacts to acknowledgements, losses and marks."""

from typing import Annotated

from footroom.congestion.law import Hooks, Law
from footroom.congestion.newreno import NewReno
from footroom.registry import Registry

Kinds = NewReno
REGISTRY = Registry("congestion", "How a sender reacts to acknowledgements, losses and marks", Kinds, planned=(
    "cubic", "bbr", "dctcp", "ictcp", "dcqcn", "hpcc", "powertcp", "timely", "swift"))
Congestion = Annotated[Kinds, REGISTRY.check()]

__all__ = ["REGISTRY", "Congestion", "Hooks", "Law", "NewReno"]
