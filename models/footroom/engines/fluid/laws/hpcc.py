"""HPCC: the window that produced a load, scaled to the wanted load, and a little more.

    dW/dt = (1/T) [eta W_old / U + W_AI - W],     U = q/(C T) + sent/C

W_old, q and what the link sent are those of one instant: when the packet acknowledged now reached the queue. In
equilibrium sum W = eta C T + sum W_AI; what of it exceeds C T stands in the queue.
Source: Li et al. (SIGCOMM 2019), sections 3.2 and 3.3, appendix A.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.engines.fluid.laws import telemetry
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.flows import Law, Pace, Path, Pressure, Rest
from footroom.engines.fluid.laws.telemetry import SEEN, STATE, TRIP, bounded
from footroom.parts.congestion.hpcc import Hpcc as HpccComponent
from footroom.parts.traffic.host import Host

TARGET, INCREASE, REFERENCE = telemetry.LAW, telemetry.LAW + 1, telemetry.LAW + 2
#: Least load: smaller ones are raised to it, so that nothing divides by the load of an idle link.
_IDLE = 1e-6


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    window = state[block]
    wait = seen[at + telemetry.WAIT_THEN]
    # The link sends at full rate while packets wait, what arrives otherwise.
    load = wait + (1.0 if wait > 0.0 else min(1.0, seen[at + telemetry.CURRENT_THEN]))
    scaled = seen[at + telemetry.WINDOW_THEN] if params[own + REFERENCE] > 0.0 else window
    wanted = params[own + TARGET] * scaled / max(_IDLE, load) + params[own + INCREASE]
    out[block] = bounded((wanted - window) / params[own + TRIP], window, params, own)


@dataclass(frozen=True)
class Hpcc(telemetry.Telemetric):
    """increase: W_AI.  target: eta.  reference: scale the window that produced the load; otherwise the present one,
    which diverges.
    """

    increase: float = 0.08
    target: float = 0.95
    reference: bool = True

    law: ClassVar[Law] = Law(
        ("window",), telemetry.SEEN_NUMBER, telemetry.rate, telemetry.look, _slope, telemetry.project
    )
    source: ClassVar[str] = "Li et al., SIGCOMM 2019, sections 3.2 and 3.3, appendix A"
    holds: ClassVar[str] = "lossless fabrics, one bottleneck, senders paced at W/T; no reaction to losses"
    departures: ClassVar[str] = "every update is multiplicative; telemetry of the instant the packet reached the queue"
    rest_formula: ClassVar[str] = "W = W_AI / (1 - eta/U), U = load + q/(C T), so that sum W = eta C T + sum W_AI"

    def parameters(self, path: Path) -> tuple[float, ...]:
        return *self.bounds(path), self.target, self.increase, float(self.reference)

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        trip = self.base_trip(path)
        load = pressure.load + pressure.queue / (path.capacity * trip)
        window = self.increase / (1.0 - self.target / load) if load > self.target else math.inf
        window = min(window, self.most(path))
        return Rest(window / max(trip, path.round_trip(pressure.queue)), (window,))

    def pace(self, path: Path) -> Pace:
        trip = self.base_trip(path)
        return self.paced(
            path, 1.0 / trip, self.target, self.target + path.flows * self.increase / (path.capacity * trip)
        )


def of(congestion: HpccComponent, host: Host, setting: Setting) -> Hpcc:
    """The law of ``hpcc``."""
    trip = setting.longest_rtt if congestion.base_rtt is None else congestion.base_rtt
    return Hpcc(
        congestion.additive_increase / setting.packet,
        trip,
        setting.access,
        follows=congestion.base_rtt is None,
        target=congestion.target_utilisation,
        reference=congestion.reference_window,
    )
