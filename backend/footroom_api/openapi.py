"""The description of the API; ``python -m footroom_api.openapi`` prints it, and the page's types are made from it."""

from __future__ import annotations

import json
import sys
from typing import Any

from fastapi import FastAPI

from footroom_api.problems import MEDIA_TYPE, ProblemDocument

_PROBLEM = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}
_GENERIC = {"$ref": "#/components/schemas/HTTPValidationError"}
_STREAM = "text/event-stream"


def _refine(document: dict[str, Any]) -> dict[str, Any]:
    """Errors under their own media type, one shape for all, and a 500 for every operation."""
    for path in document["paths"].values():
        for operation in path.values():
            responses = operation["responses"]
            responses["500"] = {"description": "A fault of the server", "content": {MEDIA_TYPE: {"schema": _PROBLEM}}}
            for response in responses.values():
                content = response.get("content", {})
                if any(media.get("schema") in (_PROBLEM, _GENERIC) for media in content.values()):
                    response["content"] = {MEDIA_TYPE: {"schema": _PROBLEM}}
                elif _STREAM in content:
                    # Events have a schema only from OpenAPI 3.2 on, which few generators read.
                    response["content"] = {_STREAM: {"schema": {"type": "string"}}}
    for generic in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(generic, None)
    return document


def describe(app: FastAPI) -> None:
    """Let ``app`` describe itself as refined here."""
    plain = app.openapi
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(_refine(plain()))
        return made

    app.openapi = openapi  # type: ignore[method-assign]


def main() -> None:
    """Print the description as JSON, fields in the order of their declaration."""
    from footroom_api.app import create_app

    json.dump(create_app().openapi(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
