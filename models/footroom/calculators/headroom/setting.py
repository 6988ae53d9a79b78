"""A configured headroom: how slow a peer it covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.formulas.headroom.link import QUANTUM, Link
from footroom.formulas.headroom.schemes.scheme import Scheme

if TYPE_CHECKING:
    from footroom.calculators.headroom.document import ConfiguredScheme


def cover(scheme: Scheme, link: Link, configured: float) -> ConfiguredScheme:
    """What ``configured`` bytes of headroom cover by one scheme.

    ``needed``: by the scheme [B], and the ``margin`` above it [B].  ``reaction``: time left for the peer beside the
    scheme's frames and cable, and ``slack``: how much slower it may be than the scheme assumes (negative: must be
    faster) [s].  ``valid`` is false when not even frames and cable fit; then there is no reaction.
    """
    own = scheme.budget(link)
    covered = own.reaction + (configured - own.unrounded) / own.gain
    found: ConfiguredScheme = {
        "needed": own.headroom,
        "margin": configured - own.headroom,
        "enough": configured >= own.headroom and not own.outside,
        "valid": covered >= 0,
    }
    if covered < 0:
        return {**found, "reason": f"frames and cable alone make {scheme.budget(link, 0.0).unrounded:.0f} B"}
    seconds = covered * 8 / link.speed
    return {
        **found,
        "reaction": {"bytes": covered, "seconds": seconds, "quanta": covered / QUANTUM},
        "slack": (covered - own.reaction) * 8 / link.speed,
    }
