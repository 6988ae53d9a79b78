"""Arrays whose addresses are in tables."""

from __future__ import annotations

import numpy as np

from footroom.kernel.hooks import Hook


def address(hook: Hook | None) -> int:
    """Where ``hook`` is in memory, 0 for none."""
    return 0 if hook is None else hook.address


class Kept:
    """Arrays that must outlive the tables that hold their addresses."""

    def __init__(self, arrays: list[np.ndarray]) -> None:
        self.arrays = arrays

    def parameters(self, values: tuple[float, ...]) -> int:
        """Address of a copy of ``values``."""
        return self.array(np.array(values, dtype=np.float64))

    def array(self, values: np.ndarray) -> int:
        """Address of ``values``."""
        self.arrays.append(values)
        return int(values.ctypes.data)
