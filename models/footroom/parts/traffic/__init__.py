"""Traffic: what runs over the network."""

from typing import Annotated

from pydantic import Field

from footroom.base.registry import Registry
from footroom.parts.traffic.arrivals import Arrivals
from footroom.parts.traffic.common import ANY_LOSSLESS, OTHER_LOSSLESS, Traffic
from footroom.parts.traffic.host import Host
from footroom.parts.traffic.incast import Incast
from footroom.parts.traffic.long_lived import LongLived
from footroom.parts.traffic.poisson import Poisson
from footroom.parts.traffic.query import Query
from footroom.parts.traffic.rpc import Rpc
from footroom.parts.traffic.staircase import Staircase

Kinds = LongLived | Poisson | Incast | Query | Rpc | Staircase | Arrivals
REGISTRY = Registry("traffic", "What runs over the network", Kinds)
AnyTraffic = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = [
    "ANY_LOSSLESS",
    "OTHER_LOSSLESS",
    "REGISTRY",
    "AnyTraffic",
    "Arrivals",
    "Host",
    "Incast",
    "LongLived",
    "Poisson",
    "Query",
    "Rpc",
    "Staircase",
    "Traffic",
]
