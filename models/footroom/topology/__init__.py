"""Topology: which hosts and switches there are and how they are joined."""

from typing import Annotated

from pydantic import Field

from footroom.registry import Registry
from footroom.topology.dumbbell import Dumbbell
from footroom.topology.graph import Graph
from footroom.topology.leaf_spine import LeafSpine
from footroom.topology.network import Cable, Network, Path, Shape, SingleBottleneck, Topology
from footroom.topology.parallel_planes import ParallelPlanes
from footroom.topology.star import Star
from footroom.topology.two_pod import TwoPod

Kinds = Dumbbell | Star | LeafSpine | TwoPod | ParallelPlanes | Graph
REGISTRY = Registry("topology", "Which hosts and switches there are and how they are joined", Kinds)
AnyTopology = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "AnyTopology", "Cable", "Dumbbell", "Graph", "LeafSpine", "Network", "ParallelPlanes",
           "Path", "Shape", "SingleBottleneck", "Star", "Topology", "TwoPod"]
