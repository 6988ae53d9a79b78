"""Traffic classes: what all flows of one traffic entry have in common, as a table of the compiled engine."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from footroom.engines.packet.kept import Kept, address
from footroom.engines.packet.tables import GO_BACK_N, NEWRENO, PRR, SACK, SELECTIVE
from footroom.engines.plan import Plan
from footroom.kernel.tables import ECT, rows, table
from footroom.parts.congestion import Hooks
from footroom.parts.traffic import Host
from footroom.parts.traffic.option import numbers, options

_RECOVERY = {"newreno": NEWRENO, "sack": SACK, "prr": PRR, "go_back_n": GO_BACK_N, "selective": SELECTIVE}
_HOOKS = tuple(hook.name for hook in fields(Hooks))
#: What a plan's stack says under the same name.
_FROM_STACK = (
    "segment",
    "payload",
    "receive_window",
    "spacing",
    "persistent",
    "query",
    "outstanding",
    "rdma",
    "cnp_interval",
    "base_rtt",
)

#: Besides what is listed here: addresses of the law's hooks, 0 for none, and the options of ``host``.
CLASS = table(
    ("segment", "i8"),
    ("ack_size", "i8"),  # size of a full packet, and of an acknowledgement
    ("payload", "i8"),  # bytes of it in a full packet
    ("recovery", "i8"),  # see footroom.engines.packet.tables
    ("receive_window", "i8"),  # segments; over RDMA the most that is outstanding
    ("spacing", "i8"),  # least time between bursts of one flow, or between segments with autosize; 0 for none
    *[(name, "i8") for name in _HOOKS],  # on_ecn: 0 also where hosts do not understand marks
    *[(name, "i8") for name in options(Host)],
    ("ect", "i8"),  # flags of a data packet
    ("accurate", "i8"),  # whether the receiver echoes every mark (RFC 8257) or latches it (RFC 3168)
    ("ack_flags", "i8"),  # flags of an acknowledgement
    ("params", "i8"),  # address of the law's parameters
    ("scratch", "i8"),  # words of memory the law has per flow
    ("telemetry", "i8"),  # whether switches write telemetry into its data packets
    ("probe_size", "i8"),  # size of a packet that brings telemetry back once per round trip; 0 for none
    ("base_rtt", "i8"),  # the longest round trip in the network without queueing [ps]; 0 where no law needs it
    ("rdma", "i8"),  # whether its hosts are RDMA hosts
    ("cnp_interval", "i8"),  # least time between two congestion notifications to one flow; 0 for none at all
    ("persistent", "i8"),  # whether a connection may carry several flows
    ("allots", "i8"),  # whether receivers set its windows for all connections of their host together
    ("provision", "i8"),  # windows that the write buffer holds
    ("query", "i8"),  # segments of a query where a connection carries a stream of them; 0 for none
    ("outstanding", "i8"),  # how many of them are under way at most
)


def class_table(plan: Plan, kept: Kept) -> np.ndarray:
    """One row for every traffic entry of ``plan``."""
    classes = rows(len(plan.stacks), CLASS)
    for row, stack in zip(classes, plan.stacks, strict=True):
        hooks = stack.law.hooks()
        for name in _FROM_STACK:
            row[name] = getattr(stack, name)
        for name, value in numbers(Host, stack.options).items():
            row[name] = value
        for name in _HOOKS:
            row[name] = address(getattr(hooks, name)) if name != "on_ecn" or stack.ecn else 0
        row["ack_size"], row["recovery"] = plan.sized(stack.overhead), _RECOVERY[stack.recovery]
        if row["on_ecn"]:
            row["ect"], row["accurate"] = ECT, stack.law.accurate_echo
        if stack.rdma and stack.ecn:
            row["ect"] = ECT
        row["ack_flags"] = ECT if stack.rdma or row["accurate"] else 0
        row["params"], row["scratch"] = kept.parameters(stack.law.parameters()), stack.law.scratch()
        row["allots"] = stack.law.allots()
        row["provision"] = stack.law.provision
        row["telemetry"] = stack.telemetry == "data"
        row["probe_size"] = plan.sized(stack.law.overhead()) if stack.telemetry == "probe" else 0
    return classes
