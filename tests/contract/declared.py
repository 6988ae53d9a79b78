"""Whether data is what a type declares, strictly: no key that is not declared, none missing, no other type."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ConfigDict, TypeAdapter

_STRICT = ConfigDict(extra="forbid", strict=True)


def check(declared: Any, data: Any) -> None:
    """``data`` as it goes over HTTP. Raises pydantic's ValidationError with every place that differs."""
    # Inside a list, because a type with a name takes no configuration of an adapter; JSON has lists for tuples.
    TypeAdapter(list[declared], config=_STRICT).validate_json(json.dumps([data]))
