"""The key ``class`` of rows that belong to a class of traffic: Python reserves the word, so it is declared here."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

OfClass = TypedDict("OfClass", {"class": Annotated[int, Field(description="Class of traffic.")]})
OfClassOrPort = TypedDict(
    "OfClassOrPort",
    {"class": Annotated[int | None, Field(description="Class of traffic; null for all classes of the port (DSH).")]},
)
