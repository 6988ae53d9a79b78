"""Shapes of what configuration is asked for, made and read."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from footroom.calculators.export.options import ExportOptions, ImportOptions


class ExportRequest(ExportOptions):
    """A scenario, options, or both; options win."""

    scenario: dict[str, Any] | None = Field(
        default=None, description="The scenario document; its JSON schema is in the catalogue."
    )


class TargetDocument(BaseModel):
    """Whose words a configuration can be put in, or read from."""

    name: str
    title: str


class TargetsDocument(BaseModel):
    """Targets, sources, and the schema of the options."""

    targets: list[TargetDocument]
    sources: list[TargetDocument]
    schemes: list[str] = Field(description="Ways to compute headroom.")
    export_options: dict[str, Any] = Field(description="JSON schema; each field has unit and bounds.")
    import_options: dict[str, Any] = Field(description="JSON schema; each field has unit and bounds.")


class ImportRequest(ImportOptions):
    """A configuration, and the chip that it must fit."""

    config_db: dict[str, Any] = Field(description="The content of config_db.json; other tables are kept and named.")
    pg_profile_lookup: str | None = Field(
        default=None, max_length=1_000_000, description="The text of pg_profile_lookup.ini."
    )
