"""Schemes: ways of sizing headroom, one file each. A new one is a file and a line here."""

from footroom.base.registry import Registry
from footroom.formulas.headroom.schemes.dsh import Dsh
from footroom.formulas.headroom.schemes.ieee import Ieee
from footroom.formulas.headroom.schemes.scheme import Scheme, parameters_under
from footroom.formulas.headroom.schemes.sih import Sih
from footroom.formulas.headroom.schemes.sonic import Sonic
from footroom.formulas.headroom.schemes.vendor import Vendor

SCHEMES = Registry("scheme", "How headroom is sized", Sih | Dsh | Ieee | Sonic | Vendor)

__all__ = ["SCHEMES", "Dsh", "Ieee", "Scheme", "Sih", "Sonic", "Vendor", "parameters_under"]
