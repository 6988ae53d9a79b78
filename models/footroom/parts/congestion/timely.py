"""TIMELY: rates set from round trips and their gradient (Mittal et al., SIGCOMM 2015), and its patched form."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import About, Profile
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.kernel.hooks import law_hook, row
from footroom.parts.congestion.law import RDMA, Hooks, Law

_PATCH = "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, section 4"


# Parameters.
_INCREASE, _DECREASE, _SEGMENT, _WEIGHT, _LOW, _HIGH, _TRIP, _SLOPE, _START, _LEAST, _PATCHED, _HASTY = range(12)
_WHOLE = 12
# The law's own memory: the last round trip, its averaged difference, when it was taken [ps]; bytes acknowledged since;
# increases for falling round trips in a row; line rate; bytes of a full packet on the link; base round trip [ps];
# whether a round trip was taken.
_LAST, _DIFFERENCE, _WHEN, _BYTES, _FALLS, _LINE, _PACKET, _BASE, _SEEN = range(9)


@law_hook
def _on_start(flow, own, params, report):
    f, r = row(flow), row(report)
    if r.resumed != 0:
        return 0
    own[_LINE] = f.rate
    own[_PACKET] = float(r.bytes)
    own[_BASE] = float(r.base_rtt) if params[_WHOLE] == 0.0 else 0.0
    if params[_START] > 0.0:
        f.rate = min(params[_START], f.rate)
    return 0


@law_hook
def _on_ack(flow, own, params, report):
    """Algorithm 1 of both papers, once per segment and at most once per minimum round trip."""
    f, r = row(flow), row(report)
    own[_BYTES] += float(r.acked) * own[_PACKET]
    now = float(r.now)
    if own[_BYTES] < params[_SEGMENT] or now - own[_WHEN] < params[_TRIP]:
        return 0
    own[_BYTES] = 0.0
    own[_WHEN] = now
    trip = max(0.0, float(r.rtt) - own[_BASE])
    risen = trip - own[_LAST]
    own[_LAST] = trip
    if own[_SEEN] == 0.0:
        own[_SEEN] = 1.0
        return 0
    own[_DIFFERENCE] = (1.0 - params[_WEIGHT]) * own[_DIFFERENCE] + params[_WEIGHT] * risen
    gradient = own[_DIFFERENCE] / params[_TRIP]
    if trip < params[_LOW]:
        own[_FALLS] = 0.0
        rate = f.rate + params[_INCREASE]
    elif trip > params[_HIGH]:
        own[_FALLS] = 0.0
        rate = f.rate * (1.0 - params[_DECREASE] * (1.0 - params[_HIGH] / trip))
    elif params[_PATCHED] != 0.0:
        weight = min(max(params[_SLOPE] * gradient + 0.5, 0.0), 1.0)
        error = (trip - params[_LOW]) / params[_LOW]
        rate = params[_INCREASE] * (1.0 - weight) + f.rate * (1.0 - params[_DECREASE] * weight * error)
    elif gradient <= 0.0:
        own[_FALLS] += 1.0
        steps = 5.0 if params[_HASTY] > 0.0 and own[_FALLS] >= params[_HASTY] else 1.0
        rate = f.rate + steps * params[_INCREASE]
    else:
        own[_FALLS] = 0.0
        rate = f.rate * max(0.0, 1.0 - params[_DECREASE] * gradient)
    f.rate = min(max(rate, min(params[_LEAST], own[_LINE])), own[_LINE])
    return 0


class Timely(Law):
    """Raises its rate while round trips shorten, lowers it while they grow.

    ``original`` is that of 2015: it has no fixed point (Zhu et al., CoNEXT 2016, section 4). ``patched`` weighs
    growth against cuts by the gradient, cuts by the distance from a reference queue, C ``t_low``, and has a fixed
    point. It does not react to losses.
    """

    about: ClassVar[About] = About(
        title="TIMELY",
        summary="Sets the rate from round-trip times and their gradient.",
        sources=(
            "Mittal et al., SIGCOMM 2015, algorithm 1",
            "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016 (ECN or Delay), section 4",
        ),
        holds="lossless fabrics, one bottleneck, round trips measured without noise",
        departures="thresholds are compared with the queueing delay, as in the published fluid, unless round_trip says "
        "otherwise; fluid: no hyperactive increase; a slope of 2 of the patched weight, as printed, gives "
        "other stability limits than the published curve, which a slope of 1/2 reproduces; packet: packets "
        "are paced one by one, where the NIC of 2015 sent segments as bursts; queueing delays are those "
        "beyond the longest idle round trip of the network",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid", "packet", "reference")
    recoveries: ClassVar[tuple[str, ...]] = RDMA
    acknowledged_one_by_one: ClassVar[bool] = True
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile(
            "printed",
            "The patched law as printed",
            {"slope": 2.0, "multiplicative_decrease": 0.008, "segment": 16e3},
            _PATCH,
            "At 10 Gb/s and 4 us the queue oscillates from 20 flows on.",
        ),
        Profile(
            "curve",
            "The patched law of the published stability curve",
            {"slope": 0.5, "multiplicative_decrease": 0.008, "segment": 16e3},
            _PATCH,
            "The slope is inferred: with it the linear equations reproduce the published phase margins to 0.4 "
            "degrees, and the queue oscillates from 40 flows on.",
        ),
    )
    kind: Literal["timely"] = "timely"
    variant: Literal["patched", "original"] = quantity(
        "patched",
        "1",
        "Version: patched (2016, has a stable fixed point) or original (2015).",
        source="Mittal et al. 2015; Zhu et al. 2016, section 4",
    )
    additive_increase: Rate = quantity(
        10e6,
        "bit/s",
        "Additive increase of the rate per update.",
        gt=0,
        le=1e12,
        symbol="δ",
        source="Mittal et al. 2015, as quoted by Zhu et al. 2016, section 4",
    )
    multiplicative_decrease: float | None = quantity(
        None,
        "1",
        "Strength of a cut; none means 0.008 when patched, 0.8 in the original.",
        gt=0,
        le=1,
        symbol="β",
        source="Zhu et al. 2016, section 4; Mittal et al. 2015, as quoted there",
    )
    segment: Size | None = quantity(
        None,
        "B",
        "Bytes per measured round trip; none means 16 kB when patched, 64 kB in the original.",
        gt=0,
        le=1e7,
        symbol="Seg",
        source="Zhu et al. 2016, section 4; Mittal et al. 2015, section 5",
    )
    weight: float = quantity(
        0.875,
        "1",
        "Weight of the latest sample in the averaged gradient.",
        gt=0,
        le=1,
        symbol="α",
        source="Zhu et al. 2016, section 4",
    )
    t_low: Time = quantity(
        50e-6,
        "s",
        "Below this queueing delay rates always grow.",
        gt=0,
        le=1,
        symbol="T_low",
        source="Mittal et al. 2015, section 4.4",
    )
    t_high: Time = quantity(
        500e-6,
        "s",
        "Above this queueing delay rates always fall.",
        gt=0,
        le=10,
        symbol="T_high",
        source="Mittal et al. 2015, section 4.4",
    )
    min_rtt: Time = quantity(
        20e-6,
        "s",
        "Minimum RTT: shortest time between updates, and the unit of gradients.",
        gt=0,
        le=1,
        symbol="D_minRTT",
        source="Mittal et al. 2015, as quoted by Zhu et al. 2016, section 4",
    )
    slope: float = quantity(
        2.0,
        "1",
        "Slope of the patched weight w = slope g + 1/2 in the gradient g.",
        gt=0,
        le=100,
        advanced=True,
        source="Zhu et al. 2016, section 4, as printed; 1/2 gives their stability curve",
    )
    start_rate: Rate | None = quantity(
        None,
        "bit/s",
        "Rate at the start; none means a fair share of the bottleneck in the fluid, the line's rate in "
        "the packet engines. With the original, the result depends on it.",
        ge=1,
        le=1e14,
        source="Zhu et al. 2016, section 4",
        advanced=True,
    )
    min_rate: Rate = quantity(
        10e6, "bit/s", "Minimum rate; the published algorithm has none.", ge=1, le=1e12, advanced=True
    )

    round_trip: bool = quantity(
        False,
        "1",
        "Compare the thresholds with whole round trips instead of queueing delays; in the packet engines.",
        source="Mittal et al. 2015, algorithm 1; queueing delays in Zhu et al. 2016, section 4",
        advanced=True,
    )
    hyperactive_after: int = quantity(
        5,
        "1",
        "Increases in a row, while round trips do not grow, after which the increase is five times as large; 0 "
        "means never. In the packet engines, variant original.",
        ge=0,
        le=1000,
        source="Mittal et al. 2015, section 4.4",
        advanced=True,
    )

    def at_line_rate(self, window: float, buffer: float, marked: bool) -> float:
        """1: a full queue has no gradient, and go-back-N sends again what was dropped."""
        return 1.0

    def hooks(self) -> Hooks:
        return Hooks(_on_start, _on_ack)

    def scratch(self) -> int:
        return 9

    def parameters(self) -> tuple[float, ...]:
        patched = self.variant == "patched"
        decrease = self.multiplicative_decrease or (0.008 if patched else 0.8)
        return (
            self.additive_increase,
            decrease,
            self.segment or (16e3 if patched else 64e3),
            self.weight,
            self.t_low * 1e12,
            self.t_high * 1e12,
            self.min_rtt * 1e12,
            self.slope,
            self.start_rate or 0.0,
            self.min_rate,
            float(patched),
            float(self.hyperactive_after),
            float(self.round_trip),
        )

    @model_validator(mode="after")
    def _ordered(self) -> Timely:
        if self.t_high <= self.t_low:
            raise PydanticCustomError("at:t_high", "t_high must exceed t_low")
        return self
