"""Two pods of racks joined by core switches: the testbed of the HPCC papers."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Rate, Time, quantity
from footroom.parts.topology.network import Cable, Network, Shape, Topology

_PODS, _TORS, _AGGREGATIONS, _CORES = 2, 2, 2, 2
#: Fabric cables: every ToR to both aggregation switches of its pod, every aggregation switch to both cores.
_FABRIC = _PODS * (_TORS * _AGGREGATIONS + _AGGREGATIONS * _CORES)


class TwoPod(Topology):
    """Two pods, each of two ToRs and two aggregation switches joined by four links; two core switches join the pods.

    A network interface (NIC) is a host of its own, because a host has one link: server i of pod p has p0s0n0, p0s0n1,
    and so on. Switches are p0t0, p0t1 (role tor), p0a0, p0a1 (role aggregation) and core0, core1 (role core).
    Round trips of propagation: 4·nic_delay within a rack, 4·(nic_delay + fabric_delay) within a pod and
    4·nic_delay + 8·fabric_delay between pods. ``nic_delay`` includes what hosts take to handle a packet.
    """

    about: ClassVar[About] = About(
        title="Two pods",
        summary="Two pods of two ToRs and two aggregation switches, joined by two cores; servers with several NICs.",
        sources=("Miao, Li, Liu, Zhang, Buffer sizing with HPCC, BS'19, section 2.1",),
        holds="a small three-tier fabric whose links are all up",
        departures="published are the switches, the rates, 8 servers and their 25 Gb/s NICs; how aggregation "
        "and core are joined (every pair, at the fabric's rate), which ToR a NIC connects to (nics) "
        "and all delays are assumptions",
    )
    kind: Literal["two_pod"] = "two_pod"
    servers_per_pod: int = quantity(
        4, "1", "Servers of each pod; even, because they fill its two racks.", ge=2, le=1000
    )
    nics_per_server: int = quantity(2, "1", "NICs of a server, each a host with its own link.", ge=1, le=16)
    nic_rate: Rate = quantity(25e9, "bit/s", "Rate of every NIC's link.", gt=0, le=1e14, symbol="C")
    fabric_rate: Rate = quantity(1e11, "bit/s", "Rate of every link between switches.", gt=0, le=1e14)
    nic_delay: Time = quantity(
        1.35e-6,
        "s",
        "One-way delay between a NIC and its ToR, with what the host takes to handle a packet.",
        ge=0,
        le=1,
        source="chosen: a round trip of 5.4 us within a rack",
    )
    fabric_delay: Time = quantity(
        0.775e-6,
        "s",
        "One-way delay of every link between switches.",
        ge=0,
        le=1,
        source="chosen: a round trip of 8.5 us within a pod",
    )
    nics: Literal["one_tor", "both_tors"] = quantity(
        "one_tor",
        "1",
        "ToR that the NICs of a server connect to: that of its rack, or both ToRs of its pod in turn.",
        advanced=True,
    )
    watched: Literal["all", "nics", "fabric"] = quantity(
        "all",
        "1",
        "Ports of switches that the metrics describe: all, those towards NICs, or those between switches.",
        advanced=True,
    )

    @model_validator(mode="after")
    def _possible(self) -> TwoPod:
        if self.servers_per_pod % _TORS:
            raise PydanticCustomError("at:servers_per_pod", "must be even: a pod has two racks of as many servers each")
        return self

    def slowest_watched(self) -> float:
        rates = {"nics": self.nic_rate, "fabric": self.fabric_rate}
        return rates.get(self.watched, min(rates.values()))

    def switch_roles(self) -> dict[str, str]:
        tors, aggregations, cores = self._names()
        return dict.fromkeys(tors, "tor") | dict.fromkeys(aggregations, "aggregation") | dict.fromkeys(cores, "core")

    def most_load(self) -> float:
        """The first link that is full on average: a NIC's, an uplink of a ToR or one of an aggregation switch."""
        beside, within = self._shares()
        pod = self._hosts() // _PODS * self.nic_rate
        up = pod * (1.0 - beside) / (_TORS * _AGGREGATIONS * self.fabric_rate)
        across = pod * (1.0 - beside - within) / (_AGGREGATIONS * _CORES * self.fabric_rate)
        return min(1.0, 1.0 / max(up, across))

    def shape(self, flows: int, open_loop: bool) -> Shape:
        hosts, fabric = self._hosts(), 2 * _FABRIC
        numbers = {"nics": (hosts, 0), "fabric": (0, fabric), "all": (hosts, fabric)}[self.watched]
        capacity = numbers[0] * self.nic_rate + numbers[1] * self.fabric_rate
        beside, within = self._shares()
        # Lasting flows cross the cores; short flows stay in their rack or pod at random.
        links = 4.0 if flows else 2.0 * within + 4.0 * (1.0 - beside - within)
        rtt = 4.0 * self.nic_delay + 2.0 * links * self.fabric_delay
        roles = {"tor": _PODS * _TORS, "aggregation": _PODS * _AGGREGATIONS, "core": _CORES}
        return Shape(
            hosts,
            roles,
            2 * (hosts + _FABRIC),
            sum(numbers),
            capacity,
            hosts * self.nic_rate,
            2.0 + links,
            rtt,
            self.nic_rate,
        )

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        names, below = self._nics()
        tors, aggregations, cores = self._names()
        first = len(names)
        tor = [first + i for i in range(len(tors))]
        aggregation = [tor[-1] + 1 + i for i in range(len(aggregations))]
        core = [aggregation[-1] + 1 + i for i in range(len(cores))]
        downwards = [(tor[t], nic) for nic, t in enumerate(below)]
        fabric = [
            (t, a)
            for i, t in enumerate(tor)
            for a in aggregation
            if i // _TORS == (a - aggregation[0]) // _AGGREGATIONS
        ]
        fabric += [(a, c) for a in aggregation for c in core]
        cables = [Cable(nic, t, self.nic_rate, self.nic_delay) for t, nic in downwards]
        cables += [Cable(a, b, self.fabric_rate, self.fabric_delay) for a, b in fabric]
        between = fabric + [(b, a) for a, b in fabric]
        watched = {"nics": downwards, "fabric": between}.get(self.watched, downwards + between)
        return Network(
            [*names, *tors, *aggregations, *cores],
            [*tor, *aggregation, *core],
            cables,
            watched,
            first * self.nic_rate,
            self._scatter,
            roles=list(self.switch_roles().values()),
            place_lasting=self._across,
        )

    def _hosts(self) -> int:
        return _PODS * self.servers_per_pod * self.nics_per_server

    def _names(self) -> tuple[list[str], list[str], list[str]]:
        """ToRs, aggregation switches and cores."""
        return (
            [f"p{p}t{t}" for p in range(_PODS) for t in range(_TORS)],
            [f"p{p}a{a}" for p in range(_PODS) for a in range(_AGGREGATIONS)],
            [f"core{c}" for c in range(_CORES)],
        )

    def _nics(self) -> tuple[list[str], list[int]]:
        """Name of every NIC, and the number of the ToR that it hangs on."""
        names, below = [], []
        for pod in range(_PODS):
            for server in range(self.servers_per_pod):
                for nic in range(self.nics_per_server):
                    names.append(f"p{pod}s{server}n{nic}")
                    rack = server // (self.servers_per_pod // _TORS)
                    below.append(pod * _TORS + (rack if self.nics == "one_tor" else (rack + nic) % _TORS))
        return names, below

    def _shares(self) -> tuple[float, float]:
        """Of the short flows, the shares that stay below one ToR, and within a pod but not below one ToR."""
        hosts, own = self._hosts(), self.nics_per_server
        below = self._nics()[1]
        same = sum(below.count(t) ** 2 for t in range(_PODS * _TORS))
        # A server's NICs do not send to one another.
        servers = [Counter(below[first : first + own]) for first in range(0, hosts, own)]
        same -= sum(count**2 for server in servers for count in server.values())
        pairs = hosts * (hosts - own)
        within = hosts * (hosts // _PODS - own) - same
        return same / pairs, within / pairs

    def _scatter(self, count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
        """From any NIC to one of any other server."""
        hosts, own = self._hosts(), self.nics_per_server
        source = rng.integers(0, hosts, count)
        target = ((source // own + 1) * own + rng.integers(0, hosts - own, count)) % hosts
        return list(zip(source.tolist(), target.tolist(), strict=True))

    def _across(self, count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
        """Each NIC sends to one of the other pod and receives from one, at random."""
        half = self._hosts() // _PODS
        pairs: list[tuple[int, int]] = []
        while len(pairs) < count:
            forth = [(int(a), half + int(b)) for a, b in enumerate(rng.permutation(half))]
            back = [(half + int(a), int(b)) for a, b in enumerate(rng.permutation(half))]
            both = forth + back
            pairs += [both[k] for k in rng.permutation(len(both))[: count - len(pairs)]]
        return pairs
