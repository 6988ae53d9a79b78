"""Step by step: what priority groups held, when they would pause, and for how long their neighbours were held back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from footroom.engines.packet.series import port_name
from footroom.engines.packet.simulation import Simulation
from footroom.kernel.answers import WHOLE
from footroom.kernel.tables import PAUSES
from footroom.result.recorded import TimelineGroup

#: Groups reported: those that were held back longest.
_MOST = 12


class GroupTimeline:
    """Every priority group of the plan; nothing where no class is lossless.

    Per step: bytes [B] in reserved and shared memory and in headroom at its end; the threshold [B] then; the part of
    the step for which the neighbour was held back, by a pause of the class or of the whole port; packets dropped.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        plan = simulation.plan
        pairs: list[tuple[int, int]] = []
        if plan.lossless is not None:
            into = plan.port_switch[plan.lossless.opposite]
            pairs = [
                (int(q), int(k))
                for q in np.flatnonzero(into >= 0)
                for k in np.flatnonzero(plan.lossless.classes[into[q]])
            ]
        self._pairs = pairs
        self._ports = np.array([q for q, _ in pairs], dtype=np.int64)
        self._classes = np.array([k for _, k in pairs], dtype=np.int64)
        self._rows: dict[str, list[np.ndarray]] = {
            name: [] for name in ("shared", "headroom", "threshold", "held", "dropped")
        }

    def look(self) -> None:
        """Record the step that ends now."""
        if not self._pairs:
            return
        t = self._simulation.tables
        groups = t.groups[self._ports * WHOLE + self._classes]
        pools = t.switches[t.ingresses["pool"][self._ports]]
        free = np.maximum(pools["pool"] - pools["shared"], 0)
        for name, values in (
            ("shared", groups["own"] + groups["shared"]),
            ("headroom", groups["headroom"]),
            ("threshold", np.floor(groups["alpha"] * free).astype(np.int64)),
            ("held", self._held(self._classes) + self._held(np.full(len(self._pairs), WHOLE))),
            ("dropped", groups["dropped"].sum(axis=1)),
        ):
            self._rows[name].append(values.copy())

    def _held(self, which: np.ndarray) -> np.ndarray:
        """Time [ps] for which pause ``which`` of every group's port has held so far."""
        rows = self._simulation.tables.pauses[self._ports * PAUSES + which]
        lasting = np.where(rows["held_at"] >= 0, self._simulation.now - rows["held_at"], 0)
        held: np.ndarray = rows["held"] + np.maximum(lasting, 0)
        return held

    def to_list(self, spans: Sequence[tuple[int, int]], step: int) -> list[TimelineGroup]:
        """Plain data, one entry per group. spans: of the looks that are joined, first and one past the last.

        step: length of a joined step [ps].
        """
        if not self._pairs or not spans:
            return []
        rows = {name: np.array(values) for name, values in self._rows.items()}
        total = rows["held"][-1] - rows["held"][0]
        order = np.lexsort((-rows["shared"].max(axis=0), -total))[:_MOST]
        found: list[TimelineGroup] = []
        for i in order:
            q, k = self._pairs[i]
            since = {
                name: [rows[name][b - 1, i] - rows[name][a - 1, i] for a, b in spans] for name in ("held", "dropped")
            }
            last = {name: [int(rows[name][b - 1, i]) for _, b in spans] for name in ("shared", "headroom", "threshold")}
            most = {name: [int(rows[name][a:b, i].max()) for a, b in spans] for name in ("shared", "headroom")}
            found.append(
                {
                    "port": port_name(self._simulation, q),
                    "class": k,
                    "shared": last["shared"],
                    "headroom": last["headroom"],
                    "threshold": last["threshold"],
                    "shared_max": most["shared"],
                    "headroom_max": most["headroom"],
                    "paused": [min(1.0, float(held) / step) for held in since["held"]],
                    "dropped": [int(count) for count in since["dropped"]],
                }
            )
        return found
