"""Racks of hosts whose switches are joined by spines."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About
from footroom.base.quantity import Rate, Time, quantity
from footroom.parts.topology.network import Cable, Network, Shape, Topology

#: Most cables of one fabric.
_MOST = 200_000


class LeafSpine(Topology):
    """Every leaf switch has ``hosts_per_leaf`` hosts and one link to every spine; flows are hashed over the spines.

    Two hosts of different racks are four links apart each way, so their round trip is 8·link_delay; within a rack it is
    half of that. Hosts are called l0h0, l0h1, …, l1h0, …; switches leaf0, … and spine0, …, their roles leaf and spine.
    """

    about: ClassVar[About] = About(
        title="Leaf-spine",
        summary="Racks of hosts, each rack's switch linked to every spine.",
        sources=("Al-Fares, Loukissas, Vahdat, SIGCOMM 2008: equal-cost paths shared flow by flow",),
        holds="a two-tier fabric; long-lived flows join hosts of different racks, each host "
        "sending to one and receiving from one, at random",
        departures="metrics describe all ports of switches unless watched says otherwise: utilisation is their mean, "
        "and a packet counts as offered at every one it passes. Paths are drawn per flow at random, as a perfect hash "
        "would, each direction by itself. With links down flows take detours that load and rtt leave out",
    )
    # As much capacity up as down, so that a load that other topologies carry is carried here as well.
    example: ClassVar[dict[str, Any]] = {"fabric_rate": "20 Gb/s"}
    kind: Literal["leaf_spine"] = "leaf_spine"
    leaves: int = quantity(4, "1", "Leaf switches, one a rack.", ge=2, le=1000)
    spines: int = quantity(4, "1", "Spine switches.", ge=1, le=1000)
    hosts_per_leaf: int = quantity(8, "1", "Hosts of a rack.", ge=1, le=1000)
    host_rate: Rate = quantity(1e10, "bit/s", "Rate of every host's link.", gt=0, le=1e14, symbol="C")
    fabric_rate: Rate = quantity(1e10, "bit/s", "Rate of every link between leaf and spine.", gt=0, le=1e14)
    link_delay: Time = quantity(1e-5, "s", "One-way propagation of every link.", ge=0, le=1)
    load_of: Literal["hosts", "uplinks"] = quantity(
        "hosts",
        "1",
        "Capacity that the load of open-loop traffic is a share of: the links of all hosts, or the links from "
        "leaves to spines. The latter counts only flows that cross them; flows within racks come on top.",
        advanced=True,
    )
    partners: Literal["any", "other_racks"] = quantity(
        "any", "1", "Destinations of open-loop flows: any other host, or hosts of other racks only.", advanced=True
    )
    watched: Literal["all", "hosts", "fabric"] = quantity(
        "all",
        "1",
        "Ports of switches that the metrics describe: all, those towards hosts, or those between switches.",
        advanced=True,
    )

    links_down: tuple[tuple[str, str], ...] = quantity(
        (),
        "1",
        "Links between a leaf and a spine that have failed, as pairs of names. Traffic takes the shortest "
        "paths that are left, which may lead down to a leaf and up again.",
        max_length=1000,
        advanced=True,
    )

    @model_validator(mode="after")
    def _possible(self) -> LeafSpine:
        cables = self.leaves * (self.hosts_per_leaf + self.spines)
        if cables > _MOST:
            raise PydanticCustomError("at:leaves", f"these are {cables} links; at most {_MOST} can be run")
        self._check_down()
        return self

    def _check_down(self) -> None:
        """Refuse failed links that do not exist, and failures that cut off a switch or divide the fabric."""
        leaves, spines = (set(names) for names in self._names())
        down = set()
        for i, (a, b) in enumerate(self.links_down):
            if not ((a in leaves and b in spines) or (a in spines and b in leaves)):
                raise PydanticCustomError(
                    f"at:links_down.{i}",
                    f"{a} and {b} are not a leaf and a spine of this fabric; give names such as leaf0 and spine0",
                )
            if frozenset((a, b)) in down:
                raise PydanticCustomError(f"at:links_down.{i}", f"{a} and {b} are named twice")
            down.add(frozenset((a, b)))
        if not down:
            return
        reached, waiting = {"leaf0"}, ["leaf0"]
        while waiting:
            node = waiting.pop()
            for other in (spines if node in leaves else leaves) - reached:
                if frozenset((node, other)) not in down:
                    reached.add(other)
                    waiting.append(other)
        apart = sorted((leaves | spines) - reached)
        if apart:
            raise PydanticCustomError("at:links_down", f"no link leads from leaf0 to {', '.join(apart[:4])} any more")

    def slowest_watched(self) -> float:
        rates = {"hosts": self.host_rate, "fabric": self.fabric_rate}
        return rates.get(self.watched, min(rates.values()))

    def switch_roles(self) -> dict[str, str]:
        leaves, spines = self._names()
        return dict.fromkeys(leaves, "leaf") | dict.fromkeys(spines, "spine")

    def most_load(self) -> float:
        """Either the hosts' links or the uplinks are full first, whichever of the two the load refers to."""
        crossing = self._crossing() * self._hosts() * self.host_rate
        shares = {"hosts": self._uplinks() / crossing, "uplinks": crossing / self._uplinks()}
        return min(1.0, shares[self.load_of])

    def shape(self, flows: int, open_loop: bool) -> Shape:
        hosts, fabric = self._hosts(), 2 * (self.leaves * self.spines - len(self.links_down))
        numbers = {"hosts": (hosts, 0), "fabric": (0, fabric), "all": (hosts, fabric)}[self.watched]
        capacity = numbers[0] * self.host_rate + numbers[1] * self.fabric_rate
        # Flows that last join hosts of different racks, four links apart; within a rack it is two.
        links = 4.0 if flows else 2.0 + 2.0 * self._crossing()
        return Shape(
            hosts,
            {"leaf": self.leaves, "spine": self.spines},
            2 * hosts + fabric,
            sum(numbers),
            capacity,
            self._load_capacity(),
            links,
            2.0 * links * self.link_delay,
            self.host_rate,
        )

    def build(self, flows: int, open_loop: bool, rng: np.random.Generator) -> Network:
        hosts, leaves, spines = self._hosts(), *self._names()
        first_leaf, first_spine = hosts, hosts + self.leaves
        down = {frozenset(pair) for pair in self.links_down}
        downwards = [(first_leaf + host // self.hosts_per_leaf, host) for host in range(hosts)]
        fabric = [
            (leaf, spine)
            for leaf in range(first_leaf, first_spine)
            for spine in range(first_spine, first_spine + self.spines)
            if frozenset((leaves[leaf - first_leaf], spines[spine - first_spine])) not in down
        ]
        cables = [Cable(host, leaf, self.host_rate, self.link_delay) for leaf, host in downwards]
        cables += [Cable(leaf, spine, self.fabric_rate, self.link_delay) for leaf, spine in fabric]
        between = fabric + [(spine, leaf) for leaf, spine in fabric]
        watched = {"hosts": downwards, "fabric": between}.get(self.watched, downwards + between)
        names = [f"l{host // self.hosts_per_leaf}h{host % self.hosts_per_leaf}" for host in range(hosts)]
        return Network(
            [*names, *leaves, *spines],
            list(range(first_leaf, first_spine + self.spines)),
            cables,
            watched,
            self._load_capacity(),
            self._scatter,
            roles=list(self.switch_roles().values()),
            place_lasting=self._permute,
        )

    def _names(self) -> tuple[list[str], list[str]]:
        return [f"leaf{i}" for i in range(self.leaves)], [f"spine{i}" for i in range(self.spines)]

    def _hosts(self) -> int:
        return self.leaves * self.hosts_per_leaf

    def _uplinks(self) -> float:
        """Capacity [bit/s] from all leaves to the spines."""
        return (self.leaves * self.spines - len(self.links_down)) * self.fabric_rate

    def _load_capacity(self) -> float:
        """What the load refers to [bit/s]."""
        return {"hosts": self._hosts() * self.host_rate, "uplinks": self._uplinks() / self._crossing()}[self.load_of]

    def _crossing(self) -> float:
        """Share of the short flows that leave their rack."""
        if self.partners == "other_racks":
            return 1.0
        return (self._hosts() - self.hosts_per_leaf) / (self._hosts() - 1)

    def _scatter(self, count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
        hosts, rack = self._hosts(), self.hosts_per_leaf
        source = rng.integers(0, hosts, count)
        if self.partners == "any":
            target = (source + rng.integers(1, hosts, count)) % hosts
        else:
            target = ((source // rack + 1) * rack + rng.integers(0, hosts - rack, count)) % hosts
        return list(zip(source.tolist(), target.tolist(), strict=True))

    def _permute(self, count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
        pairs: list[tuple[int, int]] = []
        while len(pairs) < count:
            source, target = rng.permutation(self._hosts()), self._across(rng)
            pairs += [(int(host), int(target[host])) for host in source[: count - len(pairs)]]
        return pairs

    def _across(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """A permutation in which every host sends to another rack: a random one, repaired by swapping receivers."""
        hosts, rack = self._hosts(), self.hosts_per_leaf
        target = rng.permutation(hosts)
        here = np.arange(hosts) // rack
        for host in range(hosts):
            if target[host] // rack == here[host]:
                # Who neither sits in this rack nor sends to it can exchange receivers with this host; there is one.
                others = np.flatnonzero((here != here[host]) & (target // rack != here[host]))
                other = others[rng.integers(len(others))]
                target[host], target[other] = target[other], target[host]
        return target
