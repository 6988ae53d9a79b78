"""What the resource ``health`` takes and answers."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class Health(BaseModel):
    """Whether the server works."""

    status: Literal["ok", "degraded"]
    version: str
    database: Literal["ok", "unavailable"]
    engine: Literal["cold", "compiling", "warm"]
    reason: str | None = Field(default=None, description="Why the database cannot be used.")


class Alive(BaseModel):
    """That the process answers."""

    status: Literal["ok"]
    version: str
