"""The description of the API; ``python -m footroom_api.openapi`` prints it, and the page's types are made from it."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from fastapi import FastAPI

from footroom_api.problems import MEDIA_TYPE
from footroom_api.schemas import ProblemDocument

_PROBLEM = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}
_GENERIC = {"$ref": "#/components/schemas/HTTPValidationError"}
_STREAM = "text/event-stream"


#: What the parameters of paths and queries are, for those that several operations share.
_PARAMETERS = {
    "asic": "Id, name or part number of a chip.",
    "comparison": "Id of a comparison of congestion controls.",
    "cursor": "`next` of the page before; omit it for the first page.",
    "last-event-id": "Number of the last event received; the stream continues after it.",
    "limit": "Maximum number of studies on a page.",
    "paper": "Id of a paper.",
    "preset": "Id of a preset.",
    "search": "Id of a size search.",
    "status": "Only studies with this status.",
    "study": "Id of a study.",
    "tier": "Size of the experiments: smoke, laptop or full.",
}
_NAMES = {
    "Asic": "chip",
    "Asics": "chips",
    "Ecn": "ECN",
    "Voq": "VOQ",
    "Sonic": "SONiC",
    "Nxos": "NX-OS",
    "Eos": "EOS",
    "Junos": "Junos",
}


#: Summaries of operations whose id is one word, or does not read as a sentence.
_SUMMARIES = {
    "describeEmulate": "Describe emulation",
    "emulate": "Compare sharing policies",
    "estimate": "Estimate a scenario or sweep",
    "getHealth": "Check health",
    "getLive": "Check liveness",
}


def _sentence(operation: str) -> str:
    """``exportSonic`` as the words a list of operations shows: Export SONiC."""
    if operation in _SUMMARIES:
        return _SUMMARIES[operation]
    verb, *rest = re.findall(r"[A-Z]?[a-z]+", operation)
    return " ".join([verb.capitalize(), *(_NAMES.get(word, word.lower()) for word in rest)])


def _refine(document: dict[str, Any]) -> dict[str, Any]:
    """Complete every operation: a summary, described parameters, a 500.

    Errors stand under their own media type, one shape for all.
    """
    for path in document["paths"].values():
        for operation in path.values():
            operation["summary"] = _sentence(operation["operationId"])
            for parameter in operation.get("parameters", ()):
                if "description" not in parameter:
                    parameter["description"] = _PARAMETERS[parameter["name"]]
            responses = operation["responses"]
            responses["500"] = {"description": "Server error", "content": {MEDIA_TYPE: {"schema": _PROBLEM}}}
            for response in responses.values():
                if response["description"] == "Successful Response":
                    response["description"] = "Done"
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
