"""Laying out the senders of fluid that are told delivery rates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from footroom.base.rng import LAW_STEP, word
from footroom.engines.hybrid import layout
from footroom.engines.hybrid import sampled_layout as own_layout
from footroom.engines.hybrid.routes import told_rates
from footroom.engines.hybrid.sampled_layout import Sampled
from footroom.engines.packet.kept import Kept, address
from footroom.engines.plan import SECOND, Plan
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.tables import NEVER, rows

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def lay_out(
    plan: Plan, which: Ints, number: Ints, flows: Floats, routes: Floats, trips: Floats, blocks: int
) -> tuple[Sampled, Kept]:
    """Rows of the senders among the flows ``which`` that are told delivery rates; flows and routes learn theirs.
    Also what must outlive them.

    number: route of each of ``which``.  trips: s of each route, without queues.  blocks: how many there are.
    """
    routes[:, layout.SAMPLED] = flows[:, layout.LAW] = -1.0
    mine = np.flatnonzero(told_rates(plan, which))
    seen, own = rows(max(1, len(mine)), FLOW), np.zeros((max(1, len(mine)), own_layout.ROW))
    laws = np.zeros((max(1, len(mine)), own_layout.LAW_ROW), dtype=np.int64)
    kept = Kept([seen])
    at = {int(row[layout.ROUTE]): i for i, row in enumerate(flows)}
    for w, n in enumerate(mine.tolist()):
        flow, route = int(which[n]), int(number[n])
        entry = int(plan.flow_stack[flow])
        stack, host = plan.stacks[entry], plan.scenario.traffic[entry].host
        hooks = stack.law.hooks()
        laws[w] = (
            kept.parameters(stack.law.parameters()),
            *(address(hook) for hook in (hooks.on_start, hooks.on_loss, hooks.on_lost, hooks.on_sample)),
        )
        seen["scratch"][w] = kept.array(np.zeros(max(1, stack.law.scratch())))
        seen["random"][w] = np.uint64((flow * LAW_STEP + word(plan.seed, "laws")) % 2**64)
        seen["handshake"][w], seen["entry"][w] = plan.flow_handshake[flow], entry
        own[w, [own_layout.FLOW_AT, own_layout.INITIAL, own_layout.PAYLOAD]] = (
            at[route],
            host.initial_window,
            stack.payload,
        )
        own[w, [own_layout.BURST, own_layout.EVERY]] = host.burst, host.ack_every
        own[w, own_layout.TICKS] = float(host.timer_tick > 0.0)
        own[w, [own_layout.LEAST, own_layout.MOST]] = trips[route] * SECOND, stack.receive_window
        routes[route, layout.SAMPLED] = flows[at[route], layout.LAW] = w
    seen["min_rtt"], seen["end"] = NEVER, -1
    stamps = rows(blocks if len(mine) else 1, own_layout.STAMP)
    newest = rows(len(own), own_layout.STAMP)
    kept.arrays += [own, newest]
    return Sampled(stamps, seen, own, newest, laws, np.array([seen.ctypes.data, 0], dtype=np.int64)), kept
