"""A switch's buffer configuration, made and read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Request

from footroom.calculators.export.document import ExportDocument, ImportDocument
from footroom.calculators.export.interface import export
from footroom.calculators.export.options import ExportOptions, ImportOptions
from footroom.calculators.export.sources import SOURCES, Source
from footroom.calculators.export.targets import TARGETS, Target
from footroom.formulas.headroom.schemes import SCHEMES
from footroom.studies.catalogue import schema_of
from footroom_api.conditional import conditional
from footroom_api.resources.common import BODY
from footroom_api.resources.common import router as new_router
from footroom_api.resources.export.schemas import ExportRequest, ImportRequest, TargetsDocument

router = new_router("export")


@router.get(
    "/export",
    response_model=TargetsDocument,
    operation_id="describeExport",
    responses={304: {"description": "Unchanged"}},
)
def describe_export(request: Request) -> Any:
    """Whose configuration can be made and read, and with which options."""
    return conditional(
        request,
        {
            "targets": [{"name": target.name, "title": target.title} for target in TARGETS],
            "sources": [{"name": source.name, "title": source.title} for source in SOURCES],
            "schemes": list(SCHEMES.names),
            "export_options": schema_of(ExportOptions),
            "import_options": schema_of(ImportOptions),
        },
    )


def _exporter(target: Target) -> Callable[[ExportRequest], Any]:
    def make(body: ExportRequest) -> Any:
        asked = ExportOptions.model_validate(body.model_dump(exclude={"scenario"}, exclude_unset=True))
        return export(target.name, body.scenario, asked).to_dict()

    make.__doc__ = f"Files for {target.title}.\n\nRefused, with what would fit, when the memory is overcommitted."
    return make


def _importer(source: Source) -> Callable[[ImportRequest], Any]:
    def read(body: ImportRequest) -> Any:
        chip = body.model_dump(include=set(ImportOptions.model_fields), exclude_unset=True)
        return source.read(body.config_db, body.pg_profile_lookup, ImportOptions.model_validate(chip)).to_dict()

    read.__doc__ = f"What a configuration does: {source.title}.\n\nWhat is wrong is a finding, with its path."
    return read


for _target in TARGETS:
    router.post(
        f"/export/{_target.name}",
        response_model=ExportDocument,
        responses=BODY,
        operation_id=f"export{_target.name.capitalize()}",
    )(_exporter(_target))
for _source in SOURCES:
    router.post(
        f"/import/{_source.name}",
        response_model=ImportDocument,
        responses=BODY,
        operation_id=f"import{_source.name.capitalize()}",
    )(_importer(_source))
