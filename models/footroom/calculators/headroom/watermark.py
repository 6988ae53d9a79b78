"""A measured watermark, and the reaction time that follows from it, which schemes can only assume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.formulas.headroom import written
from footroom.formulas.headroom.budget import Budget
from footroom.formulas.headroom.link import QUANTUM, Link
from footroom.formulas.headroom.schemes.scheme import Scheme

if TYPE_CHECKING:
    from footroom.calculators.headroom.document import Reaction, WatermarkScheme


def refit(scheme: Scheme, seen_at: Link, watermark: float, asked: Link) -> WatermarkScheme:
    """What ``watermark`` bytes in use at ``seen_at`` imply for one scheme.

    Everything that is neither a frame nor on the cable is one time, the reaction. The watermark gives it, assuming
    frames and cable as bad as in the scheme; it is kept as a time when ``asked`` has another speed. Returns the
    scheme's own ``reaction`` and the ``fitted`` one, as bytes, seconds and quanta; ``predicted`` headroom on the
    measured link and the ``margin`` left there; ``headroom`` of the link asked about with the fitted time. Where frames
    and cable alone exceed the watermark, ``valid`` is false and nothing is fitted.
    """
    own = scheme.budget(seen_at)
    fitted = own.reaction + (watermark - own.unrounded) / own.gain
    document: WatermarkScheme = {
        "predicted": own.headroom,
        "margin": own.headroom - watermark,
        "enough": own.headroom >= watermark and not own.outside,
        "reaction": _time(own.reaction, seen_at),
        "valid": fitted >= 0,
    }
    if fitted < 0:
        least = scheme.budget(seen_at, 0.0)
        return {
            **document,
            "reason": (
                f"frames and cable alone make {least.unrounded:.0f} B here: the watermark was not taken in the worst "
                "case"
            ),
        }
    seconds = fitted * 8 / seen_at.speed
    refitted: Budget = scheme.budget(asked, asked.bytes_in(seconds))
    return {
        **document,
        "fitted": _time(fitted, seen_at),
        "headroom": refitted.headroom,
        "formula": f"{written.size(own.reaction)} + ({written.size(watermark)} − {written.size(own.unrounded)})"
        f" / {written.factor(own.gain)} = {written.size(fitted)}, {written.time(seconds)}",
    }


def _time(wire_bytes: float, link: Link) -> Reaction:
    return {"bytes": wire_bytes, "seconds": wire_bytes * 8 / link.speed, "quanta": wire_bytes / QUANTUM}
