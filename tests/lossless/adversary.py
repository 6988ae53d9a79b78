"""Arrivals chosen against a promise: small fabrics with shared headroom whose senders start at line rate."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

RATES = ("10 Gb/s", "100 Gb/s", "400 Gb/s")


@st.composite
def fabrics(draw: st.DrawFn) -> dict[str, Any]:
    """One or two switches with headroom that ports share, little memory besides, and bursts that nothing slows down.

    Sizes, times and classes are the adversary's; headroom and allowance are the defaults of ``dynamic_shared``.
    """
    count = draw(st.integers(3, 7))
    far = draw(st.booleans())
    delay = draw(st.sampled_from((0.0, 5e-8, 1.5e-6)))
    hosts = [f"h{i}" for i in range(count)]
    homes = [draw(st.booleans()) and far for _ in hosts]
    switches = ["s0", "s1"] if far else ["s0"]
    links: list[dict[str, Any]] = [
        {"ends": [host, "s1" if home else "s0"], "rate": draw(st.sampled_from(RATES)), "delay": delay}
        for host, home in zip(hosts, homes, strict=True)
    ]
    links += [{"ends": ["s0", "s1"], "rate": draw(st.sampled_from(RATES)), "delay": 2 * delay}] if far else []
    mtu = draw(st.sampled_from((256, 1500, 9000)))
    classes = draw(st.integers(1, 7))
    lossless = list(range(classes))
    # η of a port at its own rate, and one more frame each; then what the adversary gets to share.
    rates = {name: float(name.split()[0]) * 1e9 for name in RATES}
    insured = sum(2 * (rates[link["rate"]] * 2 * delay / 8 + mtu) + 8192 + 4 * mtu for link in links) * 2
    shared = draw(st.sampled_from((2, 10, 60))) * mtu * count
    entries = []
    for number in range(draw(st.integers(1, 4))):
        flows = [
            {
                "time": draw(st.integers(0, 40)) * 1e-7,
                "size": draw(st.integers(1, 60)) * mtu,
                "source": hosts[a],
                "destination": hosts[(a + 1 + draw(st.integers(0, count - 2))) % count],
            }
            for a in draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=8))
        ]
        entries.append(
            {
                "kind": "arrivals",
                "flows": flows,
                "priority": draw(st.sampled_from(lossless)) if number else "any_lossless",
                "congestion": {"kind": "dcqcn"},
                "host": {"jitter": 0},
            }
        )
    return {
        "topology": {"kind": "graph", "hosts": hosts, "switches": switches, "links": links},
        "switch": {
            "buffer": int(insured + shared),
            "queues": classes + 1,
            "scheduling": draw(st.sampled_from(({"kind": "strict_priority"}, {"kind": "drr", "strict_from": classes}))),
            "release": draw(st.sampled_from(("start", "end"))),
            "headroom": {
                "kind": "dynamic_shared",
                "lossless": lossless,
                "alpha": draw(st.sampled_from((1 / 16, 1.0, 64.0))),
                "reserved": draw(st.sampled_from((0, 500))),
            },
        },
        "traffic": entries,
        "run": {"duration": "300 us", "warmup": 0, "mtu": mtu, "slowdown": False},
    }
