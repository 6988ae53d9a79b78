"""ECN: which marking thresholds hold utilisation and queue within bounds and stay stable.

The package can be called, because ``footroom.ecn`` is both this package and the function (docs/adr/0007):

    import footroom as fr
    fr.ecn(speed="100G", rtt="10 us", flows=16, buffer="2 MB", congestion="dcqcn").advice
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footroom.ecn.advice import Advice


class _Callable(ModuleType):
    """The package as a function; the fluid is loaded on the first call."""

    def __call__(self, **asked: Any) -> Advice:
        """Thresholds for a port and its flows; see :func:`footroom.ecn.advice.ecn`."""
        from footroom.ecn.advice import ecn

        return ecn(**asked)


sys.modules[__name__].__class__ = _Callable
