"""Queues, schedulers and memories of a plan as tables."""

from __future__ import annotations

import numpy as np

from footroom.base.rng import word
from footroom.engines.packet.kept import Kept, address
from footroom.engines.plan import Plan
from footroom.kernel.tables import MEMORY, NEVER, QUEUE, rows
from footroom.parts.scheduling import Scheduling
from footroom.parts.sharing.force import put_in_force


def switch_side(plan: Plan, ports: np.ndarray, kept: Kept) -> tuple[np.ndarray, np.ndarray]:
    """Queues and memories; the ports learn which queues are theirs and how these are served.

    Rows of pools that lossless classes have for themselves come behind those of the memories.
    """
    own = plan.port_switch >= 0
    cards = np.array([plan.settings[s].architecture.line_cards() if s >= 0 else 1 for s in plan.port_switch])
    by_class = own if plan.lossless is None else np.ones_like(own)  # hosts whose classes may be paused queue by class
    ports["classes"], ports["cards"], ports["card"] = np.where(by_class, plan.classes, 1), cards, plan.port_card
    count = ports["classes"] * ports["cards"]
    ports["queue"] = np.cumsum(count) - count
    queues = rows(int(count.sum()), QUEUE)
    queues["head"] = queues["tail"] = queues["memory"] = -1
    queues["limit_packets"] = queues["limit_bytes"] = NEVER
    first = np.cumsum([0, *[setting.architecture.line_cards() for setting in plan.settings]])
    apart = 0 if plan.lossless is None else int(np.count_nonzero(~plan.lossless.one_pool))
    switches = rows(max(1, int(first[-1]) + apart), MEMORY)
    switches["ingress"] = -1
    _schedule(ports, np.flatnonzero(by_class & ~own), plan.scenario.switch.scheduling, kept)
    for port in np.flatnonzero(by_class & ~own):
        queues["klass"][ports[port]["queue"] :][: plan.classes] = np.arange(plan.classes)
    for s, setting in enumerate(plan.settings):
        _memories(plan, s, switches[first[s] : first[s + 1]], kept)
        mine = np.flatnonzero(plan.port_switch == s)
        _schedule(ports, mine, setting.scheduling, kept)
        marker = setting.marking
        mark, params = address(marker.mark()), kept.parameters(marker.parameters())
        for number, port in enumerate(mine):
            p = ports[port]
            p["marker"], p["marker_params"], p["marks_late"] = mark, params, marker.late()
            p["keeps"] = 0xFF if setting.release == "end" else 0
            for card in range(int(p["cards"])):
                for klass in range(plan.classes):
                    q = queues[int(p["queue"]) + card * plan.classes + klass]
                    q["memory"], q["klass"], q["index"] = first[s] + card, klass, number * plan.classes + klass
                    q["reserved"] = int(setting.reserved)
                    q["rate_at"] = ports["rate"][port:].ctypes.data
                    q["random"] = word(plan.seed, "marking", int(port), card * plan.classes + klass)
                    q["limit_packets"], q["limit_bytes"] = [
                        limit or NEVER for limit in setting.architecture.queue_limits()
                    ]
    return queues, switches


def _schedule(ports: np.ndarray, which: np.ndarray, scheduling: Scheduling, kept: Kept) -> None:
    """Let the ports of the numbers ``which`` serve their classes by ``scheduling``, each with a memory of its own."""
    words = scheduling.scratch()
    own = kept.array(np.zeros(max(1, words * len(which))))
    for name, value in (
        ("choose", address(scheduling.choose())),
        ("sized", scheduling.sized),
        ("ranked", scheduling.ranked_from()),
        ("choose_own", own + 8 * words * np.arange(len(which))),
        ("choose_params", kept.parameters(scheduling.parameters())),
    ):
        ports[name][which] = value


def _memories(plan: Plan, switch: int, mine: np.ndarray, kept: Kept) -> None:
    """The memories of one switch, one row per line card."""
    setting, count = plan.settings[switch], plan.queues_of(switch)
    mine["buffer"] = int(setting.buffer)
    mine["pool"] = int(setting.buffer) - count * int(setting.reserved)
    mine["queues"], mine["gap"] = count, plan.framing.gap
    mine["cell"] = int(setting.cell_size or 1)
    put_in_force(setting.sharing, mine, kept.arrays, plan.flows)
