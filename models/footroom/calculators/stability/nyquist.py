"""The loop gain over frequency, thinned out for a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from footroom.calculators.stability.judgement import Judgement
from footroom.calculators.stability.loop import Loop

if TYPE_CHECKING:
    from footroom.calculators.stability.document import Nyquist

_POINTS = 600
#: Decades below and above the crossover that are shown.
_BELOW, _ABOVE = 2.0, 1.5


def nyquist(loop: Loop, found: Judgement) -> Nyquist:
    """Frequency [rad/s], real and imaginary part of the loop gain, of the largest where there are several."""
    middle = found.margins.crossover if found.margins is not None else max(abs(found.rightmost), 1e-3 * loop.fastest)
    frequencies = np.geomspace(middle / 10.0**_BELOW, middle * 10.0**_ABOVE, _POINTS)
    values = loop.gains(frequencies)[:, 0]
    return {"frequency": frequencies.tolist(), "real": values.real.tolist(), "imaginary": values.imag.tolist()}
