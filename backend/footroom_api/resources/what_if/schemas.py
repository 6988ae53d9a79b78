"""A scenario and a change of it, as documents."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from footroom_api.schemas import Strict


class AlternativesRequest(Strict):
    """A scenario of which changes are looked for, and how many pairs of runs are wanted."""

    scenario: dict[str, Any] = Field(description="The scenario document; its JSON schema is in the catalogue.")
    replicas: int = Field(default=5, ge=1, le=100, strict=True, description="Pairs of runs with the same seed.")


class WhatIfRequest(Strict):
    """Two finished studies, each over run.seed alone."""

    a: str = Field(max_length=64, description="Id of the study without the change.")
    b: str = Field(max_length=64, description="Id of the study with it.")
