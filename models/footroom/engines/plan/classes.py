"""The class of traffic that each flow travels in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from footroom.base.rng import stream
from footroom.engines.plan.flows import Flows
from footroom.parts.traffic import OTHER_LOSSLESS, AnyTraffic
from footroom.scenario import Scenario

Ints = npt.NDArray[np.int64]


def draw_classes(scenario: Scenario, entries: Sequence[AnyTraffic], seed: int, flows: Flows) -> tuple[Ints, Ints]:
    """Class of the data and class of the acknowledgements of every flow, in the order of ``flows``.

    entries: of the traffic, those that the plan adds included.
    A flow with priority any_lossless or other_lossless has one of these classes drawn at random, the same for all
    flows of one connection.
    """
    data = np.zeros(len(flows.stack), np.int64)
    acks = np.zeros(len(flows.stack), np.int64)
    lossless, others = scenario.switch.lossless(), scenario.other_lossless()
    for i, entry in enumerate(entries):
        mine = flows.stack == i
        if isinstance(entry.priority, str):
            drawn = others if entry.priority == OTHER_LOSSLESS else lossless
            data[mine] = stream(seed, "classes", i).choice(drawn, np.count_nonzero(mine))
        else:
            data[mine] = entry.priority
    for flow in np.flatnonzero(flows.continues >= 0)[
        np.argsort(flows.start[flows.continues >= 0], kind="stable")
    ].tolist():
        data[flow] = data[flows.continues[flow]]
    control = scenario.switch.queues - 1 if scenario.has_headroom() else None
    for i, entry in enumerate(entries):
        mine = flows.stack == i
        own = entry.host.ack_priority
        acks[mine] = own if own is not None else data[mine] if control is None else control
    return data, acks
