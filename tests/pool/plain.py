"""An answer as its JSON has it, where a test knows which parts are there."""

from __future__ import annotations

import json
from typing import Any

from footroom.calculators.pool.answer import PoolAnswer


def plain(answer: PoolAnswer) -> Any:
    """Plain data, through JSON."""
    return json.loads(json.dumps(answer.to_dict()))
