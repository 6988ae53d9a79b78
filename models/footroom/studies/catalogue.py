"""The catalogue: every axis, its kinds and their parameters, read off the registries."""

from __future__ import annotations

import functools
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, NoDefault

from footroom.base.component import Component, Profile
from footroom.base.version import VERSION
from footroom.parts.congestion.law import Law
from footroom.parts.traffic import Host
from footroom.result import METRICS
from footroom.scenario import Run, Scenario, Switch
from footroom.scenario.kinds import REGISTRIES
from footroom.studies.catalogue_document import Axis, Catalog, Kind, ProfileDocument
from footroom.studies.engines import describe_engines


class _Complete(GenerateJsonSchema):
    """JSON schema in which optional parts show the default that replaces them."""

    def get_default_value(self, schema: Any) -> Any:
        factory = schema.get("default_factory")
        if factory is None or schema.get("default_factory_takes_data"):
            return super().get_default_value(schema)
        made = factory()
        return made.model_dump(mode="json") if isinstance(made, BaseModel) else NoDefault


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """JSON schema of what a user may write, with unit, symbol, source and bounds of every parameter."""
    return model.model_json_schema(mode="validation", schema_generator=_Complete)


def _profile(profile: Profile) -> ProfileDocument:
    return {
        "id": profile.id,
        "title": profile.title,
        "values": dict(profile.values),
        "source": profile.source,
        "notes": profile.notes,
    }


def kind_of(component: type[Component]) -> Kind:
    """One component of a registry: where it comes from, and the schema of its parameters."""
    about = component.about
    # Loss recoveries of the hosts that a congestion control runs on: a form drops those of another transport with it.
    hosts = {"recoveries": list(component.recoveries)} if issubclass(component, Law) else {}
    return {
        "kind": component.model_fields["kind"].default,
        "title": about.title,
        "summary": about.summary,
        "sources": list(about.sources),
        "holds": about.holds,
        "departures": about.departures,
        "profiles": [_profile(profile) for profile in component.profiles],
        "example": {"kind": component.model_fields["kind"].default, **component.example},
        "schema": schema_of(component) | hosts,
    }


@functools.cache
def _axes() -> list[Axis]:
    return [
        {
            "axis": registry.axis,
            "title": registry.title,
            "kinds": [kind_of(kind) for kind in registry],
            "planned": list(registry.planned),
        }
        for registry in REGISTRIES
    ]


@functools.cache
def _schemas() -> tuple[dict[str, Any], ...]:
    return tuple(schema_of(model) for model in (Scenario, Host, Run, Switch))


def catalog() -> Catalog:
    """Axes, engines, metrics and schemas as plain data; engines are read at every call, as they can be replaced."""
    scenario, host, run, switch = _schemas()
    return {
        "version": VERSION,
        "axes": _axes(),
        "engines": describe_engines(),
        "metrics": {name: {"unit": unit, "meaning": meaning} for name, (unit, meaning) in METRICS.items()},
        "scenario": scenario,
        "host": host,
        "run": run,
        "switch": switch,
    }
