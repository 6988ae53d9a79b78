"""Questions of the public interface that no engine answers yet: a clear sentence instead of a missing page."""

from __future__ import annotations

from typing import Any

from footroom_api.problems import ProblemError
from footroom_api.routes.common import problems
from footroom_api.routes.common import router as new_router

router = new_router("planned")
_ANSWER: dict[str, Any] = {"status_code": 501, "responses": problems(501)}


def _refuse(what: str) -> ProblemError:
    return ProblemError(501, "not-yet-supported", f"{what} is not yet supported by this version")


@router.get("/papers", operation_id="listPapers", **_ANSWER)
def papers() -> None:
    """Published values, ours and the verdicts."""
    raise _refuse("the comparison with published values")
