"""Small lossless fabrics drawn at random, as wide as the schema allows."""

from __future__ import annotations

import random
from typing import Any

from footroom.formulas.headroom.kept import evaluate

_RATES = (1e9, 10e9, 25e9, 40e9, 100e9, 400e9)


def random_fabric(seed: int, cut: float | None = None) -> dict[str, Any]:
    """A scenario whose switches have lossless classes. Its memory holds at least the headroom by its scheme.

    Hosts understand marks, and where switches mark, acknowledgements travel in a class that is not lossless.
    cut: headroom in bytes, so much of what the scheme says for the fastest and longest link; none leaves it to the
    scheme.
    """
    draw = random.Random(seed)
    rate = draw.choice(_RATES)
    delay = draw.choice((0.0, 5e-8, 5e-7, 1.5e-6, 5e-6))
    topology, ports = _topology(draw, rate, delay)
    queues = draw.choice((1, 2, 3, 4, 8))
    mtu = draw.choice((256, 1024, 1500, 1500, 4096, 9000))
    headroom = _headroom(draw, queues)
    cell = draw.choice((None, None, None, 80, 208, 254))
    lossless = headroom.get("lossless") or list(range(max(1, queues - 1)))
    each = evaluate(headroom["scheme"], _fastest(topology), _longest(topology), mtu, cell)[0]
    buffer = _buffer(draw, ports, 1 if headroom["kind"] == "dynamic_shared" else len(lossless), each, mtu)
    if cut is not None:
        headroom |= {"size": int(cut * each), "allowance": 0, "scheme": "sih"}
    switch: dict[str, Any] = {
        "buffer": buffer,
        "queues": queues,
        "headroom": headroom,
        "cell_size": cell,
        "release": draw.choice(("start", "end")),
        "reserved": draw.choice((0, 0, 1500)) if queues > 1 else 0,
        "scheduling": {"kind": "fifo"}
        if queues == 1
        else draw.choice(
            (
                {"kind": "drr"},
                {"kind": "drr", "quantum": 3000},
                {"kind": "strict_priority"},
                {"kind": "drr", "strict_from": 1},
            )
        ),
        "sharing": draw.choice(
            (
                {"kind": "complete"},
                {"kind": "dynamic_threshold", "alpha": 0.25},
                {"kind": "dynamic_threshold", "alpha": 1.0},
            )
        ),
    }
    acks_lossless = queues - 1 in lossless
    marks = draw.random() < 0.6 and not acks_lossless
    if marks:
        low = draw.choice((2, 10, 40)) * mtu
        switch["marking"] = draw.choice(
            (
                {"kind": "step", "threshold": low},
                {"kind": "red", "kmin": low, "kmax": 4 * low, "pmax": draw.choice((0.1, 1.0))},
            )
        )
    bits = buffer * 8.0 * draw.choice((2, 5, 10))
    duration = min(max(bits / rate, 40 * delay + 200 * mtu * 8 / rate), 6000 * mtu * 8 / rate)
    traffic = [_traffic(draw, i, topology, queues, rate, mtu, duration, marks) for i in range(draw.choice((1, 2, 3)))]
    load = sum(entry.get("load") or 0.0 for entry in traffic)
    for entry in traffic:
        if entry.get("load"):
            entry["load"] = round(0.2 * entry["load"] / max(load, 1.0), 4) or 0.05
    return {
        "topology": topology,
        "switch": switch,
        "traffic": traffic,
        "run": {
            "duration": duration,
            "warmup": 0,
            "mtu": mtu,
            "seed": seed,
            "slowdown": False,
            "framing": draw.choice(("ip", "ethernet")),
        },
    }


def _topology(draw: random.Random, rate: float, delay: float) -> tuple[dict[str, Any], int]:
    """A topology and the most ports of one of its switches."""
    kind = draw.choice(("star", "leaf_spine", "dumbbell", "graph"))
    if kind == "star":
        hosts = draw.randint(3, 12)
        return {
            "kind": "star",
            "hosts": hosts,
            "rate": rate,
            "rtt": 4 * delay or 1e-9,
            "rtt_spread": draw.choice((0, 0.5)),
        }, hosts
    if kind == "leaf_spine":
        leaves, spines, rack = draw.randint(2, 4), draw.randint(1, 3), draw.randint(1, 4)
        return {
            "kind": "leaf_spine",
            "leaves": leaves,
            "spines": spines,
            "hosts_per_leaf": rack,
            "host_rate": rate,
            "fabric_rate": draw.choice((rate, rate / 2, 2 * rate)),
            "link_delay": delay,
        }, max(leaves, spines + rack)
    if kind == "dumbbell":
        pairs = draw.randint(2, 8)
        return {
            "kind": "dumbbell",
            "pairs": pairs,
            "bottleneck": draw.choice((rate, rate / 4, 2 * rate)),
            "access": rate,
            "rtt": 8 * delay or 1e-9,
            "rtt_spread": draw.choice((0, 0.3)),
        }, pairs + 1
    # A chain of switches with cables and speeds of their own.
    count, hosts = draw.randint(2, 4), draw.randint(3, 9)
    switches = [f"s{i}" for i in range(count)]
    links = [
        {
            "ends": [f"s{i}", f"s{i + 1}"],
            "rate": draw.choice((rate, rate / 2, rate / 4)),
            "delay": draw.choice((0.0, delay, 4 * delay)),
        }
        for i in range(count - 1)
    ]
    links += [
        {
            "ends": [f"h{i}", switches[i % count]],
            "rate": draw.choice((rate, rate / 10)),
            "delay": draw.choice((delay, 2 * delay)),
        }
        for i in range(hosts)
    ]
    return {"kind": "graph", "hosts": [f"h{i}" for i in range(hosts)], "switches": switches, "links": links}, -(
        -hosts // count
    ) + 2


def _fastest(topology: dict[str, Any]) -> float:
    rates = [link["rate"] for link in topology.get("links", ())]
    names = ("rate", "host_rate", "fabric_rate", "bottleneck", "access")
    return float(max([*rates, *(topology[name] for name in names if name in topology)]))


def _longest(topology: dict[str, Any]) -> float:
    delays = [link["delay"] for link in topology.get("links", ())]
    return float(max([*delays, topology.get("link_delay", 0.0), topology.get("rtt", 0.0)]))


def _headroom(draw: random.Random, queues: int) -> dict[str, Any]:
    kind = draw.choice(("static_independent", "dynamic_shared"))
    found: dict[str, Any] = {
        "kind": kind,
        "scheme": draw.choice(("sih", "dsh", "ieee", "sonic", "vendor")),
        "alpha": draw.choice((None, 1 / 64, 1 / 16, 0.5, 2.0, 8.0)),
        "reserved": draw.choice((0, 0, 3072)),
        "xon_offset": draw.choice((0, 3072, 10_000)),
        "pause": draw.choice(("timed", "timed", "on_off")),
        "refresh": draw.choice((0.5, 0.8)),
        "lossless_share": draw.choice((None, None, 0.5)),
    }
    if queues > 1 and draw.random() < 0.6:
        found["lossless"] = sorted(draw.sample(range(queues - 1), draw.randint(1, queues - 1)))
    found |= draw.choice(({}, {}, {}, {"response": 0}, {"response": "2 us"}, {"quanta": 2000}, {"allowance": 0}))
    if kind == "static_independent":
        found |= draw.choice(({}, {}, {}, {"oversubscription": 2}))
        found["xon"] = draw.choice((0, 0, 2000))
    else:
        found["port_xon_offset"] = draw.choice((0, 5000))
    return found


def _buffer(draw: random.Random, ports: int, groups: int, each: int, mtu: int) -> int:
    """Memory of a switch: all headroom of the largest one, ``each`` bytes a group, what is reserved, some to share."""
    shared = draw.choice((10, 40, 200)) * mtu + 40_000
    return int(ports * (groups * each + 8 * (3072 + 1500)) + shared)


def _traffic(
    draw: random.Random,
    number: int,
    topology: dict[str, Any],
    queues: int,
    rate: float,
    mtu: int,
    duration: float,
    marks: bool,
) -> dict[str, Any]:
    laws: tuple[dict[str, Any], ...] = ({"kind": "newreno"}, {"kind": "cubic"})
    if marks:
        laws += ({"kind": "dctcp"}, {"kind": "dcqcn"}, {"kind": "dcqcn"})
    law = draw.choice(laws)
    host: dict[str, Any] = {
        "initial_window": draw.choice((10, 64, 1000)),
        "ack_every": draw.choice((1, 2, 8)),
        "jitter": draw.choice((0, None, 2 * mtu * 8 / rate)),
        "min_rto": max(duration, 1e-4),
        "small_queue": draw.choice((0.001, None)),
    }
    if law["kind"] == "dcqcn":
        host["recovery"] = draw.choice(("go_back_n", "selective"))
        host["low_rto"], host["high_rto"] = max(duration, 1e-4), max(duration, 1e-3)
    else:
        host |= {
            "burst": draw.choice((1, 1, 8, 32)),
            "pacing": draw.choice((False, True)),
            "recovery": draw.choice(("newreno", "sack", "prr")),
        }
        if draw.random() < 0.3:
            host["mss"] = max(12, (mtu - 52) // draw.choice((2, 4)))
    entry: dict[str, Any] = {
        "congestion": law,
        "host": host,
        "priority": draw.choice(("any_lossless", "any_lossless", draw.randrange(queues))),
    }
    kind = draw.choice(("incast", "incast", "long_lived", "poisson", "incast_load"))
    size = draw.choice((1000, 3 * mtu, 40 * mtu, 400 * mtu))
    if kind == "incast":
        entry |= {
            "kind": "incast",
            "degree": draw.choice((2, 5, 20, 40)),
            "size": size,
            "start": draw.choice((0.0, duration / 10)),
            "period": draw.choice((None, duration / 4, duration / 20)),
            "jitter": draw.choice((0, duration / 50)),
        }
    elif kind == "incast_load":
        entry |= {"kind": "incast", "degree": draw.choice((2, 8)), "size": size, "load": draw.uniform(0.1, 0.9)}
    elif kind == "long_lived":
        entry |= {
            "kind": "long_lived",
            "flows": draw.choice((1, 4, 12)),
            "start_jitter": draw.choice((0, duration / 10)),
        }
    else:
        entry |= {"kind": "poisson", "load": draw.uniform(0.1, 0.9), "sizes": {"kind": "fixed", "size": size}}
    return entry
