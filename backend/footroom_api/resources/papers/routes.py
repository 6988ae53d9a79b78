"""Published experiments: what they printed, and runs that compare ours with it."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from fastapi import Depends, Query, Request, Response

from footroom.base.errors import InvalidInput
from footroom.papers import Paper, Tier, cases_of, paper_named, papers, released
from footroom.papers.document import PaperDocument
from footroom_api.clients import client_of
from footroom_api.conditional import conditional
from footroom_api.problems import ProblemError
from footroom_api.resources.common import problems
from footroom_api.resources.common import router as new_router
from footroom_api.resources.papers.schemas import PaperCasesDocument, PaperRunDocument, PapersDocument
from footroom_api.services import Services, Shared

router = new_router("papers")
_UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "Unchanged"}}


def find_paper(paper: str) -> Paper:
    """The paper of a path. Raises ProblemError (404)."""
    try:
        return paper_named(paper[:80])
    except InvalidInput as error:
        raise ProblemError(404, "not-found", error.problems[0].message, error.problems) from None


Found = Annotated[Paper, Depends(find_paper)]


def _verdicts(paper: Paper, shared: Services) -> dict[str, dict[str, str]]:
    """Verdict of every target by tier, of the tiers that were run."""
    kept = {tier: shared.papers.result(paper, tier) for tier in get_args(Tier)}
    return {
        tier: {target["id"]: target["verdict"] for target in result["targets"]}
        for tier, result in kept.items()
        if result is not None
    }


@router.get("/papers", response_model=PapersDocument, operation_id="listPapers", responses=_UNCHANGED)
def list_papers(request: Request, shared: Shared) -> Any:
    """All papers with their targets, the verdicts of the tiers that were run here, and those that came with it."""
    return conditional(
        request,
        {
            "papers": [
                {**p.summary(), "verdicts": _verdicts(p, shared), "released": released().of(p, figures=False)}
                for p in papers()
            ]
        },
    )


@router.get(
    "/papers/{paper}", response_model=PaperDocument, operation_id="getPaper", responses=_UNCHANGED | problems(404)
)
def get_paper(paper: Found, request: Request, shared: Shared) -> Any:
    """One paper: experiments with their documents, assumptions and limits, and targets."""
    return conditional(
        request, {**paper.to_dict(), "verdicts": _verdicts(paper, shared), "released": released().of(paper)}
    )


@router.get(
    "/papers/{paper}/cases/{tier}",
    response_model=PaperCasesDocument,
    operation_id="listPaperCases",
    responses=_UNCHANGED | problems(404, 422),
)
def list_cases(paper: Found, tier: Tier, request: Request) -> Response:
    """Every scenario of a paper at one size with the targets it decides; each can be estimated or studied as it is."""
    cases = [case.to_dict() for case in cases_of(paper, tier)]
    return conditional(request, {"paper": paper.id, "tier": tier, "cases": cases})


@router.post(
    "/papers/{paper}/run",
    response_model=PaperRunDocument,
    status_code=202,
    operation_id="runPaper",
    responses={200: {"model": PaperRunDocument, "description": "It is done or running"}, **problems(404, 422)},
)
def run_paper(paper: Found, request: Request, shared: Shared, tier: Annotated[Tier, Query()] = "smoke") -> Any:
    """Run a paper's experiments and judge its targets. 202 when it was queued, 200 when it is done or under way."""
    queued = shared.papers.start(paper, tier, client_of(request))
    location = request.url.path.removesuffix("/run") + f"/runs/{tier}"
    return conditional(request, shared.papers.describe(paper, tier), {"Location": location}, 202 if queued else 200)


@router.get(
    "/papers/{paper}/runs/{tier}",
    response_model=PaperRunDocument,
    operation_id="getPaperRun",
    responses=_UNCHANGED | problems(404, 422),
)
def get_run(paper: Found, tier: Tier, request: Request, shared: Shared) -> Response:
    """How far a run is; verdicts and figures once it is done."""
    return conditional(request, shared.papers.describe(paper, tier))


@router.delete(
    "/papers/{paper}/runs/{tier}",
    response_model=PaperRunDocument,
    status_code=202,
    operation_id="cancelPaperRun",
    responses={200: {"model": PaperRunDocument, "description": "It was not running"}, **problems(404, 422)},
)
def cancel_run(paper: Found, tier: Tier, request: Request, shared: Shared) -> Response:
    """Stop a run. 202 when it was queued or running, 200 when not. Single runs that were finished are kept."""
    stopped = shared.papers.cancel(paper, tier)
    return conditional(request, shared.papers.describe(paper, tier), status=202 if stopped else 200)
