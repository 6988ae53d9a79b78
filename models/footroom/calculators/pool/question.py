"""The question: a chip, its ports, and how its memory is to be divided."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Document
from footroom.base.errors import InvalidInput
from footroom.base.quantity import Length, Rate, Size, quantity
from footroom.calculators.pool.cells import in_bytes
from footroom.calculators.pool.pools import Pools, parse_pools
from footroom.calculators.pool.ports import Ports, parse_ports
from footroom.formulas.headroom.schemes import SCHEMES, Scheme, Sih
from footroom.scenario.problems import problems_of


def _named(value: Any) -> Any:
    """A scheme by its name alone."""
    return {"kind": value} if isinstance(value, str) else value


if TYPE_CHECKING:
    _Kinds = Scheme
else:
    _Kinds = SCHEMES.kinds


def _parameters(value: Any) -> Any:
    """Parameters by scheme from text such as ``sonic.port_mtu=9216,vendor.maker=Arista``."""
    if not isinstance(value, str):
        return value
    found: dict[str, dict[str, str]] = {}
    for part in (part for part in value.split(",") if part.strip()):
        name, equals, given = part.partition("=")
        kind, dot, field = name.strip().partition(".")
        if not (equals and dot and kind and field):
            raise PydanticCustomError("parameters", "expected scheme.name=value, such as sonic.port_mtu=9216")
        found.setdefault(kind, {})[field] = given.strip()
    return found


#: Parameters of schemes, by scheme and name.
Parameters = Annotated[
    dict[str, dict[str, Any]], BeforeValidator(_parameters, json_schema_input_type=str | dict[str, Any])
]
#: Fields that may be written in short.
_SHORT: dict[str, Callable[[Any], Any]] = {"ports": parse_ports, "pools": parse_pools, "scheme": _named}
AnyScheme = Annotated[
    _Kinds, Field(discriminator="kind"), SCHEMES.check(), BeforeValidator(_named, json_schema_input_type=Any)
]
_SAI = "SAI saibuffer.h: dynamic_th n means 2ⁿ of the available buffer"


class Incast(Document):
    """Senders that answer one receiver at once."""

    degree: int = quantity(..., "1", "Number of simultaneous senders.", ge=1, le=1_000_000)
    size: Size = quantity(..., "B", "Bytes from each sender.", gt=0, le=1e15)
    lossless: bool = Field(
        False, description=("The incast runs in a lossless class: absorbed then means that no queue pauses.")
    )
    rate: Rate | None = quantity(
        None,
        "bit/s",
        "Rate at which the incast arrives; none means the rate of as many other ports as there are senders, the "
        "fastest first.",
        ge=1,
        le=1e17,
        advanced=True,
    )


class Pauses(Document):
    """How often lossless priority groups are paused."""

    probability: float = quantity(
        ..., "1", "Probability that one priority group is paused at a random moment.", ge=0, le=1, symbol="p"
    )
    correlation: float = quantity(
        0.0,
        "1",
        "Correlation between any two groups: 0 independent, near 1 all pause together.",
        ge=0,
        lt=1,
        symbol="ρ",
    )
    target: float = quantity(1e-6, "1", "Allowed probability that the pool overflows.", gt=0, lt=1)


class Marking(Document):
    """Marking at egress queues, against the pause of an ingress priority group."""

    kmin: Size = quantity(..., "B", "Queue at which marking begins.", ge=0, le=1e15)
    kmax: Size = quantity(..., "B", "Queue at which every packet is marked.", ge=0, le=1e15)
    sources: int = quantity(1, "1", "Ports that fill one queue together.", ge=1, le=4096)
    feeds: int = quantity(1, "1", "Queues that one port fills at once.", ge=1, le=65536)
    queues: int = quantity(1, "1", "Egress queues at the marking threshold at once.", ge=1, le=65536)

    @model_validator(mode="after")
    def _ordered(self) -> Marking:
        if self.kmax < self.kmin:
            raise PydanticCustomError("at:kmax", "must be at least kmin")
        if self.queues < self.feeds:
            raise PydanticCustomError("at:queues", "must be at least feeds: a port fills only queues that are filled")
        return self


class Question(Document):
    """A buffer configuration. Build it with ``Question.parse``; values are SI base units once parsed."""

    asic: str | None = Field(
        None, max_length=80, description="Chip: gives memory and cell, and its ports if none are given."
    )
    buffer: Size | None = quantity(
        None,
        "B",
        "Packet memory; none means the chip's usable memory, else its nominal one.",
        ge=1,
        le=1e15,
        symbol="B",
    )
    cell_size: Size | None = quantity(
        None, "B", "Memory allocation unit (cell); none means the chip's.", ge=32, le=65536
    )
    ports: Ports = Field((), description="Ports: 32x100G@300m, or objects; none means the chip's.")
    cable: Length = quantity(
        300.0,
        "m",
        "Cable length of ports that give none.",
        ge=1,
        le=120e3,
        source="Guo et al., SIGCOMM 2016: up to 300 m",
    )
    classes: int = quantity(8, "1", "Queues of each port.", ge=1, le=64)
    lossless_classes: int = quantity(
        2,
        "1",
        "Classes that get headroom on each port.",
        ge=0,
        le=8,
        source="Guo et al., SIGCOMM 2016: with 9 or 12 MB only two fit",
    )
    scheme: AnyScheme = Field(
        default_factory=Sih,
        description=("How headroom is sized: a name, or an object with kind and parameters."),
    )
    compared: Parameters | None = Field(
        None,
        description=(
            "Parameters of the other schemes in the comparison, by scheme and name; as text: sonic.port_mtu=9216."
        ),
    )
    headroom: Size | None = quantity(
        None, "B", "Headroom of each priority group, instead of the scheme's.", ge=0, le=1e15
    )
    mtu: Size = quantity(1500.0, "B", "Largest packet of a lossless class.", ge=64, le=65536, symbol="L")
    reserved_pg: Size = quantity(
        0.0, "B", "Memory kept for each lossless priority group besides headroom.", ge=0, le=1e15
    )
    reserved_queue: Size = quantity(0.0, "B", "Memory kept for each egress queue.", ge=0, le=1e15)
    over_subscribe_ratio: float | None = quantity(
        None,
        "1",
        "Sum of all headroom divided by the size of the shared headroom pool; none means that each group has its own.",
        ge=1,
        le=1024,
    )
    headroom_pool: Size | None = quantity(None, "B", "Shared headroom pool, instead of the ratio.", ge=0, le=1e12)
    private_headroom: Size | None = quantity(
        None,
        "B",
        "Headroom that a lossless port keeps for itself beside a shared pool; none means 10 KiB, as in SONiC, "
        "where the scheme is sonic, else 0.",
        ge=0,
        le=1e15,
        advanced=True,
    )
    management: Size | None = quantity(
        None,
        "B",
        "Memory kept for management; none means 256 KiB, as in SONiC, where the scheme is sonic, else 0.",
        ge=0,
        le=1e15,
        advanced=True,
    )
    mirror: Size | None = quantity(
        None,
        "B",
        "Memory kept for mirrored packets at each port; none means 10 KiB, as in SONiC, where the scheme "
        "is sonic, else 0.",
        ge=0,
        le=1e15,
        advanced=True,
    )
    port_limit: Size | None = quantity(
        None,
        "B",
        "Maximum headroom of one port (SAI: maximum headroom size); none means not checked.",
        gt=0,
        le=1e15,
        advanced=True,
    )
    alpha_lossless: float = quantity(
        0.125,
        "1",
        "Limit of a lossless priority group, as a multiple of the free shared memory.",
        gt=0,
        le=4096,
        symbol="α",
        source=f"{_SAI}; −3 is common",
    )
    alpha_lossy: float = quantity(
        8.0,
        "1",
        "Limit of a lossy queue, as a multiple of the free shared memory.",
        gt=0,
        le=4096,
        symbol="α",
        source=f"{_SAI}; 3 is common",
    )
    congested_lossless: int = quantity(1, "1", "Lossless priority groups at their threshold at once.", ge=0, le=65536)
    congested_lossy: int = quantity(1, "1", "Lossy queues at their threshold at once.", ge=0, le=65536)
    egress_lossy_pool: Size | None = quantity(
        None,
        "B",
        "Pool in which lossy queues are limited at egress; none means one pool for all.",
        ge=0,
        le=1e15,
        advanced=True,
    )
    burst_rate: Rate | None = quantity(
        None,
        "bit/s",
        "Rate at which a burst arrives for one port; none means the rate of all other ports together.",
        ge=1,
        le=1e17,
        advanced=True,
    )
    lossless_share: float | None = quantity(
        None,
        "1",
        "Lossless share of the shared memory in the split by percent; none means lossless classes divided by all "
        "classes.",
        ge=0,
        le=1,
        advanced=True,
    )
    incast: Incast | None = Field(None, description="Incast to absorb.")
    pauses: Pauses | None = Field(None, description="How often priority groups pause, for a shared headroom pool.")
    marking: Marking | None = Field(None, description="Marking thresholds to compare with the pause.")
    pools: Pools = Field((), description="Pools as a switch's configuration has them, to be checked against the chip.")

    @classmethod
    def parse(cls, raw: Any) -> Question:
        """A question from plain data. Raises InvalidInput with the path of every field at fault."""
        if isinstance(raw, Question):
            return raw
        if not isinstance(raw, dict):
            raise InvalidInput.at(
                "", type(raw).__name__, 'a question is an object such as {"asic": "tomahawk", "lossless_classes": 2}'
            )
        spelled = cls.spelled_out(raw)
        try:
            return cls.model_validate(spelled)
        except ValidationError as error:
            raise InvalidInput(problems_of(error, spelled, cls)) from None

    @staticmethod
    def spelled_out(raw: dict[str, Any]) -> dict[str, Any]:
        """``raw`` with what is written in short written out, so that faults can be found in it by their path.

        Raises InvalidInput where a size is in cells that are not known.
        """
        spelled = dict(raw)
        for name, parse in _SHORT.items():
            if name in raw:
                try:
                    spelled[name] = parse(raw[name])
                except PydanticCustomError:  # validation meets it again and says where
                    continue
        return in_bytes(spelled)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in SI base units; parsing it gives the same question."""
        return self.model_dump(mode="json", exclude_unset=True)

    @property
    def shared_headroom(self) -> float | None:
        """Size of the shared headroom pool where it is given, by itself or by the pools [B]."""
        if self.headroom_pool is not None or self.over_subscribe_ratio is not None:
            return self.headroom_pool
        return sum(pool.xoff for pool in self.pools) or None

    @property
    def lossless_pool(self) -> float | None:
        """Largest ingress pool of lossless traffic among the pools given [B]."""
        return max((pool.shared for pool in self.pools if pool.lossless and pool.direction == "ingress"), default=None)

    @property
    def lossy_pool(self) -> float | None:
        """Pool in which lossy queues are limited at egress, given by itself or by the pools [B]; None: one for all."""
        if self.egress_lossy_pool is not None:
            return self.egress_lossy_pool
        return max((pool.size for pool in self.pools if not pool.lossless and pool.direction == "egress"), default=None)

    @field_validator("cell_size")
    @classmethod
    def _whole(cls, value: float | None) -> float | None:
        if value is not None and value != int(value):
            raise PydanticCustomError("quantity", "a cell is a whole number of bytes")
        return value

    @model_validator(mode="after")
    def _possible(self) -> Question:
        if self.asic is None and self.buffer is None:
            raise PydanticCustomError("at:buffer", "name an asic, or give the memory")
        if self.lossless_classes > self.classes:
            raise PydanticCustomError("at:lossless_classes", f"must be at most classes, {self.classes}")
        for i, group in enumerate(self.ports):
            if group.lossless_classes is not None and group.lossless_classes > self.classes:
                raise PydanticCustomError(f"at:ports.{i}.lossless_classes", f"must be at most classes, {self.classes}")
        if self.over_subscribe_ratio is not None and self.headroom_pool is not None:
            raise PydanticCustomError("at:headroom_pool", "give the pool or over_subscribe_ratio, not both")
        for kind in self.compared or ():
            if kind not in SCHEMES.names:
                raise PydanticCustomError(
                    "at:compared", "unknown scheme; known are {names}", {"names": ", ".join(SCHEMES.names)}
                )
        names = [pool.name for pool in self.pools]
        if len(set(names)) < len(names):
            raise PydanticCustomError("at:pools", "two pools have one name")
        return self
