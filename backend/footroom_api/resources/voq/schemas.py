"""What the resource ``voq`` takes and answers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from footroom.result import Explanation


class VoqDocument(BaseModel):
    """The largest limit of one queue for the wait allowed, and the wait behind the limit given."""

    limit: float = Field(description="Largest limit of one queue [B].")
    packets: int = Field(description="Full packets in it.")
    memory: float = Field(description="What the queues of all line cards together then hold for one output [B].")
    delay: float | None = Field(description="Wait that the limit given allows [s]; null when none was given.")
    explanations: list[Explanation]
