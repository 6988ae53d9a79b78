"""A scenario under another congestion control: what is changed in it, and what stays."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from footroom.parts.congestion import RDMA, Law
from footroom.parts.traffic import LongLived
from footroom.parts.traffic.host import EITHER_TRANSPORT
from footroom.result.transfer import LEVELS
from footroom.scenario import Scenario
from footroom.scenario.bottleneck import congested_queue, idle_round_trip
from footroom.scenario.kinds import set_field
from footroom.studies.controls.kinds import Control

#: Share of the flows that probe where packets must measure a completion time and the scenario has no probes.
PROBES = 0.01
#: DCTCP's authors mark above at least C·RTT/7.
_MARK = 1.0 / 7.0


@dataclass(frozen=True)
class Under:
    """A scenario under a control. document: the whole of it.  settings: dotted path to value, what differs from the
    scenario asked about; set one by one they lead to ``document``.  changes: the same in words, beside control and
    flows.
    """

    document: dict[str, Any]
    settings: dict[str, Any]
    changes: tuple[str, ...]

    def command(self, source: str, require: Sequence[str], engine: str) -> str:
        """The command that answers for this scenario alone. source: how the user wrote the scenario."""
        sets = [f"--set {_quoted(f'{path}={_written(value)}')}" for path, value in self.settings.items()]
        needs = [f"--require {_quoted(text)}" for text in require]
        return " ".join(["footroom", "size", source, *sets, *needs, "--engine", engine])


def own_flows(scenario: Scenario) -> int | None:
    """Long-lived flows of ``scenario``; none where it has none, and numbers of flows have no meaning."""
    return sum(entry.flows for entry in scenario.traffic if isinstance(entry, LongLived)) or None


def under(raw: Mapping[str, Any], base: Scenario, control: Control, flows: int | None, *, probed: bool) -> Under | None:
    """The scenario with ``flows`` long-lived flows under ``control``; none where these are too few for the mixture.

    raw: the scenario as written, ``base`` parsed. Entries keep their share of the flows; those of which none is left
    go. Where there are no long-lived flows every entry runs the control.  probed: packets are to measure completion
    times.
    """
    laws = control.laws
    changed = [i for i, entry in enumerate(base.traffic) if flows is None or isinstance(entry, LongLived)]
    if len(laws) > (1 if flows is None else flows):
        return None
    written = raw["traffic"]
    entries: list[dict[str, Any]] = []
    changes: list[str] = []
    counts = iter(_divided(flows or 0, [base.traffic[i].lasting() for i in changed], len(laws)))
    for i, entry in enumerate(base.traffic):
        if i not in changed:
            entries.append(copy.deepcopy(written[i]))
            continue
        for law, document in zip(laws, control.documents, strict=True):
            count = next(counts) if flows is not None else 0
            if flows is None or count > 0:
                made, said = _entry(written[i], entry, law, document)
                entries.append(made if flows is None else {**made, "flows": count})
                changes += said
    settings = _traffic_settings(written, entries)
    seen = congested_queue(base)
    if seen is not None and base.switch.marking.kind == "none" and any(_needs_marks(law) for law in laws):
        product = seen.capacity * idle_round_trip(seen, base.run.mtu) / 8.0
        threshold = max(round(base.run.mtu), round(_MARK * product))
        settings["switch.marking"] = {"kind": "step", "threshold": threshold}
        changes.append(
            f"The switch marks above C·RTT/7 = {threshold / 1e3:.4g} kB (Alizadeh et al., SIGCOMM 2010): "
            "this control waits for marks, and the scenario has none."
        )
    if probed and base.run.probe_share is None:
        settings["run.probe_share"] = PROBES
        changes.append(f"A share of {PROBES:g} of the load are probes, which measure completion times.")
    document = dict(copy.deepcopy(dict(raw)))
    for path, value in settings.items():
        document = set_field(document, path, copy.deepcopy(value))
    return Under(document, settings, tuple(dict.fromkeys(changes)))


def asks_for_probes(require: Sequence[str]) -> bool:
    """Whether a requirement is about the completion time of one more transfer."""
    return any(text.startswith(tuple(LEVELS)) for text in require)


def _entry(
    written: Mapping[str, Any], entry: Any, law: Law, document: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """One traffic entry under ``law``, and what else had to change."""
    made, changes = copy.deepcopy(dict(written)), []
    if not _same(entry.congestion, law):
        made["congestion"] = dict(document)
    host = made.get("host", {})
    if (entry.congestion.recoveries == RDMA) != (law.recoveries == RDMA):
        made["host"] = {key: host[key] for key in EITHER_TRANSPORT if key in host}
        dropped = sorted(set(host) - set(made["host"]))
        made.pop("window", None)
        kind = "RDMA" if law.recoveries == RDMA else "TCP"
        changes.append(
            f"{law.about.title} runs on {kind} hosts, with the usual settings of those"
            + (f" instead of {', '.join(dropped)}." if dropped else ".")
        )
    elif entry.recovery_of() not in law.recoveries:
        made["host"] = {key: value for key, value in host.items() if key != "recovery"}
        changes.append(f"{law.about.title} needs recovery {' or '.join(law.recoveries)}, not {entry.recovery_of()}.")
    return made, changes


def _same(one: Any, other: Law) -> bool:
    """Whether an entry runs the control already, so that its own parameters stay."""
    return bool(one.kind == other.kind) and getattr(one, "version", None) == getattr(other, "version", None)


def _needs_marks(law: Law) -> bool:
    """Whether the control works by marks, rather than by losses, delays or telemetry."""
    return law.accurate_echo or law.notices() is not None


def _divided(flows: int, shares: Sequence[int], ways: int) -> list[int]:
    """``flows`` among entries by their shares, each then in ``ways`` equal parts, by the largest remainder."""
    weights = [share / ways for share in shares for _ in range(ways)]
    total = sum(weights)
    if total == 0.0:
        return [0] * len(weights)
    exact = [flows * weight / total for weight in weights]
    counts = [int(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda i: (counts[i] - exact[i], i))
    for i in order[: flows - sum(counts)]:
        counts[i] += 1
    return counts


def _traffic_settings(written: Sequence[Mapping[str, Any]], entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Fields that differ; the list of entries as a whole where their number does, or where a field goes."""
    if len(written) != len(entries) or any(set(old) - set(new) for old, new in zip(written, entries, strict=True)):
        return {"traffic": list(entries)}
    return {
        f"traffic.{i}.{key}": value
        for i, (old, new) in enumerate(zip(written, entries, strict=True))
        for key, value in new.items()
        if key not in old or old[key] != value
    }


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    return text if all(c.isalnum() or c in "._=-:/," for c in text) else "'" + text.replace("'", "'\\''") + "'"
