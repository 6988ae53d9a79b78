"""Loads beside which completion times of one more transfer are compared with those of probes in packets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

SPREAD = 0.2


@dataclass(frozen=True)
class Case:
    """label: of the load.  scenario: with transfer and probes.  replicas: of packets, for enough probes."""

    label: str
    scenario: dict[str, Any]
    replicas: int


def _scenario(
    rate: float, trip: float, duration: float, switch: dict[str, Any], traffic: list[dict[str, Any]], transfer: float
) -> dict[str, Any]:
    for entry in traffic:
        if entry["kind"] == "long_lived":
            entry["start_jitter"] = min(1.0, duration / 20.0)
    return {
        "topology": {"kind": "dumbbell", "bottleneck": rate, "access": 10.0 * rate, "rtt": trip, "rtt_spread": SPREAD},
        "switch": switch,
        "traffic": traffic,
        "run": {"duration": duration, "warmup": duration / 5.0, "mtu": 1500, "transfer": transfer, "probe_share": 0.01},
    }


def _long(control: str, flows: int, host: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"kind": "long_lived", "flows": flows, "congestion": {"kind": control}, "host": host or {}}


def _unmarked(
    control: str,
    paths: list[tuple[float, float, int, float]],
    buffers: tuple[float, ...],
    transfers: dict[float, int],
    host: dict[str, Any] | None = None,
) -> Iterator[Case]:
    for transfer, replicas in transfers.items():
        for rate, trip, flows, duration in paths:
            for products in buffers:
                room = {"buffer": max(products * rate * trip / 8.0, 4500.0)}
                label = f"{control:7} {rate / 1e6:5.0f} Mb/s {flows:4d} flows {products:5.2f} BDP"
                yield Case(
                    label, _scenario(rate, trip, duration, room, [_long(control, flows, host)], transfer), replicas
                )


#: About 370 probes, from which the 99th percentile has an interval; for 1 MB with these replicas.
BOTH = {1e4: 1, 1e6: 17}


def newreno() -> Iterator[Case]:
    """NewReno flows at a drop-tail queue."""
    paths = [
        *((1e8, 0.04, flows, 300.0) for flows in (1, 2, 5, 20, 100)),
        *((1e9, 0.02, flows, 30.0) for flows in (10, 50, 200)),
    ]
    return _unmarked("newreno", paths, (0.05, 0.2, 0.5, 1.0, 2.0), BOTH)


def cubic() -> Iterator[Case]:
    """CUBIC flows at a drop-tail queue."""
    paths = [*((1e8, 0.04, flows, 300.0) for flows in (5, 20, 100)), *((4e8, 0.015, flows, 75.0) for flows in (8, 40))]
    return _unmarked("cubic", paths, (0.2, 1.0, 2.0), BOTH)


def paced() -> Iterator[Case]:
    """Paced flows at a drop-tail queue. Of 1 MB the median only."""
    paths = [(1e8, 0.04, flows, 300.0) for flows in (5, 20, 60)]
    for control in ("newreno", "cubic"):
        yield from _unmarked(control, paths, (0.05, 0.2, 1.0), {1e4: 1, 1e6: 2}, {"pacing": True})


def marked() -> Iterator[Case]:
    """DCTCP under a step, NewReno and CUBIC under RED with ECN. Of long transfers the median only."""
    for transfer in (1e4, 1e5, 1e6):
        for rate, trip, duration in ((1e9, 0.002, 10.0), (1e10, 0.0001, 2.0), (1e10, 0.0005, 2.0)):
            product = rate * trip / 8.0
            for flows in (2, 10, 30):
                for products in (0.3, 1.0):
                    host = {"ack_every": 2, "ack_delay": 0.001, "min_rto": 0.01}
                    switch = {
                        "buffer": 10.0 * product + 1e6,
                        "marking": {"kind": "step", "threshold": max(products * product, 15000.0)},
                    }
                    label = f"dctcp   {rate / 1e6:5.0f} Mb/s {flows:4d} flows, step at {products:.1f} BDP"
                    yield Case(
                        label,
                        _scenario(rate, trip, duration, switch, [_long("dctcp", flows, host)], transfer),
                        4 if transfer > 1e5 else 1,
                    )
        for control in ("newreno", "cubic"):
            for flows in (10, 40):
                product = 1e9 * 0.002 / 8.0
                switch = {
                    "buffer": 12.0 * product,
                    "marking": {"kind": "red", "kmin": 0.2 * product, "kmax": 3.0 * product, "pmax": 0.1},
                }
                host = {"ecn": True, "min_rto": 0.01}
                label = f"{control:7}  1000 Mb/s {flows:4d} flows, RED to 3 BDP"
                yield Case(label, _scenario(1e9, 0.002, 10.0, switch, [_long(control, flows, host)], transfer), 1)


def arriving() -> Iterator[Case]:
    """Flows that arrive at random, alone."""
    for transfer in (1e4, 1e5):
        for trip in (1e-4, 1e-2):
            for size, packets in ((2e4, 100), (1e5, 600)):
                for load in (0.2, 0.5, 0.7):
                    traffic = {"kind": "poisson", "load": load, "sizes": {"kind": "fixed", "size": size}}
                    label = f"Poisson, load {load:.1f} of {size / 1e3:3.0f} kB, {1e3 * trip:4.1f} ms, {packets} packets"
                    yield Case(label, _scenario(1e9, trip, 10.0, {"buffer": 1500.0 * packets}, [traffic], transfer), 1)


def mixed() -> Iterator[Case]:
    """NewReno and CUBIC flows together; the transfer is one of the first."""
    for transfer in (1e4, 1e6):
        for first, second in (("newreno", "cubic"), ("cubic", "newreno")):
            for many, others in ((5, 5), (10, 30), (30, 10)):
                for products in (0.2, 1.0):
                    traffic = [_long(first, many), _long(second, others)]
                    label = f"{many} {first} beside {others} {second}, {products:.1f} BDP"
                    yield Case(
                        label,
                        _scenario(1e8, 0.04, 300.0, {"buffer": products * 5e5}, traffic, transfer),
                        1 if transfer < 1e5 else 4,
                    )


def bbr() -> Iterator[Case]:
    """BBR flows at a drop-tail queue. Of 1 MB the median only."""
    paths = [*((1e8, 0.04, flows, 120.0) for flows in (1, 2, 5, 20)), (1e9, 0.02, 10, 60.0)]
    return _unmarked("bbr", paths, (0.1, 0.3, 1.0, 2.0, 4.0), {1e4: 1, 1e6: 6})


def beside() -> Iterator[Case]:
    """Flows that arrive at random beside long ones. Of 1 MB the median only."""
    web: dict[str, Any] = {"kind": "poisson", "sizes": "websearch_dctcp"}
    for transfer, replicas in {1e4: 1, 1e6: 4}.items():
        for control, flows in (("newreno", 5), ("newreno", 30), ("newreno", 10), ("cubic", 10), ("cubic", 30)):
            for load, sizes in ((0.1, 2e4), (0.4, 2e4), (0.3, 2e5), (0.3, 0.0)):
                for products in (0.2, 1.0):
                    arrivals = web | {"load": load}
                    if sizes:
                        arrivals["sizes"] = {"kind": "fixed", "size": sizes}
                    label = (
                        f"{flows} {control} beside {load:.1f} of {sizes / 1e3:3.0f} kB"
                        if sizes
                        else f"{flows} {control} beside {load:.1f} of web search"
                    ) + f", {products:.1f} BDP"
                    yield Case(
                        label,
                        _scenario(
                            1e8, 0.04, 300.0, {"buffer": products * 5e5}, [_long(control, flows), arrivals], transfer
                        ),
                        replicas,
                    )


FAMILIES: dict[str, Callable[[], Iterator[Case]]] = {
    "newreno": newreno,
    "cubic": cubic,
    "paced": paced,
    "marked": marked,
    "arriving": arriving,
    "mixed": mixed,
    "bbr": bbr,
    "beside": beside,
}
