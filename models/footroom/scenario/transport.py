"""Hosts of a scenario document whose congestion control changed from TCP to RDMA or back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from footroom.parts import congestion
from footroom.parts.congestion import RDMA, Law
from footroom.parts.traffic.host import EITHER_TRANSPORT


def refitted(
    before: Mapping[str, Any], after: dict[str, Any], chosen: Collection[str]
) -> tuple[dict[str, Any], list[str]]:
    """``after`` without host settings that its new congestion controls cannot have, and what was dropped, in words.

    before, after: documents, not yet validated, whose traffic entries correspond.  chosen: dotted paths that the user
    set: they stay, so that a wrong one is refused rather than dropped.
    """
    old, new = before.get("traffic"), after.get("traffic")
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return after, []
    entries, notes = list(new), []
    for i, (was, now) in enumerate(zip(old, new, strict=True)):
        first, second = _law(was), _law(now)
        if first is None or second is None or first is second:
            continue
        kept = {path[len(f"traffic.{i}.") :] for path in chosen if path.startswith(f"traffic.{i}.")}
        entries[i], dropped = _fitted(now, first, second, kept)
        if dropped:
            notes.append(
                f"traffic.{i}: {second.about.title} runs over {_transport(second)}, so these settings were "
                f"left out: {', '.join(dropped)}"
            )
    return {**after, "traffic": entries}, notes


def _fitted(
    entry: dict[str, Any], was: type[Law], now: type[Law], kept: Collection[str]
) -> tuple[dict[str, Any], list[str]]:
    """An entry without the fields that only hosts of another transport have, and the names of these fields."""
    host = entry.get("host")
    given: dict[str, Any] = host if isinstance(host, dict) else {}
    other = (was.recoveries == RDMA) != (now.recoveries == RDMA)
    dropped = [
        name
        for name, value in given.items()
        if f"host.{name}" not in kept
        and (name not in EITHER_TRANSPORT if other else name == "recovery" and value not in (None, *now.recoveries))
    ]
    found = dict(entry)
    if dropped:
        found["host"] = {name: value for name, value in given.items() if name not in dropped}
    if other and entry.get("window") is not None and "window" not in kept:
        del found["window"]
        return found, [*dropped, "window"]
    return found, dropped


def _law(entry: Any) -> type[Law] | None:
    """The congestion control of an entry as written, or of one that names none; none where it is no known one."""
    written = entry.get("congestion", {"kind": "newreno"}) if isinstance(entry, dict) else None
    kind = written.get("kind") if isinstance(written, dict) else None
    if not isinstance(kind, str) or kind not in congestion.REGISTRY.names:
        return None
    found = congestion.REGISTRY.get(kind)
    return found if issubclass(found, Law) else None


def _transport(law: type[Law]) -> str:
    return "RDMA" if law.recoveries == RDMA else f"TCP with recovery {' or '.join(law.recoveries)}"


__all__ = ["refitted"]
