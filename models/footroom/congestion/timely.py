"""TIMELY: rates set from round trips and their gradient (Mittal et al., SIGCOMM 2015), and its patched form."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from footroom.component import About, Component, Profile
from footroom.quantity import Rate, Size, Time, quantity

_PATCH = "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016, section 4"


class Timely(Component):
    """Raises its rate while round trips shorten, lowers it while they grow.

    ``original`` is that of 2015: it has no fixed point (Zhu et al., CoNEXT 2016, section 4). ``patched`` weighs
    growth against cuts by the gradient, cuts by the distance from a reference queue, C ``t_low``, and rests. Losses are
    not answered to.
    """

    about: ClassVar[About] = About(
        title="TIMELY", summary="Sets the rate from round-trip times and their gradient.",
        sources=("Mittal et al., SIGCOMM 2015, algorithm 1",
                 "Zhu, Ghobadi, Misra, Padhye, CoNEXT 2016 (ECN or Delay), section 4"),
        holds="lossless fabrics, one bottleneck, round trips measured without noise",
        departures="thresholds are compared with the queueing delay, as in the published fluid, not with the round "
                   "trip; no hyperactive increase; a slope of 2 of the patched weight, as printed, gives other "
                   "stability limits than the published curve, which a slope of 1/2 reproduces; in the fluid only",
    )
    engines: ClassVar[tuple[str, ...]] = ("fluid",)
    profiles: ClassVar[tuple[Profile, ...]] = (
        Profile("printed", "The patched law as printed",
                {"slope": 2.0, "multiplicative_decrease": 0.008, "segment": 16e3},
                _PATCH, "With 10 Gb/s and 4 us it cycles from 20 flows on."),
        Profile("curve", "The patched law of the published stability curve",
                {"slope": 0.5, "multiplicative_decrease": 0.008, "segment": 16e3},
                _PATCH, "The slope is inferred: with it the linear equations reproduce the published phase margins to "
                "0.4 degrees, and the queue cycles from 40 flows on."),
    )
    kind: Literal["timely"] = "timely"
    variant: Literal["patched", "original"] = quantity(
        "patched", "1", "Version: patched (2016, has a stable fixed point) or original (2015).",
        source="Mittal et al. 2015; Zhu et al. 2016, section 4")
    additive_increase: Rate = quantity(
        10e6, "bit/s", "Additive increase of the rate per update.", gt=0, le=1e12, symbol="δ",
        source="Mittal et al. 2015, as quoted by Zhu et al. 2016, section 4")
    multiplicative_decrease: float | None = quantity(
        None, "1", "Strength of a cut; none means 0.008 when patched, 0.8 originally.", gt=0, le=1, symbol="β",
        source="Zhu et al. 2016, section 4; Mittal et al. 2015, as quoted there")
    segment: Size | None = quantity(
        None, "B", "Bytes per measured round trip; none means 16 kB when patched, 64 kB originally.", gt=0, le=1e7,
        symbol="Seg", source="Zhu et al. 2016, section 4; Mittal et al. 2015, section 5")
    weight: float = quantity(
        0.875, "1", "Weight of the latest sample in the averaged gradient.", gt=0, le=1, symbol="α",
        source="Zhu et al. 2016, section 4")
    t_low: Time = quantity(
        50e-6, "s", "Below this queueing delay rates always grow.", gt=0, le=1, symbol="T_low",
        source="Mittal et al. 2015, section 4.4")
    t_high: Time = quantity(
        500e-6, "s", "Above this queueing delay rates always fall.", gt=0, le=10, symbol="T_high",
        source="Mittal et al. 2015, section 4.4")
    min_rtt: Time = quantity(
        20e-6, "s", "Minimum RTT: shortest time between updates, and the unit of gradients.", gt=0, le=1,
        symbol="D_minRTT", source="Mittal et al. 2015, as quoted by Zhu et al. 2016, section 4")
    slope: float = quantity(
        2.0, "1", "Slope of the patched weight w = slope g + 1/2 in the gradient g.", gt=0, le=100, advanced=True,
        source="Zhu et al. 2016, section 4, as printed; 1/2 gives their stability curve")
    start_rate: Rate | None = quantity(
        None, "bit/s", "Rate at the start; none means a fair share of the bottleneck. The original's course depends on "
        "it for ever.", gt=0, le=1e14, source="Zhu et al. 2016, section 4", advanced=True)
    min_rate: Rate = quantity(
        10e6, "bit/s", "Minimum rate; the published algorithm has none.", gt=0, le=1e12, advanced=True)

    @model_validator(mode="after")
    def _ordered(self) -> Timely:
        if self.t_high <= self.t_low:
            raise PydanticCustomError("at:t_high", "t_high must exceed t_low")
        return self
