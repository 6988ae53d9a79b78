"""Lossless fabrics as hard on their headroom as the schema allows: everything that makes packets come late or together.

Hosts delay packets at random, send bursts, use packets of several sizes; TCP and RDMA share switches; several classes
are lossless; headroom is kept per group, in one pool that holds all of it (oversubscription 1), or as insurance (DSH).
"""

from __future__ import annotations

import random
import re
from typing import Any

from tests.lossless.varied import varied_fabric

from footroom.base.errors import InvalidInput
from footroom.engines.plan import Plan, build_plan
from footroom.scenario import Scenario

_RDMA = ("dcqcn", "hpcc", "powertcp", "timely", "swift")
_NEEDED = re.compile(r"Set switch\.headroom\.size to (\d+) B")
_BUFFER = re.compile(r"Set switch\.buffer to (\d+) B")
#: Beginnings of the notes that say that packets of lossless classes may be dropped.
WARNINGS = ("Headroom may not suffice", "The headroom pool", "Switch")


def adversarial_fabric(seed: int) -> dict[str, Any]:
    """A scenario with headroom in bytes, which is seldom enough before it is ``enlarged``."""
    draw = random.Random(f"adversarial {seed}")
    raw = varied_fabric(seed)
    headroom = raw["switch"]["headroom"]
    for name in ("scheme", "oversubscription", "size", "kind"):
        headroom.pop(name, None)
    headroom["kind"] = draw.choice(("static_independent", "static_independent", "dynamic_shared"))
    if headroom["kind"] == "static_independent" and draw.random() < 0.5:
        headroom["oversubscription"] = 1
    headroom["size"] = draw.choice((4, 16, 64)) * raw["run"]["mtu"]
    headroom["alpha"] = draw.choice((0.0625, 0.5, 4))
    for entry in raw["traffic"]:
        host = entry["host"]
        packet = raw["run"]["mtu"] * 8 / 100e9
        host["jitter"] = draw.choice((0, "100 ns", 4 * packet))
        if entry["congestion"]["kind"] not in _RDMA:
            host |= {"burst": draw.choice((1, 16, 64)), "initial_window": draw.choice((64, 1000))}
            if draw.random() < 0.5:
                host["mss"] = draw.choice((200, 536, 900))
        if entry["kind"] == "incast":
            entry["degree"], entry["jitter"] = 48, 0
    return raw


def enlarged(raw: dict[str, Any], attempts: int = 12) -> Plan | None:
    """The plan with headroom and buffer as large as its own messages ask for; None where there is always another."""
    headroom = raw["switch"]["headroom"]
    for _ in range(attempts):
        try:
            plan = build_plan(Scenario.parse(raw))
        except InvalidInput as refused:
            if "buffer" not in str(refused):
                raise
            raw["switch"]["buffer"] = 2 * raw["switch"]["buffer"]
            continue
        sizes = [int(size) for note in plan.notes for size in _NEEDED.findall(note)]
        buffers = [int(size) for note in plan.notes for size in _BUFFER.findall(note)]
        if buffers:
            raw["switch"]["buffer"] = max(buffers)
        elif not sizes:
            return plan if not any(note.startswith(WARNINGS) for note in plan.notes) else None
        if sizes:
            headroom["size"] = max(*sizes, headroom["size"] + 1)
    return None


def with_cut(raw: dict[str, Any], share: float) -> dict[str, Any]:
    """The same fabric with that share of its headroom and nothing allowed beyond it."""
    switch = raw["switch"]
    cut = {**switch["headroom"], "size": int(share * switch["headroom"]["size"]), "allowance": 0}
    return {**raw, "switch": {**switch, "headroom": cut}}
