"""The key ``class`` of rows that belong to a class of traffic: no name of Python, so it is declared here for all."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

OfClass = TypedDict("OfClass", {"class": Annotated[int, Field(description="Class of traffic.")]})
OfClassOrPort = TypedDict(
    "OfClassOrPort",
    {"class": Annotated[int | None, Field(description="Class of traffic; null for all classes of the port (DSH).")]},
)
