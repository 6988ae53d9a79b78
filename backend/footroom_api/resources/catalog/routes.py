"""What a scenario can be made of."""

from __future__ import annotations

from typing import Any

from fastapi import Request, Response

from footroom.studies import catalog
from footroom.studies.catalogue_document import Catalog
from footroom_api.conditional import conditional
from footroom_api.resources.common import router as new_router

router = new_router("catalog")


@router.get(
    "/catalog", response_model=Catalog, operation_id="getCatalog", responses={304: {"description": "Unchanged"}}
)
def get_catalog(request: Request) -> Any:
    """Every axis with its kinds, their JSON schema with units, symbols, sources and bounds; engines and metrics."""
    response: Response = conditional(request, catalog())
    return response
