"""The answer to a question about virtual output queues in JSON."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from footroom.result.explanation import Explanation


class VoqDocument(TypedDict):
    """The largest limit of one queue for the wait allowed, and the wait behind the limit given."""

    limit: Annotated[float, Field(description="Largest limit of one queue [B].")]
    packets: Annotated[int, Field(description="Full packets in it.")]
    memory: Annotated[
        float, Field(description="What the queues of all line cards together then hold for one output [B].")
    ]
    delay: Annotated[float | None, Field(description="Wait that the limit given allows [s]; null when none was given.")]
    explanations: list[Explanation]
