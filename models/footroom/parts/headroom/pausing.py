"""What the kinds of headroom have in common: which classes are lossless, how much is kept, when and how to pause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Component, Document
from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.formulas.headroom.kept import Kept, evaluate, response_of
from footroom.kernel.hooks import Hook
from footroom.parts.sharing import DynamicThreshold, Policy

#: Alpha of lossless priority groups where the sharing policy has none: 1/16, as in the papers on RDMA at Microsoft.
USUAL_ALPHA = 1 / 16
_PAPER = "Shan et al., DSH, ICDCS 2023, §V"
_PFC = "IEEE 802.3 Annex 31D"

SchemeName = Literal["sih", "dsh", "ieee", "sonic", "vendor"]
SCHEME_NAMES: tuple[str, ...] = get_args(SchemeName)


def _a_number(given: Any) -> Any:
    if isinstance(given, bool):
        raise PydanticCustomError("classes", "must be a whole number from 0 to 7, not true or false")
    return given


ClassNumber = Annotated[int, BeforeValidator(_a_number), Field(ge=0, le=7)]


class LinkSize(Document):
    """Headroom of every link with one rate and one delay."""

    rate: Rate = quantity(..., "bit/s", "Rate of the link.", gt=0, le=1e14, symbol="C")
    delay: Time = quantity(..., "s", "Propagation delay of the link, one way.", ge=0, le=60, symbol="D")
    size: Size = quantity(
        ..., "B", "Headroom of a lossless priority group, or of a port with insurance.", ge=0, le=1e12
    )


class Pausing(Component):
    """A switch whose lossless classes pause their neighbours instead of dropping (IEEE 802.1Qbb, PFC).

    A packet of a lossless class is counted against its priority group, the packets of one class that came in by one
    port. A group takes its reserved bytes first, then shared memory up to its threshold, then headroom. Its egress
    queue has no limit. A packet of any other class is counted against its egress queue as ``switch.sharing`` says.
    """

    engines: ClassVar[tuple[str, ...]] = ("packet", "reference")

    lossless: tuple[ClassNumber, ...] | None = quantity(
        None,
        "1",
        "Classes that are paused instead of dropped. Automatic: every class but the highest, in which "
        "acknowledgements and other control packets travel; with a single queue it means class 0.",
        min_length=1,
        max_length=8,
    )
    size: Size | None = quantity(
        None,
        "B",
        "Headroom in bytes, or the name of a scheme. Automatic: the scheme computes it for every port from its "
        "rate, its link delay and run.mtu.",
        ge=0,
        le=1e12,
        symbol="η",
    )
    sizes: tuple[LinkSize, ...] | None = Field(
        default=None,
        max_length=100,
        description="Headroom in bytes by link rate and delay, as the tables of switches give it; links that are "
        "not listed get size, or what the scheme computes.",
    )
    scheme: SchemeName = quantity(
        "sih",
        "1",
        "Formula for the headroom where no size is given, with the defaults of the headroom calculator: sih and dsh "
        "are 2(C·D + L_MTU) + 3840 B, ieee adds up the limits of the standard, sonic is SONiC's own formula, vendor "
        "adds to the bytes on the line what partly filled cells waste. With switch.cell_size, sih, dsh and ieee are "
        "multiplied by the most memory that frames of 64 B and more fill.",
        source="docs/headroom.md",
    )
    reserved: Size = quantity(
        0.0,
        "B",
        "Memory reserved for each lossless priority group before it takes any shared memory.",
        ge=0,
        le=1e12,
        symbol="φ",
        source=f"3 KiB in {_PAPER}; 4 KiB in HPCC's simulator",
        advanced=True,
    )
    alpha: float | None = quantity(
        None,
        "1",
        "Threshold of a lossless priority group, as a multiple of the free shared memory. None takes the "
        "alpha of switch.sharing where that is dynamic_threshold, and 1/16 elsewhere.",
        gt=0,
        le=4096,
        symbol="α",
        source="1/16: Guo et al., SIGCOMM 2016, and " + _PAPER,
    )
    lossless_share: float | None = quantity(
        None,
        "1",
        "Share of the shared memory that forms a service pool for lossless priority groups alone; lossy "
        "queues share the rest. None puts all of it in one pool for both.",
        gt=0,
        lt=1,
        advanced=True,
    )
    allowance: Size | None = quantity(
        None,
        "B",
        "How far a packet may exceed the headroom where the memory still has room. A switch allocates cells while a "
        "packet arrives; here the packet that crosses the limit is counted whole when its last bit has arrived. "
        "None allows one full packet, 84 B for each pause frame that may wait at the port (one for each lossless "
        "class), and from a host what its jitter may delay, in cells where the switch has them; 0 B allows nothing.",
        ge=0,
        le=1e9,
        advanced=True,
    )
    pause: Literal["timed", "on_off"] = quantity(
        "timed",
        "1",
        "timed: a pause frame stops the neighbour for a number of quanta and is repeated before they end; on_off: "
        "it stops the neighbour until a frame resumes it.",
        source=_PFC,
        advanced=True,
    )
    quanta: int = quantity(
        65535,
        "1",
        "Pause time that a frame asks for, in quanta of 512 bit times of the link; only for timed pauses.",
        ge=1,
        le=65535,
        source=_PFC,
        advanced=True,
    )
    refresh: float = quantity(
        0.5,
        "1",
        "Share of the pause time after which a frame is repeated while the pause lasts; only for timed pauses.",
        gt=0,
        lt=1,
        advanced=True,
    )
    response: Time | None = quantity(
        None,
        "s",
        "Time from a pause frame's arrival until the neighbour starts no further packet. Automatic: 3840 B "
        "at the rate of the link for sih and dsh (60 quanta), and the quanta of IEEE 802.3 31B.3.7 for the speed with "
        "the other schemes.",
        ge=0,
        le=1,
        source="IEEE 802.3 31B.3.7",
        advanced=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _size_by_scheme(cls, raw: Any) -> Any:
        """A size may be the name of a scheme, which then says how large it is."""
        if isinstance(raw, dict) and "xoff" in raw:
            raise PydanticCustomError(
                "at:xoff",
                "is not set by itself: a group pauses at alpha times the free shared memory, so give alpha; for the "
                "headroom beyond that level, which SONiC calls xoff, give size",
            )
        if not isinstance(raw, dict) or raw.get("size") not in SCHEME_NAMES:
            return raw
        size, scheme = raw["size"], raw.get("scheme")
        if scheme is not None and scheme != size:
            raise PydanticCustomError("at:size", f"scheme says {scheme}: give one of the two, or a size in bytes")
        return {**{name: value for name, value in raw.items() if name != "size"}, "scheme": size}

    @field_validator("sizes")
    @classmethod
    def _once_for_each(cls, given: tuple[LinkSize, ...] | None) -> tuple[LinkSize, ...] | None:
        links = [(link.rate, link.delay) for link in given or ()]
        if len(set(links)) < len(links):
            raise PydanticCustomError("links", "every rate and delay has one size")
        return given

    @field_validator("lossless")
    @classmethod
    def _once(cls, given: tuple[int, ...] | None) -> tuple[int, ...] | None:
        if given is not None and len(set(given)) < len(given):
            raise PydanticCustomError("classes", "every class is named once")
        return None if given is None else tuple(sorted(given))

    @field_validator("size", "reserved", "allowance")
    @classmethod
    def _whole(cls, value: float | None) -> float | None:
        if value is not None and value != int(value):
            raise PydanticCustomError("classes", "must be a whole number of bytes")
        return value

    def classes(self, queues: int) -> tuple[int, ...]:
        """The lossless classes of a switch with ``queues`` classes, in ascending order."""
        if self.lossless is not None:
            return self.lossless
        return tuple(range(max(1, queues - 1)))

    def alphas(self, sharing: Policy) -> tuple[float, ...]:
        """Alpha of the priority groups by class."""
        if self.alpha is not None:
            return (self.alpha,) * 8
        return sharing.parameters() if isinstance(sharing, DynamicThreshold) else (USUAL_ALPHA,) * 8

    def place(self) -> Hook:
        """Where a packet of ``value`` bytes goes: HEADROOM, PAUSE_GROUP and PAUSE_PORT of kernel.answers, added up.

        Without HEADROOM it is charged to the group's own and shared bytes; PAUSE_GROUP describes the state after the
        charge. The engine tests the limits of headroom.
        """
        raise NotImplementedError

    def resume(self) -> Hook:
        """Whether a pause may end: that of the group, or of the whole port where ``value`` is 1.

        Answers RESUMES of kernel.answers if so; else the most shared bytes in use at which it may end when only other
        groups and queues release bytes; -1 where that does not help.
        """
        raise NotImplementedError

    def kept(self, rate: float, delay: float, mtu: float, cell: float | None) -> Kept:
        """Headroom [B] of a link, and the response time of the neighbour at its other end.

        rate [bit/s].  delay: propagation one way [s].  mtu [B].  cell: of the memory [B], None where bytes are counted.
        """
        size, line = self._given(rate, delay), None
        if size is None:
            size, line = evaluate(self.scheme, rate, delay, mtu, cell)
        return Kept(size, response_of(self.scheme, rate) if self.response is None else self.response, line)

    def _given(self, rate: float, delay: float) -> int | None:
        """Headroom of a link in bytes, where the scenario says it; a delay is the same within a picosecond."""
        for link in self.sizes or ():
            if link.rate == rate and abs(link.delay - delay) < 1e-12:
                return int(link.size)
        return None if self.size is None else int(self.size)

    def pool_of(self, kept: Sequence[int]) -> int | None:
        """Bytes of a headroom pool that groups with headroom ``kept`` share; None where each keeps its own."""
        return None
