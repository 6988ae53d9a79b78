"""Topology: which hosts and switches there are and how they are joined."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.topology.dumbbell import Dumbbell
from footroom.parts.topology.graph import Graph
from footroom.parts.topology.leaf_spine import LeafSpine
from footroom.parts.topology.network import Cable, Network, Path, Shape, SingleBottleneck, Topology
from footroom.parts.topology.parallel_planes import ParallelPlanes
from footroom.parts.topology.star import Star
from footroom.parts.topology.two_pod import TwoPod

Kinds = Dumbbell | Star | LeafSpine | TwoPod | ParallelPlanes | Graph
REGISTRY = Registry("topology", "Which hosts and switches there are and how they are joined", Kinds)
AnyTopology = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = [
    "REGISTRY",
    "AnyTopology",
    "Cable",
    "Dumbbell",
    "Graph",
    "LeafSpine",
    "Network",
    "ParallelPlanes",
    "Path",
    "Shape",
    "SingleBottleneck",
    "Star",
    "Topology",
    "TwoPod",
]
