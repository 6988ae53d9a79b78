"""Stability of congestion control at its fixed point: two independent methods, margins, critical values and maps.

The package can be called, because ``footroom.stability`` is both this package and the function of the public interface
(docs/adr/0007):

    import footroom as fr
    fr.stability(scenario).to_dict()
    fr.stability.critical_value(scenario, "topology.rtt").value
    fr.stability.map(scenario, ("traffic.0.flows", "2:64:lin32"), ("topology.rtt", "10us:200us:log40")).figure()
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footroom.scenario.source import Source
    from footroom.stability.answer import StabilityAnswer
    from footroom.stability.critical import CriticalAnswer
    from footroom.stability.grid import Axis, StabilityMap


class _Callable(ModuleType):
    """The package as a function; the models are loaded on the first call, because they load a compiler."""

    def __call__(self, scenario: Source, *, trajectory: bool = False, nyquist: bool = False) -> StabilityAnswer:
        """Whether the flows converge; see :func:`footroom.stability.analyse.analyse`."""
        from footroom.stability.analyse import analyse

        return analyse(scenario, trajectory=trajectory, curve=nyquist)

    @staticmethod
    def critical_value(scenario: Source, path: str, between: Sequence[Any] | None = None) -> CriticalAnswer:
        """The value at which the verdict changes; see :func:`footroom.stability.critical.critical`."""
        from footroom.stability.critical import critical

        return critical(scenario, path, between)

    @staticmethod
    def map(scenario: Source, x: Axis, y: Axis, *, margins: bool = False) -> StabilityMap:
        """Stability over two fields; see :func:`footroom.stability.grid.stability_map`."""
        from footroom.stability.grid import stability_map

        return stability_map(scenario, x, y, margins=margins)


sys.modules[__name__].__class__ = _Callable
