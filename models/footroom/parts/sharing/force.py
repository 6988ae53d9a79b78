"""Putting a policy in force in memories of the compiled engine."""

from __future__ import annotations

import numpy as np

from footroom.kernel.hooks import Hook
from footroom.parts.sharing.policy import Policy


def put_in_force(policy: Policy, rows: np.ndarray, arrays: list[np.ndarray], flows: int) -> list[np.ndarray]:
    """Let ``policy`` control the memories in ``rows`` (kernel.tables.MEMORY), whose number of queues is filled in.

    flows: how many pass through them.

    Keeps the policy's own arrays alive in ``arrays``. Returns the scratch memory of every row.
    """

    def address(hook: Hook | None) -> int:
        return 0 if hook is None else hook.address

    params = np.array(policy.parameters(), dtype=np.float64)
    scratch = [np.zeros(policy.scratch(int(row["queues"]), flows)) for row in rows]
    arrays += [params, *scratch]
    rows["policy"], rows["params"] = policy.limit().address, params.ctypes.data
    rows["on_enqueue"], rows["on_dequeue"] = address(policy.on_enqueue()), address(policy.on_dequeue())
    rows["on_drop"], rows["on_pass"] = address(policy.on_drop()), address(policy.on_pass())
    for row, own in zip(rows, scratch, strict=True):
        row["scratch"] = own.ctypes.data if len(own) else 0
    return scratch
