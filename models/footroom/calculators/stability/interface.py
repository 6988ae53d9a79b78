"""``fr.stability``: the verdict as a function, with critical values and maps beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footroom.calculators.stability.answer import StabilityAnswer
    from footroom.calculators.stability.critical import CriticalAnswer
    from footroom.calculators.stability.grid import Axis, StabilityMap
    from footroom.scenario.source import Source


class Stability:
    """``fr.stability(...)``, ``fr.stability.critical_value(...)`` and ``fr.stability.map(...)``.

    The models are loaded on the first call, because they load a compiler.
    """

    def __call__(self, scenario: Source, *, trajectory: bool = False, nyquist: bool = False) -> StabilityAnswer:
        """Whether the flows converge; see :func:`footroom.calculators.stability.analyse.analyse`."""
        from footroom.calculators.stability.analyse import analyse

        return analyse(scenario, trajectory=trajectory, curve=nyquist)

    @staticmethod
    def critical_value(scenario: Source, path: str, between: Sequence[Any] | None = None) -> CriticalAnswer:
        """The value at which the verdict changes; see :func:`footroom.calculators.stability.critical.critical`."""
        from footroom.calculators.stability.critical import critical

        return critical(scenario, path, between)

    @staticmethod
    def map(scenario: Source, x: Axis, y: Axis, *, margins: bool = False) -> StabilityMap:
        """Stability over two fields; see :func:`footroom.calculators.stability.grid.stability_map`."""
        from footroom.calculators.stability.grid import stability_map

        return stability_map(scenario, x, y, margins=margins)


stability = Stability()
