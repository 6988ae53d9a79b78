"""Measure Linux TCP through a real drop-tail bottleneck, in three network namespaces. Run by hand, as root.

    sender --veth-- router --veth behind a token bucket and a FIFO-- receiver
       ^                                                                |
       +------ tun <---- a process holds every ACK back ---- tun <------+

Nothing leaves the namespaces, which are removed at the end. The kernel needs veth, tun, sch_tbf and sch_fifo, not
netem: a process hands each acknowledgement on a fixed time after it came. Delaying acknowledgements, not data, keeps
the delay clear of the bottleneck's queue. Prints one JSON object.

Flows are long, one after another by the laws of ``congestion`` (reno,cubic: half each). With ``size`` they are
transfers instead, over new connections: ``load`` of the link with random arrivals, or ``degree`` at once, ``queries``
times.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from tests.validation.tools.counters import QueueMeter, tcp_counters
from tests.validation.tools.endpoints import child, enter, hold_back, read_all, send_always, send_transfers

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FRAME = 1514  # 1448 B payload, 52 B IPv4, TCP and timestamps, 14 B Ethernet: what the token bucket charges
SETTINGS = (
    "net.ipv4.tcp_no_metrics_save=1",
    "net.ipv4.tcp_rmem=4096 8388608 33554432",
    "net.ipv4.tcp_wmem=4096 262144 33554432",
)
_SLICES = 10
_STUDENT = 2.262  # 95 %, 9 degrees of freedom


Asked = TypeVar("Asked", bound="DataclassInstance")


@dataclass(frozen=True)
class Options:
    """One measurement. Times in seconds, ``rate`` in bit/s of 1514 B frames, ``buffer`` in packets waiting.

    spread: of round trips, as a share of ``rtt`` to either side.  size: of a transfer [B], 0 for long flows.
    offload: whether the sender hands on batches of segments (GSO), which the bottleneck takes apart.
    """

    flows: int = 1
    rate: float = 20e6
    rtt: float = 0.04
    buffer: int = 66
    burst: int = 2 * FRAME
    congestion: str = "reno"
    offload: bool = False
    warmup: float = 15.0
    window: float = 60.0
    seed: int = 1
    start_jitter: float = 1.0
    spread: float = 0.0
    size: int = 0
    load: float = 0.7
    degree: int = 0
    queries: int = 20
    sysctl: tuple[str, ...] = ()


def kernel_says(line: str, namespace: str | None = None) -> str:
    prefix = ["ip", "netns", "exec", namespace] if namespace else []
    done = subprocess.run([*prefix, *shlex.split(line)], capture_output=True, text=True, timeout=30, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(prefix)} {line}: {done.stderr.strip()}")
    return done.stdout


def add_address(namespace: str, device: str, address: str) -> None:
    kernel_says(f"ip addr add {address} dev {device}", namespace)
    kernel_says(f"ip link set {device} txqueuelen 10000 up", namespace)


def _build(o: Options, sender: str, router: str, receiver: str) -> None:
    for namespace in (sender, router, receiver):
        kernel_says(f"ip netns add {namespace}")
        for setting in ("ipv4.conf.all.rp_filter=0", "ipv4.conf.default.rp_filter=0", "ipv6.conf.all.disable_ipv6=1"):
            kernel_says(f"sysctl -qw net.{setting}", namespace)
        kernel_says("ip link set lo up", namespace)
    kernel_says(f"ip link add name s0 netns {sender} type veth peer name r0 netns {router}")
    kernel_says(f"ip link add name r1 netns {router} type veth peer name k0 netns {receiver}")
    for namespace, device, address in (
        (sender, "s0", "10.77.1.1/24"),
        (router, "r0", "10.77.1.2/24"),
        (router, "r1", "10.77.2.2/24"),
        (receiver, "k0", "10.77.2.1/24"),
    ):
        add_address(namespace, device, address)
        kernel_says(f"ethtool -K {device} tso off gso off gro off", namespace)  # packets, not batches, meet the buffer
        if o.offload and device == "s0":
            kernel_says("ethtool -K s0 tso on gso on", sender)
        else:
            kernel_says(f"ip link set {device} gso_max_segs 1", namespace)
    kernel_says("sysctl -qw net.ipv4.ip_forward=1", router)
    kernel_says("ip route add 10.77.2.0/24 via 10.77.1.2", sender)
    for namespace in (sender, receiver):
        for setting in (*SETTINGS, *o.sysctl):
            kernel_says(f"sysctl -qw '{setting}'", namespace)
    # A token bucket takes a batch apart that is longer than its burst: one byte less than two frames leaves none whole.
    burst = min(o.burst, 2 * FRAME - 1) if o.offload else o.burst
    kernel_says(f"tc qdisc add dev r1 root handle 1: tbf rate {o.rate:.0f}bit burst {burst} limit 100000000", router)
    kernel_says(f"tc qdisc add dev r1 parent 1:1 handle 10: pfifo limit {o.buffer}", router)


def _tcp(namespace: str) -> dict[str, int]:
    return tcp_counters(kernel_says("cat /proc/net/snmp /proc/net/netstat", namespace))


def _half_width(values: list[float]) -> float:
    return _STUDENT * statistics.stdev(values) / math.sqrt(len(values))


def transfers(o: Options, lasting: float) -> list[tuple[float, str]]:
    """When transfers begin [s], and their laws: random arrivals, or ``degree`` within a millisecond again and again."""
    draw = random.Random(o.seed)
    laws = o.congestion.split(",")
    if o.degree > 0:
        every = lasting / o.queries
        begins = [n * every + 0.001 * draw.random() for n in range(o.queries) for _ in range(o.degree)]
    else:
        packets = math.ceil(o.size / (FRAME - 66))
        rate = o.load * o.rate / 8.0 / (o.size + 66 * packets)
        begins = [draw.expovariate(rate)]
        while begins[-1] < lasting:
            begins.append(begins[-1] + draw.expovariate(rate))
    return [(begin, laws[n % len(laws)]) for n, begin in enumerate(begins)]


def _spread_over(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return (
        {
            "count": len(ordered),
            "mean": statistics.fmean(ordered),
            "p50": ordered[len(ordered) // 2],
            "p99": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
        }
        if ordered
        else {"count": 0}
    )


def _sent(o: Options, report: Path) -> dict[str, object]:
    """What the sending process wrote, summed up: shares of laws and fairness, or completion times [s]."""
    found = json.loads(report.read_text())
    laws = o.congestion.split(",")
    if o.size == 0:
        each = [flow["bytes"] for flow in found]
        total = sum(each)
        return {
            "fairness": total**2 / (len(each) * sum(b * b for b in each)),
            "shares": {law: sum(f["bytes"] for f in found if f["law"] == law) / total for law in laws},
        }
    inside = [f for f in found if f["start"] >= o.warmup]
    done = [f for f in inside if f["time"] is not None]
    by_law = {law: _spread_over([f["time"] for f in done if f["law"] == law]) for law in laws}
    answer: dict[str, object] = {"unfinished": len(inside) - len(done), "completion": by_law}
    if o.degree > 0:
        every = (o.warmup + o.window) / o.queries
        ends: dict[int, float] = {}
        for f in done:
            number = int(f["start"] / every)
            ends[number] = max(ends.get(number, 0.0), f["time"] + f["start"] - number * every)
        answer["queries_completed_in"] = _spread_over(list(ends.values()))
    else:
        answer["begins"] = sorted(round(f["start"], 4) for f in found)  # after set-ups, which may take some attempts
    return answer


def _measure(o: Options, sender: str, router: str, receiver: str, scratch: Path) -> dict[str, object]:
    _build(o, sender, router, receiver)
    lasting = o.warmup + o.window + 3
    report, sent = scratch / "lateness.json", scratch / "sent.json"
    # A token bucket lets a packet go when its last token came, an idle one at once: the wire sees each packet one
    # transmission time earlier than behind a transmitter, so that time is added to the delay.
    delay = o.rtt + FRAME * 8 / o.rate
    children = [child(lambda: hold_back(receiver, sender, delay, o.spread, lasting, report), lasting + 20)]
    deadline = time.monotonic() + 5
    while "home" not in kernel_says("ip -br link", sender) and time.monotonic() < deadline:
        time.sleep(0.05)
    add_address(receiver, "back", "10.77.3.1/32")
    add_address(sender, "home", "10.77.3.2/32")
    kernel_says("ip route add 10.77.1.0/24 dev back", receiver)
    children.append(child(lambda: read_all(receiver, o.size, lasting), lasting + 20))
    time.sleep(0.2)
    began = time.monotonic()
    laws = [o.congestion.split(",")[n % len(o.congestion.split(","))] for n in range(o.flows)]
    window = o.warmup, o.warmup + o.window
    if o.size > 0:
        starts = transfers(o, window[1])
        children.append(child(lambda: send_transfers(sender, starts, o.size, lasting - 1, sent), lasting + 20))
    else:
        children.append(
            child(lambda: send_always(sender, laws, o.start_jitter, o.seed, lasting - 2, window, sent), lasting + 20)
        )
    index = int(json.loads(kernel_says("ip -j link show r1", router))[0]["ifindex"])
    enter(router)
    meter = QueueMeter(index)
    time.sleep(max(0.0, began + o.warmup - time.monotonic()))
    tcp = _tcp(sender)
    first, opened = meter.read(), time.monotonic()
    marks, waiting = [(first, opened)], []
    while (now := time.monotonic()) < opened + o.window:
        sample = meter.read()
        waiting.append(sample["waiting"])
        if now - marks[-1][1] >= o.window / _SLICES:
            marks.append((sample, now))
        time.sleep(0.01 + 0.002 * random.random())
    last, closed = meter.read(), time.monotonic()
    marks.append((last, closed))
    tcp = {name: value - tcp[name] for name, value in _tcp(sender).items()}
    for pid in reversed(children):
        os.waitpid(pid, 0)
    slices = [({key: b[key] - a[key] for key in a}, v - u) for (a, u), (b, v) in pairwise(marks)]
    slices = [(change, span) for change, span in slices if span > 0.5 * o.window / _SLICES]
    packets, drops = last["packets"] - first["packets"], last["drops"] - first["drops"]
    return {
        **asdict(o),
        "kernel": os.uname().release,
        "utilisation": (last["bytes"] - first["bytes"]) * 8 / (closed - opened) / o.rate,
        "utilisation_error": _half_width([change["bytes"] * 8 / span / o.rate for change, span in slices]),
        "drop_rate": drops / (packets + drops),
        "drop_rate_error": _half_width([c["drops"] / max(1, c["packets"] + c["drops"]) for c, _ in slices]),
        "queue_mean": statistics.fmean(waiting),
        "queue_p99": sorted(waiting)[len(waiting) * 99 // 100],
        "packets": packets,
        "drops": drops,
        **tcp,
        **_sent(o, sent),
        "lateness": json.loads(report.read_text()),
    }


def asked(kind: type[Asked], about: str | None) -> Asked:
    """Options of the command line, each with the name and the default of a field of ``kind``."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in fields(kind):
        name, value = f"--{each.name.replace('_', '-')}", each.default
        if isinstance(value, bool):
            parser.add_argument(name, action="store_true")
        elif each.name != "sysctl":
            parser.add_argument(name, type=type(value), default=value, help=f"{value}")
    parser.add_argument("--sysctl", action="append", default=[], help="name=value, at both ends")
    found = vars(parser.parse_args())
    return kind(**{**found, "sysctl": tuple(found["sysctl"])})


def _stop(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(f"stopped by signal {number}")


@contextmanager
def namespaces(ends: str, seconds: float) -> Iterator[list[str]]:
    """A name of a network namespace per end. They go whatever ends the measurement, after ``seconds`` at most."""
    names = [f"footroom{os.getpid()}{end}" for end in ends]
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(int(seconds))
    try:
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL, check=False)


def main() -> None:
    """Measure one case and print it."""
    o = asked(Options, __doc__)
    with tempfile.TemporaryDirectory() as scratch, namespaces("srk", o.warmup + o.window + 60) as names:
        sys.stdout.write(json.dumps(_measure(o, names[0], names[1], names[2], Path(scratch))) + "\n")


if __name__ == "__main__":
    main()
