"""Which fields of a host were chosen one by one, and which its profile or the defaults set anyway."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from footroom.parts.traffic.host import Host
from footroom.parts.traffic.profiles import PROFILES, values_of


def without_profile(given: dict[str, Any]) -> dict[str, Any]:
    """A host's document without what its profile, or the defaults, set anyway: what remains was chosen field by field.

    For setting another profile on a document that has every field written out.
    """
    name = given.get("profile")
    known = isinstance(name, str) and name in PROFILES
    said = Host(**values_of(str(name), given.get("recovery"))) if known else Host()
    return {key: value for key, value in given.items() if key != "profile" and not _says(said, key, value)}


def _says(said: Host, key: str, value: Any) -> bool:
    """Whether ``value`` at ``key`` is what ``said`` has there, however it is written."""
    if key not in Host.model_fields:
        return False
    try:
        return bool(getattr(Host(**{key: value}), key) == getattr(said, key))
    except ValidationError:  # for whoever reads the document to refuse
        return False
