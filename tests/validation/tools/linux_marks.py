"""Measure how Linux TCP reacts to ECN marks, in two network namespaces. Run by hand, as root; needs gcc.

    sender --tun----> a port that marks ----tun--> receiver
          <-- every ACK is held back as long --

No queue of the measuring kernel marks packets by their number, so the port is a process: ``marking_switch.c``, which
is compiled for the measurement. It knows a rate, a buffer, a step of marks and a delay of acknowledgements, and notes
every packet. Nothing leaves the namespaces, which are removed at the end. Prints one JSON object.

Told are, beside what ``linux_dumbbell`` tells: how many packets were marked, and what a sender does when a mark is
reported to it, from that acknowledgement until everything that was outstanding then is acknowledged (``reactions``).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tests.validation.tools.endpoints import child, enter, open_tun, read_all, send_always
from tests.validation.tools.linux_dumbbell import SETTINGS, add_address, asked, kernel_says, namespaces

PACKET, PAYLOAD = 1500, 1448
MARKED, DROPPED, ECHOED, ANSWERED, ACKNOWLEDGES = 1, 2, 4, 8, 16
NEVER = 60000  # packets that never wait: no marks
RECORD = np.dtype(
    [("time", "f8"), ("number", "u4"), ("port", "u2"), ("waiting", "u2"), ("payload", "u2"), ("flags", "u2")],
    align=True,
)


@dataclass(frozen=True)
class Options:
    """One measurement. Times in seconds, ``rate`` in bit/s of 1500 B packets, ``buffer`` and ``step`` in packets.

    step: a packet that finds more waiting is marked.  ecn: whether hosts ask for marks.  offload: whether TCP hands on
    batches of segments, which are taken apart before the port.  every: whether each segment is acknowledged.
    """

    flows: int = 1
    rate: float = 50e6
    rtt: float = 0.02
    buffer: int = 500
    step: int = NEVER
    congestion: str = "reno"
    ecn: bool = False
    offload: bool = False
    every: bool = False
    warmup: float = 8.0
    window: float = 25.0
    seed: int = 1
    start_jitter: float = 1.0
    sysctl: tuple[str, ...] = ()


def _build(o: Options, sender: str, receiver: str) -> tuple[int, int]:
    """Two namespaces with a tun device each; their handles."""
    handles = []
    for namespace, device, own, other in (
        (sender, "s0", "10.77.1.1/24", "10.77.2.0/24"),
        (receiver, "k0", "10.77.2.1/24", "10.77.1.0/24"),
    ):
        kernel_says(f"ip netns add {namespace}")
        for setting in ("ipv4.conf.all.rp_filter=0", "ipv4.conf.default.rp_filter=0", "ipv6.conf.all.disable_ipv6=1"):
            kernel_says(f"sysctl -qw net.{setting}", namespace)
        for setting in (*SETTINGS, f"net.ipv4.tcp_ecn={1 if o.ecn else 0}", *o.sysctl):
            kernel_says(f"sysctl -qw '{setting}'", namespace)
        handles.append(open_tun(namespace, device))
        add_address(namespace, device, own)
        if not o.offload:
            kernel_says(f"ip link set {device} gso_max_segs 1", namespace)
        quick = " quickack 1" if o.every and namespace == receiver else ""
        kernel_says(f"ip route add {other} dev {device}{quick}", namespace)
    return handles[0], handles[1]


def _port(o: Options, handles: tuple[int, int], program: Path, log: Path, report: Path, lasting: float) -> None:
    for handle in handles:
        os.set_inheritable(handle, True)
    told = os.open(report, os.O_WRONLY | os.O_CREAT)
    os.dup2(told, 1)
    words = (*handles, o.rate, o.buffer, o.step, o.rtt, lasting, log)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    os.execv(program, [str(program), *map(str, words)])


def _queue(came: npt.NDArray[Any], rate: float, opened: float, closed: float) -> float:
    """Mean number of packets waiting in the window, of those let in, by how long each waits."""
    idle = waited = 0.0
    for at, payload in zip(came["time"], came["payload"], strict=True):
        begins = max(idle, float(at))
        idle = begins + (float(payload) + PACKET - PAYLOAD) * 8.0 / rate
        waited += max(0.0, min(begins, closed) - max(float(at), opened))
    return waited / (closed - opened)


@dataclass
class _Flow:
    """What the port has seen of a flow: positions in bytes from its first one."""

    first: int
    acknowledged: int = 0
    following: int = 0  # the byte after those sent
    ends: int = -1  # where the reaction under way ends; -1 for none yet
    began: float = 0.0
    outstanding: float = 0.0
    sent: list[float] | None = None  # when segments left in it [s], from its start


def reactions(records: Iterable[Any], opened: float) -> list[dict[str, Any]]:
    """What senders did after each mark that they reacted to from time ``opened`` on.

    outstanding: segments, when it was reported.  sent: when each segment left from then on [s].  lasting: until all of
    the former were acknowledged [s].  again: whether the acknowledgement that ends it brings the next.
    """
    flows: dict[int, _Flow] = {}
    found: list[dict[str, Any]] = []
    for r in records:
        at, number, flags = float(r["time"]), int(r["number"]), int(r["flags"])
        if not flags & ACKNOWLEDGES:
            flow = flows.setdefault(int(r["port"]), _Flow(number))
            flow.following = max(flow.following, (number - flow.first) % 2**32 + int(r["payload"]))
            if flow.sent is not None:
                flow.sent.append(at - flow.began)
            continue
        if int(r["port"]) not in flows:
            continue
        flow = flows[int(r["port"])]
        before, flow.acknowledged = flow.acknowledged, max(flow.acknowledged, (number - flow.first) % 2**32)
        if flow.sent is not None and flow.acknowledged >= flow.ends:
            if flow.began >= opened:
                again = flags & ECHOED != 0 and flow.acknowledged > flow.ends
                found.append(
                    {
                        "outstanding": flow.outstanding,
                        "sent": flow.sent,
                        "lasting": at - flow.began,
                        "again": again,
                    }
                )
            flow.sent = None
        if flags & ECHOED and flow.acknowledged > flow.ends:
            flow.ends, flow.began, flow.sent = flow.following, at, []
            flow.outstanding = (flow.following - before) / PAYLOAD
    return found


def summary(found: list[dict[str, Any]]) -> dict[str, Any]:
    """How many reactions, an example, and their means.

    outstanding: segments.  sent: the part of them that was sent until all were acknowledged.  first_sent, silence: when
    the first left, and the longest time without any, as parts of that time.  again: the part that another follows.
    """
    found = [one for one in found if one["outstanding"] >= 4 and one["lasting"] > 0.0]
    if not found:
        return {"count": 0}
    gaps = []
    for one in found:
        times = [0.0, *one["sent"], one["lasting"]]
        gaps.append(max(np.diff(times)) / one["lasting"])
    return {
        "count": len(found),
        "outstanding": statistics.fmean(one["outstanding"] for one in found),
        "sent": statistics.fmean(len(one["sent"]) / one["outstanding"] for one in found),
        "first_sent": statistics.fmean(min([*one["sent"], one["lasting"]]) / one["lasting"] for one in found),
        "silence": statistics.fmean(gaps),
        "again": statistics.fmean(one["again"] for one in found),
        "example": {**found[len(found) // 2], "sent": [round(at, 6) for at in found[len(found) // 2]["sent"]]},
    }


def evaluate(o: Options, records: npt.NDArray[Any], opened: float) -> dict[str, Any]:
    """What the records of a run say of the window that opened then."""
    closed = opened + o.window
    data = records[records["flags"] & ACKNOWLEDGES == 0]
    let_in = data[data["flags"] & DROPPED == 0]
    inside = data[(data["time"] >= opened) & (data["time"] < closed)]
    dropped, marked = (int((inside["flags"] & flag != 0).sum()) for flag in (DROPPED, MARKED))
    passed = inside[inside["flags"] & DROPPED == 0]
    return {
        "utilisation": float((passed["payload"] + float(PACKET - PAYLOAD)).sum()) * 8.0 / o.window / o.rate,
        "drop_rate": dropped / max(1, len(inside)),
        "mark_rate": marked / max(1, len(passed)),
        "queue_mean": _queue(let_in, o.rate, opened, closed),
        "packets": len(passed),
        "reactions": summary(reactions(records, opened)),
    }


def _measure(o: Options, sender: str, receiver: str, scratch: Path) -> dict[str, Any]:
    program, log, report, sent = (scratch / name for name in ("port", "log", "lateness.json", "sent.json"))
    source = Path(__file__).with_name("marking_switch.c")
    subprocess.run(["gcc", "-O2", "-o", program, source], check=True)
    handles = _build(o, sender, receiver)
    lasting = o.warmup + o.window + 3
    children = [child(lambda: _port(o, handles, program, log, report, lasting), lasting + 20)]
    children.append(child(lambda: read_all(receiver, 0, lasting), lasting + 20))
    time.sleep(0.2)
    laws = [o.congestion.split(",")[n % len(o.congestion.split(","))] for n in range(o.flows)]
    window = o.warmup, o.warmup + o.window
    began = time.monotonic()
    children.append(
        child(lambda: send_always(sender, laws, o.start_jitter, o.seed, lasting - 2, window, sent), lasting + 20)
    )
    enter(sender)  # so that nothing of this process is in the way
    for pid in reversed(children):
        os.waitpid(pid, 0)
    records = np.fromfile(log, dtype=RECORD)
    each = json.loads(sent.read_text())
    total = sum(flow["bytes"] for flow in each)
    return {
        **asdict(o),
        "kernel": os.uname().release,
        **evaluate(o, records, began + o.warmup),
        "shares": {law: sum(f["bytes"] for f in each if f["law"] == law) / total for law in o.congestion.split(",")},
        "lateness": json.loads(report.read_text()),
    }


def main() -> None:
    """Measure one case and print it."""
    o = asked(Options, __doc__)
    with tempfile.TemporaryDirectory() as scratch, namespaces("sk", o.warmup + o.window + 60) as names:
        sys.stdout.write(json.dumps(_measure(o, names[0], names[1], Path(scratch))) + "\n")


if __name__ == "__main__":
    main()
