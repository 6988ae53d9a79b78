"""Fluid of paced flows where classes may be paused: by which ports it comes in, and how long it is between ports.

What comes after a switch asked for a pause fills headroom, so fluid takes as long from port to port as packets. A
switch looks at its fluid once a step, half a step late in the mean; what a step sends is in the mean half a step on its
way already when the step is over. Delays are whole steps, the rest is left to the end of the way, so that the two
cancel.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from footroom.engines.hybrid import paced_layout as layout
from footroom.engines.hybrid.routes import Route
from footroom.engines.packet.tables import Tables
from footroom.engines.plan import SECOND, Plan

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Whole steps that the shortest link takes at least: a threshold is seen a step late at worst, and what comes until
#: then is headroom.
FEWEST_STEPS = 4.0


def hops(plan: Plan, route: Route, size: float) -> list[float]:
    """Time [s] from each port of ``route`` to the next, there and back: propagation, and half of a packet of ``size``
    bytes, which is what fluid of the same packets takes until as much of it has come.
    """
    answer = float(plan.acknowledgement + plan.framing.gap)
    return [
        (float(plan.port_delay[port]) + 0.5 * length * float(plan.picoseconds_per_byte[port]) / 65536.0) / SECOND
        for ports, length in ((route.ports, size), (route.returns[:-1], answer))
        for port in ports
    ]


def dividing(step: float, shortest: float) -> float:
    """A step [s] of at most ``step`` of which the delay ``shortest`` [s] is a whole number and a half."""
    return shortest / (max(FEWEST_STEPS, math.ceil(shortest / step - 0.5)) + 0.5)


def by_ingress(plan: Plan, found: list[Route], ports: list[int], port_of: Ints, passes: Floats) -> list[list[int]]:
    """Of every one of ``ports``, those that its fluid comes in by, where priority groups need to know.

    port_of: number among ``ports`` of every pass.  Passes learn which part of a port's fluid they are.
    """
    assert plan.lossless is not None
    before = [before for route in found for before in (-1, *route.ports, *route.returns[:-1])]
    grouped = [plan.port_switch[port] >= 0 and plan.lossless.classes[plan.port_switch[port], 0] for port in ports]
    came: list[list[int]] = [[] for _ in ports]
    for n, ingress in zip(port_of.tolist(), before, strict=True):
        if grouped[n] and ingress not in came[n]:
            came[n].append(ingress)
    first = np.cumsum([0, *(len(each) for each in came)])
    for k, (n, ingress) in enumerate(zip(port_of.tolist(), before, strict=True)):
        if grouped[n]:
            passes[k, layout.PART] = first[n] + came[n].index(ingress)
    return came


def lay_wires(plan: Plan, found: list[Route], packet: float, step: float, passes: Floats) -> Floats:
    """Room for what is on the way between ports, empty. Passes learn how long that takes, in steps of ``step`` s.

    packet: size of the fluid's packets on the link [B].
    """
    lags = [lag for route in found for lag in (1.0, *(max(1.0, hop // step) for hop in hops(plan, route, packet)))]
    passes[:, layout.LAG] = lags
    first = 0
    for route in found:
        last = first + len(route.ports) + len(route.returns)
        passes[first:last, layout.ELAPSED] = (np.cumsum(lags[first:last]) - 1.0) * step
        first = last
    behind = passes[:, layout.LAG].astype(np.int64) - 1
    passes[:, layout.WIRE] = np.cumsum(behind) - behind
    return np.zeros(max(1, int(behind.sum())))


def check_groups(tables: Tables) -> None:
    """Raise RuntimeError unless priority groups hold what ports are charged."""
    for n, x in enumerate(tables.fluids):
        charged = int(tables.parts["charged"][int(x["first_part"]) : int(x["last_part"])].sum())
        if x["last_part"] > x["first_part"] and charged != x["charged"]:
            raise RuntimeError(f"fluid is not conserved: groups hold {charged} bytes of {x['charged']} at port {n}")


def check_lossless(tables: Tables, passes: Floats, wires: Floats, step: float) -> None:
    """Raise RuntimeError unless priority groups and wires hold what ports are charged, and what was sent to others."""
    check_groups(tables)
    for k in np.flatnonzero(passes[:, layout.LAG] > 1.0).tolist():
        first = int(passes[k, layout.WIRE])
        there = float(wires[first : first + int(passes[k, layout.LAG]) - 1].sum()) * step
        put, came = float(passes[k, layout.PUT]), float(passes[k, layout.CAME])
        if abs(put - came - there) > 1.0 + 1e-9 * put:
            raise RuntimeError(f"fluid is not conserved: {put} bytes were sent, {came} came, a wire holds {there}")
