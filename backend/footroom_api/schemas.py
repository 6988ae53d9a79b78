"""Shapes of requests and answers, for validation and for the types that clients generate."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Status = Literal["queued", "running", "done", "cancelled", "failed"]


class Strict(BaseModel):
    """A request: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")
