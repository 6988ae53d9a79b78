"""Shapes of the answer to a headroom question; sizes in bytes, everything else in SI base units."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.studies.catalogue_document import Kind


class SchemeKind(Kind):
    """One scheme: what it is, where it comes from and its parameters."""

    formula: str


class SchemesDocument(BaseModel):
    """All schemes, and the question that they answer."""

    schemes: list[SchemeKind]
    question: dict[str, Any] = Field(description="JSON schema of the question; each field has unit, symbol, source.")
