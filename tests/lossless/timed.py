"""Arrivals timed against shared headroom: bursts that meet a pause as it begins, as it is asked for, and as it ends.

``adversary.py`` leaves times to a search. Here they are made: hosts of unlike rates send in waves, each wave as long as
the memory lasts or a packet more or less, in classes that alternate from flow to flow, so that one class of a port
resumes while another pauses; packets are full ones, jumbo frames, single bytes, and full ones with a byte behind them.
Headroom is in bytes and becomes enough by ``adversarial.enlarged``, so that not a byte more is there than is said to be
needed.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

_RATES = (10e9, 25e9, 100e9, 400e9)
#: One way [s]: a cable of nothing, 10 m, 300 m, 2 km.
_DELAYS = (0.0, 5e-8, 1.5e-6, 1e-5)


def timed_fabric(seed: int) -> dict[str, Any]:
    """A chain of one to three switches with up to 24 hosts, one of which, or two, all others send to."""
    draw = random.Random(f"timed {seed}")
    switches = [f"s{i}" for i in range(draw.choice((1, 1, 2, 3)))]
    hosts = [f"h{i}" for i in range(draw.choice((3, 8, 24)))]
    rates = draw.sample(_RATES, draw.choice((1, 2, 3)))
    delays = draw.sample(_DELAYS, draw.choice((1, 2)))
    pairs = [(host, draw.choice(switches)) for host in hosts] + list(pairwise(switches))
    links = [{"ends": [*pair], "rate": draw.choice(rates), "delay": draw.choice(delays)} for pair in pairs]
    mtu = draw.choice((256, 1500, 4200, 9216))
    classes = draw.randint(1, 7)
    shared = draw.choice((2, 8, 40)) * mtu * len(hosts)
    headroom: dict[str, Any] = {
        "kind": draw.choice(("dynamic_shared", "dynamic_shared", "dynamic_shared", "static_independent")),
        "lossless": list(range(classes)),
        "size": draw.choice((1, 8, 64)) * mtu,
        "alpha": draw.choice((1 / 16, 1.0, 16.0)),
        "reserved": draw.choice((0, 100, 3072)),
        "xon_offset": draw.choice((0, 0, mtu)),
    }
    headroom |= draw.choice(({}, {"response": 0}, {"response": "2 us"}))
    if headroom["kind"] == "dynamic_shared":
        headroom |= draw.choice(({}, {}, {"pauses": "ports"}, {"port_xon_offset": 2 * mtu}))
    elif draw.random() < 0.5:
        headroom["oversubscription"] = 1
    return {
        "topology": {"kind": "graph", "hosts": hosts, "switches": switches, "links": links},
        "switch": {
            "buffer": shared,
            "queues": classes + 1,
            "cell_size": draw.choice((None, 80, 208, 254)),
            "scheduling": draw.choice(
                ({"kind": "strict_priority"}, {"kind": "drr", "quantum": 1600, "strict_from": classes})
            ),
            "release": draw.choice(("start", "end")),
            "headroom": headroom,
        },
        "traffic": [
            entry for _ in range(draw.choice((1, 2))) for entry in _waves(draw, hosts, classes, mtu, max(rates), shared)
        ],
        "run": {
            "duration": min(6000 * mtu * 8 / max(rates), 2e-3) + 20 * max(delays),
            "warmup": 0,
            "seed": seed,
            "mtu": mtu,
            "slowdown": False,
            "framing": draw.choice(("ip", "ethernet")),
        },
    }


def _waves(
    draw: random.Random, hosts: list[str], classes: int, mtu: int, rate: float, shared: float
) -> list[dict[str, Any]]:
    """Waves at one host, each flow in the next class, apart by what the memory takes to fill or to drain."""
    target = draw.choice(hosts)
    others = [host for host in hosts if host != target]
    apart = shared * 8 / rate / draw.choice((1, len(others), len(others) * 4))
    # What a host sends until the memory is full, a quarter of it, or four times as much; and a packet or a byte off.
    share = max(1, int(shared / len(others) / draw.choice((0.25, 1, 4))))
    flows: list[list[dict[str, Any]]] = [[] for _ in range(classes)]
    for wave in range(draw.choice((1, 4, 12))):
        length = max(1, share + draw.choice((-mtu, -1, 0, 1, mtu)))
        for number, host in enumerate(others):
            flows[(wave + number) % classes].append(
                {
                    "time": wave * apart + draw.choice((0, 0, 1, mtu)) * 8 / rate,
                    "size": draw.choice((1, 64, mtu + 1, length, length, length)) if wave else length,
                    "source": host,
                    "destination": target,
                }
            )
    return [
        {
            "kind": "arrivals",
            "flows": own,
            "priority": klass,
            "congestion": {"kind": "dcqcn"},
            "host": {"jitter": 0},
        }
        for klass, own in enumerate(flows)
        if own
    ]
