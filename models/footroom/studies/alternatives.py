"""Ready changes to a scenario with lossless classes: what a network engineer would try next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from footroom.parts.headroom import Pausing, StaticIndependent
from footroom.scenario import Scenario
from footroom.scenario.kinds import set_field
from footroom.studies.document import ChangeDocument

#: Paths to values; None takes the field out, so that its default holds.
Changes = dict[str, Any]


@dataclass(frozen=True)
class Alternative:
    """One change. id, title, about: for people.  changes: dotted paths to values."""

    id: str
    title: str
    about: str
    changes: Changes

    def to_dict(self) -> ChangeDocument:
        """Plain data."""
        return {"id": self.id, "title": self.title, "about": self.about, "changes": dict(self.changes)}


def apply(raw: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the document with all changes made. Raises InvalidInput for a path that does not exist."""
    changed = dict(raw)
    for path, value in changes.items():
        changed = set_field(changed, path, value)
    return changed


def _pausing(scenario: Scenario) -> Pausing:
    headroom = scenario.switch.headroom
    assert isinstance(headroom, Pausing)
    return headroom


def _scheme(scenario: Scenario) -> Alternative:
    if isinstance(_pausing(scenario), StaticIndependent):
        return Alternative(
            "scheme",
            "Headroom that ports share (DSH)",
            "switch.headroom.kind dynamic_shared: one insurance for each port instead of headroom for each class",
            {"switch.headroom.kind": "dynamic_shared"},
        )
    return Alternative(
        "scheme",
        "Headroom of its own for each class (SIH)",
        "switch.headroom.kind static_independent: headroom for each lossless class of each port",
        {"switch.headroom.kind": "static_independent"},
    )


def _pools(scenario: Scenario) -> Alternative:
    if _pausing(scenario).lossless_share is not None:
        return Alternative(
            "pools",
            "One pool for lossless and lossy classes",
            "switch.headroom.lossless_share left out",
            {"switch.headroom.lossless_share": None},
        )
    return Alternative(
        "pools",
        "A pool of its own for lossless classes",
        "switch.headroom.lossless_share 0.5: half of the shared memory for them alone",
        {"switch.headroom.lossless_share": 0.5},
    )


def _classes(scenario: Scenario) -> Alternative | None:
    """All lossless traffic in one class, or the entries of one class dealt out to two."""
    lossless = list(scenario.switch.lossless())
    priority = {
        i: entry.priority
        for i, entry in enumerate(scenario.traffic)
        if isinstance(entry.priority, str) or entry.priority in lossless
    }
    if len(lossless) > 1:
        one = next((int(klass) for klass in priority.values() if not isinstance(klass, str)), lossless[0])
        moved = {f"traffic.{i}.priority": one for i, klass in priority.items() if klass != one}
        return Alternative(
            "classes",
            "One lossless class",
            f"switch.headroom.lossless [{one}], with all lossless traffic in it: less headroom is set aside",
            {"switch.headroom.lossless": [one], **moved},
        )
    other = next((k for k in range(scenario.switch.queues - 1) if k not in lossless), None)
    if other is None or len(priority) < 2:
        return None
    return Alternative(
        "classes",
        "Two lossless classes",
        f"class {other} is lossless too, and every other entry of the traffic is moved to it",
        {
            "switch.headroom.lossless": sorted([*lossless, other]),
            **{f"traffic.{i}.priority": other for i in list(priority)[1::2]},
        },
    )


def _alpha(scenario: Scenario, factor: float, name: str, title: str) -> Alternative:
    now = float(max(_pausing(scenario).alphas(scenario.switch.sharing)))
    return Alternative(
        name,
        title,
        f"switch.headroom.alpha {now * factor:g} instead of {now:g}",
        {"switch.headroom.alpha": now * factor},
    )


def _oversubscription(scenario: Scenario) -> Alternative | None:
    pausing = _pausing(scenario)
    if not isinstance(pausing, StaticIndependent) or pausing.pool is not None:
        return None
    if pausing.oversubscription is not None:
        return Alternative(
            "oversubscription",
            "Headroom without oversubscription",
            "switch.headroom.oversubscription left out",
            {"switch.headroom.oversubscription": None},
        )
    return Alternative(
        "oversubscription",
        "Half of the headroom, as a pool",
        "switch.headroom.oversubscription 2: all groups draw from one pool of half the size",
        {"switch.headroom.oversubscription": 2},
    )


_ALL: tuple[Callable[[Scenario], Alternative | None], ...] = (
    _scheme,
    _pools,
    _classes,
    lambda scenario: _alpha(scenario, 2.0, "alpha-up", "Twice the alpha"),
    lambda scenario: _alpha(scenario, 0.5, "alpha-down", "Half the alpha"),
    _oversubscription,
)


def alternatives(scenario: Scenario) -> list[Alternative]:
    """The ready changes that apply to ``scenario``; none where no class is lossless."""
    if not isinstance(scenario.switch.headroom, Pausing):
        return []
    return [found for make in _ALL if (found := make(scenario)) is not None]


__all__ = ["Alternative", "alternatives", "apply"]
