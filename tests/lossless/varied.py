"""Lossless fabrics as a user would write them: every topology, every control, several classes, quantities with units.

``generator.py`` draws settings as wide as the schema allows on few controls; here settings are usual and the rest
varies.
"""

from __future__ import annotations

import random
from typing import Any

from footroom.formulas.headroom.kept import evaluate

_RATES = ("10 Gb/s", "25 Gb/s", "40 Gb/s", "100 Gb/s", "400 Gb/s")
_BITS = {name: float(name.split()[0]) * 1e9 for name in _RATES}
#: Controls of TCP and of RDMA hosts, and which of them need marks.
_TCP = ("newreno", "cubic", "dctcp")
_RDMA = ("dcqcn", "hpcc", "powertcp", "timely", "swift")
_MARKED = ("dctcp", "dcqcn")


def varied_fabric(seed: int, cut: float | None = None) -> dict[str, Any]:
    """A scenario with headroom by a scheme, or in bytes. cut: that share of what the formula of SIH says, in bytes."""
    draw = random.Random(f"varied {seed}")
    rate = draw.choice(_RATES)
    cable = draw.choice((3, 30, 100, 300))  # m, 5 ns each
    delay = cable * 5e-9
    topology, ports, hosts = _topology(draw, rate, delay)
    mtu = draw.choice((1064, 1500, 1500, 4200, 9000))
    queues = draw.choice((4, 8))
    lossless = sorted(draw.sample(range(queues - 1), draw.randint(1, min(3, queues - 1))))
    longest, fastest = _extremes(topology, delay, rate)
    eta = round(2 * (fastest * longest / 8 + mtu) + 3840)
    kind = draw.choice(("static_independent", "static_independent", "dynamic_shared"))
    headroom: dict[str, Any] = {"kind": kind, "lossless": lossless, "alpha": draw.choice((0.0625, 0.125, 0.5, 1))}
    how = draw.choice(("sih", "dsh", "ieee", "ieee", "sonic", "vendor", "bytes"))
    cell = draw.choice((None, None, 208, 254))
    scheme_size = max(2 * eta, evaluate(how if how != "bytes" else "sih", fastest, longest, mtu, cell)[0])
    if cut is not None:
        headroom |= {"size": int(cut * eta), "allowance": 0}
    elif how == "bytes":
        headroom["size"] = f"{2 * eta} B"
    else:
        headroom["scheme"] = how
    if kind == "static_independent" and draw.random() < 0.2 and cut is None:
        headroom["oversubscription"] = draw.choice((1.5, 2))
    headroom |= draw.choice(({}, {}, {"xon_offset": "3 kB"}, {"pause": "on_off"}, {"reserved": "3 KiB"}))
    each = scheme_size * (1 if kind == "dynamic_shared" else len(lossless)) + 8 * 3072
    laws = [draw.choice(_TCP + _RDMA + _RDMA) for _ in range(draw.choice((1, 2, 3)))]
    low = draw.choice((5, 20, 80)) * mtu
    marking = (
        {"kind": "none"}
        if not set(laws) & set(_MARKED)
        else draw.choice(
            ({"kind": "red", "kmin": low, "kmax": 4 * low, "pmax": 0.2}, {"kind": "step", "threshold": low})
        )
    )
    switch = {
        "buffer": int(ports * each + draw.choice((10, 40, 150)) * mtu),
        "queues": queues,
        "headroom": headroom,
        "sharing": draw.choice(({"kind": "dynamic_threshold", "alpha": 1}, {"kind": "complete"}, {"kind": "abm"})),
        "marking": marking,
        "cell_size": cell,
        "release": draw.choice(("start", "end")),
        "scheduling": draw.choice(({"kind": "drr"}, {"kind": "strict_priority"})),
    }
    bits = _BITS[rate]
    duration = round(max(1500 * mtu * 8 / bits, 60 * delay + 2e-5), 9)
    traffic = [_entry(draw, law, lossless, queues, mtu, hosts, duration, marking["kind"] != "none") for law in laws]
    return {
        "topology": topology,
        "switch": switch,
        "traffic": traffic,
        "run": {
            "duration": duration,
            "warmup": draw.choice((0, duration / 10)),
            "seed": seed,
            "mtu": mtu,
            "slowdown": False,
            "framing": draw.choice(("ip", "ethernet")),
        },
    }


def _topology(draw: random.Random, rate: str, delay: float) -> tuple[dict[str, Any], int, int]:
    """A topology, the most ports of one of its switches, and how many hosts it has."""
    kind = draw.choice(("star", "leaf_spine", "leaf_spine", "two_pod", "dumbbell", "graph"))
    if kind == "star":
        hosts = draw.randint(4, 16)
        return {"kind": kind, "hosts": hosts, "rate": rate, "rtt": 4 * delay}, hosts, hosts
    if kind == "leaf_spine":
        leaves, spines, rack = draw.randint(2, 4), draw.randint(1, 4), draw.randint(2, 4)
        return (
            {
                "kind": kind,
                "leaves": leaves,
                "spines": spines,
                "hosts_per_leaf": rack,
                "host_rate": rate,
                "fabric_rate": draw.choice((rate, rate, "100 Gb/s")),
                "link_delay": delay,
            },
            max(leaves, spines + rack),
            leaves * rack,
        )
    if kind == "two_pod":
        return {"kind": kind}, 12, 16
    if kind == "dumbbell":
        pairs = draw.randint(3, 8)
        return (
            {
                "kind": kind,
                "pairs": pairs,
                "bottleneck": draw.choice((rate, "10 Gb/s")),
                "access": rate,
                "rtt": 6 * delay,
            },
            pairs + 1,
            pairs,
        )
    hosts = draw.randint(4, 8)
    links = [{"ends": [f"h{i}", f"s{i % 2}"], "rate": rate, "delay": delay} for i in range(hosts)]
    links.append({"ends": ["s0", "s1"], "rate": draw.choice((rate, "100 Gb/s")), "delay": 3 * delay})
    return (
        {"kind": kind, "hosts": [f"h{i}" for i in range(hosts)], "switches": ["s0", "s1"], "links": links},
        hosts // 2 + 2,
        hosts,
    )


def _extremes(topology: dict[str, Any], delay: float, rate: str) -> tuple[float, float]:
    """Longest delay [s] and highest rate [bit/s] of a link."""
    rates = [_BITS[rate]] + [_BITS[topology[name]] for name in ("fabric_rate", "bottleneck") if name in topology]
    if topology["kind"] in ("two_pod", "graph"):
        rates.append(100e9)
    longest = {"star": delay, "two_pod": 1.4e-6, "dumbbell": 6 * delay, "graph": 3 * delay}
    return longest.get(topology["kind"], delay), max(rates)


def _entry(
    draw: random.Random, law: str, lossless: list[int], queues: int, mtu: int, hosts: int, duration: float, marks: bool
) -> dict[str, Any]:
    deaf = marks and law not in _MARKED
    lossy = [k for k in range(queues - 1) if k not in lossless]
    # What does not understand marks would be dropped instead in a lossless class; it travels in a lossy one.
    klass = draw.choice(lossy) if deaf and lossy else draw.choice(("any_lossless", draw.choice(lossless)))
    host: dict[str, Any] = {"min_rto": "1 ms", "ack_priority": queues - 1}
    if law in _RDMA:
        host = {"ack_priority": queues - 1, "recovery": draw.choice(("go_back_n", "selective"))}
    else:
        host["initial_window"] = draw.choice((10, 64, 256))
    entry: dict[str, Any] = {"congestion": {"kind": law}, "host": host, "priority": klass}
    kind = draw.choice(("incast", "incast", "long_lived", "poisson", "rpc"))
    size = draw.choice(("8 kB", "64 KiB", "200 kB", "1 MB"))
    if kind == "incast":
        return {
            "kind": kind,
            "degree": draw.choice((8, 24, 48)),
            "size": size,
            "period": duration / 8,
            "start": 0,
        } | entry
    if kind == "long_lived":
        return {"kind": kind, "flows": draw.choice((4, 12, 40)), "start_jitter": duration / 20} | entry
    if kind == "rpc":
        return {"kind": kind, "pairs": draw.choice((4, 16)), "size": size} | entry
    return {"kind": kind, "load": round(draw.uniform(0.1, 0.3), 3), "sizes": {"kind": "fixed", "size": size}} | entry
