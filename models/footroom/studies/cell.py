"""One run as a task for any executor: plain data in, plain data out, found by its module's name."""

from __future__ import annotations

import dataclasses
from typing import Any

from footroom.base.errors import FootroomError, InvalidInput, NotConverged, Problem, Unsupported
from footroom.result import Explanation, Result, Share, Term
from footroom.result.transfer import Transfers
from footroom.scenario import Scenario
from footroom.studies.engines import Progress, Stop, engine_named


def run_cell(task: dict[str, Any], stop: Stop | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Run one engine on one scenario.

    task: engine, scenario (its document, or parsed where the task never left this process), seed. The answer holds
    either ``result`` or ``error``; errors raised on purpose come back as data, because exceptions lose their fields
    between processes. Cancelled is raised.
    """
    try:
        given = task["scenario"]
        scenario = given if isinstance(given, Scenario) else Scenario.parse(given)
        result = engine_named(task["engine"]).evaluate(scenario, task["seed"], stop, progress)
    except (InvalidInput, Unsupported, NotConverged) as error:
        return {"error": pack_error(error)}
    return {"result": pack(result)}


def pack(result: Result) -> dict[str, Any]:
    """A result as plain data, complete: unlike the public shape it can be read back and combined.

    What was recorded over time and flow by flow is not copied.
    """
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    return {
        **fields,
        "explanations": tuple(dataclasses.asdict(one) for one in result.explanations),
        "groups": tuple(dataclasses.asdict(share) for share in result.groups),
        "transfers": None if result.transfers is None else dataclasses.asdict(result.transfers),
    }


def unpack(document: dict[str, Any]) -> Result:
    """The result that ``pack`` wrote, also after a detour through JSON."""
    explanations = tuple(
        Explanation(**{**e, "terms": tuple(Term(**term) for term in e["terms"])}) for e in document["explanations"]
    )
    intervals = {name: (float(low), float(high)) for name, (low, high) in document["intervals"].items()}
    groups = tuple(Share(**share) for share in document["groups"])
    probes = document.get("transfers")
    transfers = None if probes is None else Transfers(**{**probes, "times": tuple(probes["times"])})
    rest = {
        "explanations": explanations,
        "intervals": intervals,
        "notes": tuple(document["notes"]),
        "groups": groups,
        "transfers": transfers,
    }
    return Result(**{**document, **rest})


def pack_error(error: FootroomError) -> dict[str, Any]:
    """An error as plain data."""
    if isinstance(error, InvalidInput):
        return {"type": "invalid_input", "problems": [dataclasses.asdict(problem) for problem in error.problems]}
    if isinstance(error, Unsupported):
        return {
            "type": "unsupported",
            "reason": error.reason,
            "path": error.path,
            "given": error.given,
            "engines": list(error.engines),
        }
    return {"type": "not_converged", "message": str(error)}


def unpack_error(document: dict[str, Any]) -> FootroomError:
    """The error that ``pack_error`` wrote."""
    if document["type"] == "invalid_input":
        return InvalidInput([Problem(**problem) for problem in document["problems"]])
    if document["type"] == "unsupported":
        return Unsupported(
            document["reason"], path=document["path"], given=document["given"], engines=document["engines"]
        )
    return NotConverged(document["message"])
