"""Put the built page into the wheel, so that ``footroom serve`` of an installed package shows it."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds ``frontend/dist`` as ``footroom_api/page``. A wheel built before the page was built has the API alone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page = Path(self.root) / "frontend" / "dist"
        if version == "standard" and (page / "index.html").is_file():
            build_data["force_include"][str(page)] = "footroom_api/page"
