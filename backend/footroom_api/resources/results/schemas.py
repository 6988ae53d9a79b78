"""What the resource ``results`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel

from footroom.studies.document import PointDocument, UnsupportedDocument
from footroom_api.schemas import Status


class Sweep(BaseModel):
    """Finished points in order of arrival; partial until the status is final."""

    id: str
    status: Status
    points: list[PointDocument]
    unsupported: list[UnsupportedDocument] = []
