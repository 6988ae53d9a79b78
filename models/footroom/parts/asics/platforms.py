"""Which chip a switch has, by the name of its platform in SONiC.

``data/platforms.json``: sonic-buildimage platform/mellanox/asic_table.j2 and platform/barefoot/asic_table.j2, and the
folders of the shipped headroom tables. A platform not listed there is unknown, however similar its name.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from footroom.parts.asics.asic import Asic
from footroom.parts.asics.catalogue import asic_named


@functools.cache
def _platforms() -> dict[str, str]:
    text = resources.files("footroom.parts.asics").joinpath("data", "platforms.json").read_text(encoding="utf-8")
    return {platform: asic for asic, platforms in json.loads(text).items() for platform in platforms}


def asic_of_platform(platform: str) -> Asic | None:
    """The chip of ``x86_64-nvidia_sn5600-r0`` and the like, None where it is not known."""
    found = _platforms().get(platform)
    return None if found is None else asic_named(found)


def asic_of_configuration(tables: Mapping[str, Any]) -> Asic | None:
    """The chip of the platform that a SONiC configuration names in DEVICE_METADATA, None where it names none known."""
    here: Any = tables
    for key in ("DEVICE_METADATA", "localhost", "platform"):
        here = here.get(key) if isinstance(here, Mapping) else None
    return asic_of_platform(here) if isinstance(here, str) else None
