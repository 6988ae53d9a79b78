"""Traffic: what runs over the network."""

from typing import Annotated

from pydantic import Field

from footroom.registry import Registry
from footroom.traffic.arrivals import Arrivals
from footroom.traffic.common import ANY_LOSSLESS, Traffic
from footroom.traffic.host import Host
from footroom.traffic.incast import Incast
from footroom.traffic.long_lived import LongLived
from footroom.traffic.poisson import Poisson
from footroom.traffic.query import Query
from footroom.traffic.rpc import Rpc
from footroom.traffic.staircase import Staircase

Kinds = LongLived | Poisson | Incast | Query | Rpc | Staircase | Arrivals
REGISTRY = Registry("traffic", "What runs over the network", Kinds)
AnyTraffic = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = [
    "ANY_LOSSLESS", "REGISTRY", "AnyTraffic", "Arrivals", "Host", "Incast", "LongLived", "Poisson", "Query", "Rpc",
    "Staircase", "Traffic"]
