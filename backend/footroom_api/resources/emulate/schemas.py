"""Shapes of an emulation; bare numbers in SI base units."""

from __future__ import annotations

from typing import Any

from pydantic import GetJsonSchemaHandler, RootModel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from footroom.calculators.emulator import Question


class EmulateRequest(RootModel[dict[str, Any]]):
    """A memory, what arrives, and the policies to compare. Read by the question itself."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the question, under a name of its own: generators of clients name classes by it."""
        return handler(Question.__pydantic_core_schema__) | {"title": cls.__name__}
