"""Traffic: what runs over the network."""

from typing import Annotated

from pydantic import Field

from footroom.registry import Registry
from footroom.traffic.common import Traffic
from footroom.traffic.host import Host
from footroom.traffic.long_lived import LongLived
from footroom.traffic.poisson import Poisson

Kinds = LongLived | Poisson
REGISTRY = Registry("traffic", "What runs over the network", Kinds, planned=("incast", "rpc", "query", "staircase"))
AnyTraffic = Annotated[Kinds, Field(discriminator="kind"), REGISTRY.check()]

__all__ = ["REGISTRY", "AnyTraffic", "Host", "LongLived", "Poisson", "Traffic"]
