"""All flows of one size."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from footroom.base.component import About
from footroom.base.quantity import Size, quantity
from footroom.parts.sizes.common import FlowSizes


class Fixed(FlowSizes):
    """Every flow carries the same number of bytes."""

    about: ClassVar[About] = About(title="Fixed size", summary="Every flow carries the same number of bytes.")
    example: ClassVar[dict[str, Any]] = {"size": "100 kB"}
    kind: Literal["fixed"] = "fixed"
    size: Size = quantity(..., "B", "Payload of each flow.", ge=1, le=1e13)

    def mean(self) -> float:
        return self.size

    def quantile(self, levels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.full(np.shape(levels), self.size)
