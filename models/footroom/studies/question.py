"""A question for the smallest value, as data: checked and costed before anything runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from footroom.base.errors import InvalidInput
from footroom.engines.plan.memory import check_memory
from footroom.scenario import Scenario
from footroom.scenario.axes import field_at
from footroom.scenario.kinds import set_field
from footroom.studies.choice import AUTO
from footroom.studies.cost import Cost, cores
from footroom.studies.engines import engine_named
from footroom.studies.fingerprint import fingerprint, sources
from footroom.studies.requirements import Requirement
from footroom.studies.sampled import expected
from footroom.studies.sizing import SizeAnswer, bounds, pick, search


@dataclass(frozen=True)
class SizeQuestion:
    """What ``search`` is asked. Build it with ``of``.

    base: the scenario with the lowest value at ``path``: the value that a search replaces must not matter.  id: hash
    of the question and of the code that answers it; equal questions have equal ids, whatever units they are written in.
    """

    base: Scenario
    require: tuple[str, ...]
    path: str
    engine: str
    between: tuple[float, ...]
    tolerance: float
    replicas: int | None
    id: str

    @classmethod
    def of(
        cls,
        scenario: Mapping[str, Any],
        require: Sequence[str],
        path: str = "switch.buffer",
        engine: str = AUTO,
        between: Sequence[Any] | None = None,
        tolerance: float = 0.02,
        replicas: int | None = None,
    ) -> SizeQuestion:
        """Check a question without answering it. Raises InvalidInput, Unsupported where the engine cannot answer."""
        base = Scenario.parse(dict(scenario))
        wanted = [Requirement.parse(text) for text in dict.fromkeys(require)]
        if not wanted:
            example = 'name at least one requirement, such as "utilisation>=0.99"'
            raise InvalidInput.at("require", list(require), example)
        field_at(base, path)
        if engine == AUTO:
            engine = pick(base, wanted, path, between, replicas).engine
        engine_named(engine, "engine").check(base)
        ends = bounds(base, path, between, engine)
        base = Scenario.parse(set_field(base.to_dict(), path, ends[0]))
        if engine_named(engine).random:
            check_memory(Scenario.parse(set_field(base.to_dict(), path, ends[1])))
        texts = tuple(r.text for r in wanted)
        asked = [
            base.digest,
            sorted(texts),
            path,
            engine,
            ends,
            tolerance,
            replicas,
            fingerprint(engine),
            sources(Path(__file__).parent),
        ]
        return cls(
            base,
            texts,
            path,
            engine,
            ends if between is not None else (),
            tolerance,
            replicas,
            hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:32],
        )

    def cost(self, workers: int | None = None) -> Cost:
        """Expected cost of the search; more where the first range does not reach."""
        ends = bounds(self.base, self.path, self.between or None, self.engine)
        largest = Scenario.parse(set_field(self.base.to_dict(), self.path, ends[1]))
        return expected(largest, self.engine, self.replicas, ends[1] / ends[0], workers or cores())

    def search(self, **options: Any) -> SizeAnswer:
        """The answer; see ``sizing.search`` for options. Raises Cancelled."""
        return search(
            self.base,
            self.require,
            path=self.path,
            engine=self.engine,
            between=self.between or None,
            tolerance=self.tolerance,
            replicas=self.replicas,
            **options,
        )
