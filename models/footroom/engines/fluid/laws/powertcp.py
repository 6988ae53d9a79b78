"""PowerTCP: the window that produced a power, scaled to the power of a full link without a queue, and a little more.

    dw/dt = gamma_r [w_old e / f + beta - w],     e = C^2 T,   f = (q + C T) (dq/dt + sent)

f is what is in flight ("voltage") times how fast it arrives ("current"). w_old and f are those of one instant: when the
packet acknowledged now reached the queue. As f then equals C sum w_old, the sum of all windows obeys exactly
dw/dt = gamma_r (C T + sum beta - w): no delay can make it unstable. theta-PowerTCP sees round trips instead,
f = e (R/T) (dR/dt + 1), the same while packets wait; with an empty queue it takes the link for just full.
In equilibrium the queue is sum beta, and flows share in proportion to their beta.
Source: Addanki, Michel, Schmid (NSDI 2022; arXiv 2112.14309), section 3 and appendix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from footroom.engines.fluid.laws import telemetry
from footroom.engines.fluid.laws.building import Setting
from footroom.engines.fluid.laws.flows import Law, Pace, Path, Pressure, Rest
from footroom.engines.fluid.laws.telemetry import SEEN, STATE, bounded
from footroom.parts.congestion.powertcp import PowerTcp as PowerTcpComponent
from footroom.parts.traffic.host import Host

SPEED, INCREASE, IDLE = telemetry.LAW, telemetry.LAW + 1, telemetry.LAW + 2
#: Least current: smaller ones are raised to it, so that nothing divides by that of an idle link.
_IDLE = 1e-6


def _slope(time: float, state: Any, seen: Any, past: Any, params: Any, out: Any, own: int) -> None:
    block, at = int(params[own + STATE]), int(params[own + SEEN])
    window, wait, current = state[block], seen[at + telemetry.WAIT_THEN], seen[at + telemetry.CURRENT_THEN]
    if wait <= 0.0:
        current = max(params[own + IDLE], current)
    wanted = seen[at + telemetry.WINDOW_THEN] / ((1.0 + wait) * max(_IDLE, current)) + params[own + INCREASE]
    out[block] = bounded(params[own + SPEED] * (wanted - window), window, params, own)


@dataclass(frozen=True)
class PowerTcp(telemetry.Telemetric):
    """increase: beta.  weight: gamma.  interval: s between updates, so that gamma_r = weight / interval; none means T.
    theta: sees round trips only.
    """

    weight: float = 0.9
    interval: float | None = None
    theta: bool = False

    law: ClassVar[Law] = Law(
        ("window",), telemetry.SEEN_NUMBER, telemetry.rate, telemetry.look, _slope, telemetry.project
    )
    source: ClassVar[str] = "Addanki, Michel, Schmid, NSDI 2022 (arXiv 2112.14309), section 3 and appendix"
    holds: ClassVar[str] = "lossless fabrics, one bottleneck, senders paced at w/T; no reaction to losses"
    departures: ClassVar[str] = "telemetry, or the round trip's gradient, of the instant the packet reached the queue"
    rest_formula: ClassVar[str] = "w = beta (1 + C T / q), q = sum beta"

    def speed(self, path: Path) -> float:
        """gamma_r in 1/s."""
        return self.weight / (self.base_trip(path) if self.interval is None else self.interval)

    def parameters(self, path: Path) -> tuple[float, ...]:
        return *self.bounds(path), self.speed(path), self.increase, float(self.theta)

    def rest(self, path: Path, pressure: Pressure) -> Rest:
        trip = self.base_trip(path)
        load = 1.0 if self.theta and pressure.queue <= 0.0 else pressure.load
        power = load * (1.0 + pressure.queue / (path.capacity * trip))
        window = self.increase / (1.0 - 1.0 / power) if power > 1.0 else math.inf
        window = min(window, self.most(path))
        return Rest(window / max(trip, path.round_trip(pressure.queue)), (window,))

    def pace(self, path: Path) -> Pace:
        return self.paced(
            path, self.speed(path), 1.0, 1.0 + path.flows * self.increase / (path.capacity * self.base_trip(path))
        )


def of(congestion: PowerTcpComponent, host: Host, setting: Setting) -> PowerTcp:
    """The law of ``powertcp``."""
    trip = setting.longest_rtt if congestion.base_rtt is None else congestion.base_rtt
    increase = setting.access * trip / congestion.expected_flows
    if congestion.additive_increase is not None:
        increase = congestion.additive_increase / setting.packet
    return PowerTcp(
        increase,
        trip,
        setting.access,
        follows=congestion.base_rtt is None,
        weight=congestion.weight,
        interval=congestion.update_interval,
        theta=congestion.variant == "theta",
    )
