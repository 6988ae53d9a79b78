"""Recorded measurements of Linux with other paths and loads than the long flows of ``cases``, and what repeats them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from tests.validation.cases import DATA, as_measured
from tests.validation.tools.linux_dumbbell import Options, transfers

import footroom as fr
from footroom.engines.packet import Simulation
from footroom.engines.plan import build_plan

_FRAME, _PACKET = 1514.0, 1500.0
_LAWS = {"reno": "newreno", "cubic": "cubic", "bbr": "bbr"}


@dataclass(frozen=True)
class Load:
    """One measured case: long flows, a mixture of two congestion controls, random arrivals or fan-in.

    row: of linux-mixed.json. Rates in bit/s of 1514 B frames, times in s, ``buffer`` and ``queue_mean`` in packets.
    """

    row: dict[str, Any]

    @property
    def kind(self) -> str:
        """long, mixture, arrivals or fan-in."""
        if self.row["size"] == 0:
            return "mixture" if "," in self.row["congestion"] else "long"
        return "fan-in" if self.row["degree"] > 0 else "arrivals"

    @property
    def name(self) -> str:
        """As in the file."""
        return str(self.row["name"])

    @property
    def seeds(self) -> range:
        """Arrivals are those of Linux's run; what differs from seed to seed is how they meet."""
        return range(1, {"arrivals": 3, "fan-in": 10}.get(self.kind, 2) + 1)

    def scenario(self, seed: int = 1, **host: Any) -> fr.Scenario:
        """The same for Footroom with the hosts of ``host.profile: linux``, whose packets have no Ethernet header."""
        row, laws = self.row, self.row["congestion"].split(",")
        rate = row["rate"] * _PACKET / _FRAME
        hosts = {"profile": "linux", **as_measured(row), **({} if row["sack"] else {"recovery": "newreno"}), **host}
        topology: dict[str, Any] = {
            "kind": "dumbbell",
            "bottleneck": rate,
            "access": "10 Gb/s",
            "rtt": row["rtt"],
            "rtt_spread": row["spread"],
        }
        each: list[dict[str, Any]] = [{"congestion": {"kind": _LAWS[law]}, "host": hosts} for law in laws]
        if self.kind == "arrivals":
            traffic = [{"kind": "arrivals", "flows": self._arrivals(), **each[0]}]
        elif self.kind == "fan-in":
            senders = [f"s{n}" for n in range(row["degree"])]
            topology = {
                "kind": "graph",
                "hosts": ["r", *senders],
                "switches": ["x"],
                "links": [
                    {"ends": ["x", "r"], "rate": rate, "delay": row["rtt"] / 2.0 - 1e-6},
                    *({"ends": [sender, "x"], "rate": "10 Gb/s", "delay": 1e-6} for sender in senders),
                ],
            }
            traffic = [
                {
                    "kind": "incast",
                    "degree": row["degree"],
                    "size": row["size"],
                    "jitter": "1 ms",
                    "period": (row["warmup"] + row["window"]) / row["queries"],
                    "start": "100 ms",
                    "destinations": ["r"],
                    "sources": senders,
                    **each[0],
                }
            ]
        else:
            traffic = [
                {"kind": "long_lived", "flows": row["flows"] // len(laws), "start_jitter": 1.0, **law} for law in each
            ]
        return fr.Scenario.parse(
            {
                "topology": topology,
                "switch": {"buffer": f"{row['buffer']} packets"},
                "traffic": traffic,
                "run": {"duration": row["warmup"] + row["window"], "warmup": row["warmup"], "seed": seed},
            }
        )

    def _arrivals(self) -> list[dict[str, float]]:
        """The transfers of Linux's run, whose seed tells when they were asked for.

        A row with ``begins`` tells when their first data left: later by at least a second, where a set-up packet was
        lost.
        """
        row = self.row
        options = Options(**{name: row[name] for name in ("rate", "congestion", "size", "load", "seed") if name in row})
        begins = transfers(options, row["warmup"] + row["window"])
        return [{"time": begin, "size": row["size"]} for begin, _ in begins]

    @cached_property
    def completion(self) -> tuple[float, float]:
        """Median and 99th percentile of what Linux took, without the handshake [s]."""
        if self.kind == "fan-in":  # counted from the query on: one round trip on an idle path, as queries are far apart
            found = self.row["queries_completed_in"]
            return found["p50"] - self.row["rtt"], found["p99"] - self.row["rtt"]
        found = next(iter(self.row["completion"].values()))
        return found["p50"], found["p99"]

    def share(self, seed: int, **host: Any) -> float:
        """Share of the flows under the first congestion control in what was acknowledged."""
        plan = build_plan(self.scenario(seed, **host), seed)
        simulation = Simulation(plan)
        simulation.run_until(plan.warmup)
        before = simulation.tables.flows["una"].copy()
        simulation.run_until(plan.duration)
        got = simulation.tables.flows["una"] - before
        return float(got[plan.flow_stack == 0].sum() / got.sum())

    def _lost(self, seed: int, **host: Any) -> float:
        """Share of data packets that were dropped: no port is watched in fan-in, and drop_rate counts all of them."""
        plan = build_plan(self.scenario(seed, **host), seed)
        simulation = Simulation(plan)
        simulation.run_until(plan.duration)
        dropped = int(simulation.tables.flows["dropped"].sum())
        return dropped / (dropped + int(simulation.tables.state["delivered"][0]))

    def run(self, **host: Any) -> dict[str, float]:
        """Means over the seeds. ``share``: of the first of two congestion controls; ``queue_mean`` in packets."""
        results = [fr.run(self.scenario(seed, **host), engine="packet") for seed in self.seeds]
        prefix = "qct" if self.kind == "fan-in" else "fct"
        found = {
            name: float(np.mean([r.metrics[name] for r in results]))
            for name in ("utilisation", "drop_rate", "queue_mean", "timeouts", f"{prefix}_p50", f"{prefix}_p99")
            if name in results[0].metrics
        }
        if self.kind == "mixture":
            found["share"] = float(np.mean([self.share(seed, **host) for seed in self.seeds]))
        if self.kind == "fan-in":
            found["drop_rate"] = float(np.mean([self._lost(seed, **host) for seed in self.seeds]))
        return {
            **found,
            "queue_mean": found["queue_mean"] / _PACKET,
            **{name: found[f"{prefix}_{name}"] for name in ("p50", "p99") if f"{prefix}_{name}" in found},
        }


def loads(of: str = "cases") -> list[Load]:
    """All recorded cases; ``reports_of_gaps``: one mixture with and without reports that are held back."""
    return [Load(row) for row in json.loads((DATA / "linux-mixed.json").read_text())[of]]
