"""Lossless fabrics of unlike parts: links of any rate and length around one switch, rings and meshes, busy classes.

``generator.py`` and ``varied.py`` give a fabric one rate and a few multiples of it, and no way back. Here every cable
has its own rate and length, up to 40 km; switches form trees, rings and meshes, so that pauses may lock; several
lossless classes of one port fill and drain together; switches differ in memory, cells and kind of headroom. Hosts are
RDMA hosts and TCP stacks side by side, held back by marks, by telemetry, or by nothing.
"""

from __future__ import annotations

import random
from typing import Any

_RATES = (1e9, 10e9, 25e9, 40e9, 100e9, 400e9)
#: One way [s]: nothing, a rack, a row, a hall, a campus, another site.
_DELAYS = (0.0, 1.5e-8, 1.5e-7, 1.5e-6, 5e-5, 2e-4)
_MARKED = ("dctcp", "dcqcn")
_RDMA = ("dcqcn", "hpcc", "powertcp", "timely", "swift")
_TCP = ("newreno", "cubic", "dctcp")


def meshed_fabric(seed: int, small: bool = False) -> dict[str, Any]:
    """A scenario with headroom in bytes, seldom enough before ``adversarial.enlarged`` has made it so.

    small: few hosts and packets, short cables: for the plain engine.
    """
    draw = random.Random(f"meshed {seed}")
    links, hosts, switches = _cables(draw, small)
    mtu = draw.choice((256, 1064, 1500, 1500, 4200, 9000))
    queues = draw.choice((1, 2, 4, 8, 8))
    lossless = sorted(draw.sample(range(max(1, queues - 1)), draw.randint(1, max(1, queues - 1))))
    fastest, slowest = max(link["rate"] for link in links), min(link["rate"] for link in links)
    longest = max(link["delay"] for link in links)
    switch = _switch(draw, queues, lossless, mtu, slowest)
    laws = [draw.choice((*_RDMA, *_RDMA, *_TCP)) for _ in range(draw.randint(1, 3))]
    if queues > 1 and set(laws) & set(_MARKED) and draw.random() < 0.8:
        low = draw.choice((3, 20, 80)) * mtu
        switch["marking"] = draw.choice(
            ({"kind": "red", "kmin": low, "kmax": 4 * low, "pmax": 0.2}, {"kind": "step", "threshold": low})
        )
    packets = 250 if small else 1500
    duration = min(packets * mtu * 8 / fastest + 10 * longest + 2e-6, packets * mtu * 8 / slowest)
    scenario = {
        "topology": {"kind": "graph", "hosts": hosts, "switches": switches, "links": links},
        "switch": switch,
        "traffic": [_entry(draw, law, queues, lossless, mtu, hosts, duration, "marking" in switch) for law in laws],
        "run": {
            "duration": duration,
            "warmup": draw.choice((0, duration / 10)),
            "seed": seed,
            "mtu": mtu,
            "slowdown": False,
            "framing": draw.choice(("ip", "ethernet")),
        },
    }
    if len(switches) > 1 and draw.random() < 0.5:
        scenario["switches"] = {switches[0]: _another(draw)}
    return scenario


def _cables(draw: random.Random, small: bool) -> tuple[list[dict[str, Any]], list[str], list[str]]:
    """Cables, hosts and switches of a connected fabric."""
    shape = draw.choice(("one", "one", "tree", "ring", "mesh"))
    count = 1 if shape == "one" else draw.randint(2 if shape == "tree" else 3, 3 if small else 5)
    switches = [f"s{i}" for i in range(count)]
    if shape == "tree":
        pairs = [(draw.randrange(i), i) for i in range(1, count)]
    elif shape == "ring":
        pairs = [(i, (i + 1) % count) for i in range(count)]
    else:
        pairs = [(a, b) for b in range(count) for a in range(b)]
    hosts = [f"h{i}" for i in range(draw.randint(max(3, count), 5 if small else 3 * count + 5))]
    delays = draw.sample(_DELAYS[:4] if small else _DELAYS, draw.randint(1, 2))
    # Fast links are short, so that a round trip is a matter of some thousand packets.
    rates = draw.sample(_RATES if max(delays) < 1e-5 else _RATES[:3], draw.randint(1, 3))
    ends = [(switches[a], switches[b]) for a, b in pairs]
    ends += [(host, switches[i % count]) for i, host in enumerate(hosts)]
    links = [{"ends": list(pair), "rate": draw.choice(rates), "delay": draw.choice(delays)} for pair in ends]
    return links, hosts, switches


def _switch(draw: random.Random, queues: int, lossless: list[int], mtu: int, slowest: float) -> dict[str, Any]:
    kind = draw.choice(("static_independent", "static_independent", "dynamic_shared"))
    headroom: dict[str, Any] = {
        "kind": kind,
        "lossless": lossless,
        "size": draw.choice((2, 8, 32)) * mtu,
        "alpha": draw.choice((1 / 128, 1 / 16, 1, 8)),
        "xon_offset": draw.choice((0, 0, mtu, 4 * mtu)),
        "reserved": draw.choice((0, mtu, 3 * mtu)),
    }
    headroom |= draw.choice(({}, {"pause": "on_off"}, {"quanta": _quanta(draw, mtu), "refresh": 0.5}))
    headroom |= draw.choice(({}, {}, {"response": 0}, {"response": "5 us"}))
    if kind == "static_independent" and draw.random() < 0.4:
        headroom["oversubscription"] = 1  # one pool that holds all of it
    if kind == "dynamic_shared":
        headroom |= draw.choice(({}, {}, {"pauses": "ports"}, {"port_xon_offset": 2 * mtu}))
    if draw.random() < 0.2:
        headroom["lossless_share"] = 0.6
    return {
        "buffer": draw.choice((30, 120, 600)) * mtu,
        "queues": queues,
        "headroom": headroom,
        "cell_size": draw.choice((None, None, 80, 208, 256)),
        "release": draw.choice(("start", "end")),
        "sharing": draw.choice(({"kind": "complete"}, {"kind": "dynamic_threshold", "alpha": 2})),
        "scheduling": {"kind": "fifo"}
        if queues == 1
        else draw.choice(({"kind": "drr", "quantum": mtu}, {"kind": "strict_priority"})),
    }


def _quanta(draw: random.Random, mtu: int) -> int:
    """Pause times from little more than what repeating them takes: a full packet and the frame, twice."""
    return int(draw.choice((2.3, 4, 20)) * (mtu + 122) / 64) + 4


def _another(draw: random.Random) -> dict[str, Any]:
    """What the first switch has otherwise."""
    return draw.choice(
        (
            {"cell_size": draw.choice((144, 208))},
            {"release": draw.choice(("start", "end"))},
            {"headroom": {"alpha": draw.choice((1 / 32, 4))}},
            {"sharing": {"kind": "complete"}},
        )
    )


def _entry(
    draw: random.Random,
    law: str,
    queues: int,
    lossless: list[int],
    mtu: int,
    hosts: list[str],
    duration: float,
    marks: bool,
) -> dict[str, Any]:
    host: dict[str, Any] = {"jitter": draw.choice((0, 0, "200 ns"))}
    if queues > 1:
        host["ack_priority"] = queues - 1
    if law in _RDMA:
        host |= {"recovery": draw.choice(("go_back_n", "selective")), "low_rto": "20 ms", "high_rto": "40 ms"}
    else:
        host |= {"initial_window": draw.choice((10, 256)), "min_rto": "1 ms", "burst": draw.choice((1, 32))}
        if draw.random() < 0.3:
            host["mss"] = draw.choice((100, mtu // 2, mtu // 3)) if mtu > 300 else 100
    lossy = [k for k in range(queues) if k not in lossless]
    deaf = marks and law not in _MARKED
    entry: dict[str, Any] = {
        "congestion": {"kind": law},
        "host": host,
        "priority": draw.choice(lossy)
        if deaf and lossy
        else draw.choice(("any_lossless", "any_lossless", lossless[0])),
    }
    size = draw.choice((700, 5 * mtu, 60 * mtu, 300 * mtu))
    kind = draw.choice(("incast", "incast", "long_lived", "poisson", "rpc"))
    if kind == "incast":
        return entry | {
            "kind": kind,
            "degree": draw.choice((len(hosts) - 1, 2 * len(hosts), 6 * len(hosts))),
            "size": size,
            "period": draw.choice((duration / 3, duration / 12)),
        }
    if kind == "long_lived":
        return entry | {"kind": kind, "flows": draw.choice((3, 3 * len(hosts))), "start_jitter": duration / 50}
    if kind == "rpc":
        return entry | {"kind": kind, "pairs": draw.choice((2, 2 * len(hosts))), "size": size}
    return entry | {"kind": kind, "load": round(draw.uniform(0.1, 0.28), 3), "sizes": {"kind": "fixed", "size": size}}
