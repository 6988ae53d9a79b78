"""Shapes of a pool question and its answer; bare numbers in SI base units, cells null where the chip's is not known."""

from __future__ import annotations

from typing import Any

from pydantic import GetJsonSchemaHandler, RootModel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from footroom.calculators.pool import Question


class PoolRequest(RootModel[dict[str, Any]]):
    """A buffer configuration. Read by the question itself, which knows what is written in short."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of the question, under a name of its own: generators of clients name classes by it."""
        return handler(Question.__pydantic_core_schema__) | {"title": cls.__name__}
