"""Which of several media types a client likes best (RFC 9110 §12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from footroom_api.problems import ProblemError


def _quality(offer: str, accept: str) -> float:
    """Quality that the most specific matching range of ``accept`` gives ``offer``."""
    best, found = -1, 0.0
    for part in accept.split(","):
        wanted, *parameters = (piece.strip().lower() for piece in part.split(";"))
        patterns = ("*/*", offer.split("/", maxsplit=1)[0] + "/*", offer)
        if wanted not in patterns or patterns.index(wanted) <= best:
            continue
        best, found = patterns.index(wanted), 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    found = min(1.0, max(0.0, float(value)))
                except ValueError:
                    found = 1.0
    return found


def preferred(accept: str | None, offers: Sequence[str]) -> str:
    """The best of ``offers``, the first one among equals. Raises ProblemError (406) when none is acceptable."""
    if not accept or not accept.strip():
        return offers[0]
    qualities = [_quality(offer, accept) for offer in offers]
    if max(qualities) <= 0.0:
        raise ProblemError(406, "not-acceptable", f"this is available as {' or '.join(offers)}")
    return offers[qualities.index(max(qualities))]
