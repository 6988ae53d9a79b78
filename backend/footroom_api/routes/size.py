"""The smallest value of one field that meets requirements."""

from __future__ import annotations

from typing import Any

from footroom import studies
from footroom.errors import InvalidInput
from footroom_api.routes.common import BODY
from footroom_api.routes.common import router as new_router
from footroom_api.routes.estimates import AT_ONCE
from footroom_api.schemas import SizeDocument, SizeRequest

router = new_router("size")


@router.post("/size", response_model=SizeDocument, operation_id="findSize", responses=BODY)
def find_size(body: SizeRequest) -> Any:
    """The smallest buffer (or other field) that meets every requirement, by an engine that answers at once.

    ``feasible`` is false, with the reason, when no value does. The command line searches with simulations as well.
    """
    if body.engine not in AT_ONCE:
        raise InvalidInput.at("engine", body.engine, f"sizes are answered at once by: {', '.join(AT_ONCE)}; "
                              "`footroom size` searches with any engine")
    return studies.search(body.scenario, body.require, path=body.path, engine=body.engine, between=body.between,
                          tolerance=body.tolerance, replicas=1, workers=1).to_dict()
