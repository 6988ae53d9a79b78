"""Schemes: ways of sizing headroom, one file each. A new one is a file and a line here."""

from footroom.headroom.schemes.dsh import DynamicShared
from footroom.headroom.schemes.ieee import Ieee
from footroom.headroom.schemes.scheme import Scheme, parameters_under
from footroom.headroom.schemes.sih import StaticIndependent
from footroom.headroom.schemes.sonic import Sonic
from footroom.headroom.schemes.vendor import Vendor
from footroom.registry import Registry

SCHEMES = Registry("scheme", "How headroom is sized", StaticIndependent | DynamicShared | Ieee | Sonic | Vendor)

__all__ = ["SCHEMES", "DynamicShared", "Ieee", "Scheme", "Sonic", "StaticIndependent", "Vendor", "parameters_under"]
