"""What the resource ``asics`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel

from footroom.parts.asics.document import AsicDocument


class AsicsDocument(BaseModel):
    """All chips, by vendor and age."""

    asics: list[AsicDocument]
