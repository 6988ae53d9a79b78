"""What every traffic kind has: who sends to whom, under which congestion control, on which host stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator, create_model, model_validator
from pydantic_core import PydanticCustomError

from footroom.base.component import Component
from footroom.base.quantity import quantity
from footroom.parts.congestion import RDMA, TCP, Congestion
from footroom.parts.congestion.newreno import NewReno
from footroom.parts.traffic.ground import Drawn, Ground, QueryStream
from footroom.parts.traffic.host import PACKETS, Host

__all__ = ["ANY_LOSSLESS", "OTHER_LOSSLESS", "PACKETS", "Traffic"]

#: The priority of traffic whose connections are spread over the lossless classes at random: over all of them, or over
#: those that no entry of the traffic names.
ANY_LOSSLESS, OTHER_LOSSLESS = "any_lossless", "other_lossless"


def _one_message(given: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """One sentence with all that is accepted, in place of one message per member of a union."""
    if not isinstance(given, bool):
        try:
            return check(given)
        except ValidationError:
            pass
    raise PydanticCustomError("classes", f"must be a whole number from 0 to 7, {ANY_LOSSLESS} or {OTHER_LOSSLESS}")


Priority = Annotated[
    Annotated[int, Field(ge=0, le=7)] | Literal["any_lossless"] | Literal["other_lossless"], WrapValidator(_one_message)
]


if TYPE_CHECKING:

    class _Coupled(Component):
        """A part with the field ``as``, which Python cannot write in a class: ``as`` is a word of its own."""
else:
    _Coupled = create_model(
        "_Coupled",
        __base__=Component,
        **{
            "as": (
                Literal["packets", "fluid"],
                quantity(
                    "packets",
                    "1",
                    "How the hybrid engine models this traffic entry: packet by packet, or as a fluid that shares "
                    "queues with the packets. The other engines ignore it.",
                    advanced=True,
                ),
            )
        },
    )


class Traffic(_Coupled):
    """Base of the traffic kinds. ``sources`` and ``destinations`` name hosts; none leaves it to the topology."""

    #: A kind of traffic is written for the packet engine; one that other engines support as well lists them.
    engines: ClassVar[tuple[str, ...]] = ("packet",)
    #: Whether its flows have unlimited data.
    endless: ClassVar[bool] = False
    #: Counts that fall with the rate of links when a scenario is scaled; none where it cannot be scaled down.
    thinned: ClassVar[tuple[str, ...] | None] = None
    #: Fields that only some engines know, where they differ from their default: field to those engines and the reason
    #: why the others refuse it.
    only: ClassVar[dict[str, tuple[tuple[str, ...], str]]] = {}

    name: str = quantity("", "1", "A label for this traffic entry in results.", max_length=80, advanced=True)
    congestion: Congestion = Field(default_factory=NewReno, description="Congestion control of this traffic entry.")
    host: Host = Field(default_factory=Host, description="Host options of this traffic entry.")
    priority: Priority = quantity(
        0,
        "1",
        "Class of the data packets: the queue they wait in at every port; strict priority serves the highest number "
        "first. any_lossless draws one of the lossless classes for each connection, other_lossless one of those "
        "that no traffic entry names.",
        advanced=True,
    )
    sources: tuple[str, ...] | None = quantity(
        None,
        "1",
        "Names of the sending hosts; none means the topology's senders.",
        min_length=1,
        max_length=100_000,
        advanced=True,
    )
    destinations: tuple[str, ...] | None = quantity(
        None,
        "1",
        "Names of the receiving hosts; none means the topology's receivers.",
        min_length=1,
        max_length=100_000,
        advanced=True,
    )

    @property
    def fluid(self) -> bool:
        """Whether the engine hybrid takes it as a fluid."""
        return getattr(self, "as") == "fluid"  # type: ignore[no-any-return]

    def recovery_of(self) -> str:
        """Loss recovery of its hosts: as they say, or the usual one of what the congestion control runs on."""
        return self.host.recovery or self.congestion.repaired_by()[0]

    def telemetry_of(self) -> Literal["none", "data", "probe"]:
        """What carries telemetry: nothing, every data packet, or a probe once per round trip, which TCP alone has."""
        law = self.congestion
        if not law.telemetry():
            return "none"
        return "probe" if law.probes() and self.recovery_of() in TCP else "data"

    def overhead_of(self) -> int:
        """Bytes of header that telemetry takes of each data packet and acknowledgement."""
        return self.congestion.overhead() if self.telemetry_of() == "data" else 0

    @model_validator(mode="after")
    def _recovers(self) -> Self:
        law = self.congestion
        if self.recovery_of() not in law.repaired_by():
            raise PydanticCustomError(
                "at:host.recovery",
                f"{law.about.title} runs over {'RDMA' if law.recoveries == RDMA else 'TCP'}: "
                f"leave it out, or choose {' or '.join(law.repaired_by())}",
            )
        if self.recovery_of() in RDMA:
            if self.host.rate_limit is not None:
                raise PydanticCustomError(
                    "at:host.rate_limit", f"leave it out: {law.about.title} alone paces the flows of RDMA hosts"
                )
            if getattr(self, "window", None) is not None:
                raise PydanticCustomError("at:window", "leave it out: flows of RDMA hosts start at line rate")
        return self

    @model_validator(mode="after")
    def _ends_slow_start(self) -> Self:
        if self.host.hystart == "rfc9406" and self.congestion.kind != "cubic":
            raise PydanticCustomError(
                "at:host.hystart", "HyStart++ is only there for CUBIC: choose cubic as congestion control, or none"
            )
        return self

    def lasting(self) -> int:
        """Pairs of hosts that send for the whole run; a topology without a number of pairs has one for each."""
        return 0

    def converges(self) -> bool:
        """Whether all its bytes go to one host, whatever the topology's load refers to."""
        return False

    def open_loop(self) -> bool:
        """Whether flows arrive and end between hosts drawn at random."""
        return False

    def offered_load(self) -> float:
        """Load that arrives whatever the network does, 0 where it waits for the network."""
        return 0.0

    def keeps_connections(self) -> bool:
        """Whether a connection may carry several of its flows, one after the other."""
        return False

    def query_stream(self) -> QueryStream | None:
        """The stream of queries that its connections carry, with a limit on those under way; none where they do not."""
        return None

    def steps(self) -> tuple[float, ...]:
        """Times [s] at which its flows join or leave one after the other, in order; none where they do not."""
        return ()

    def latest_start(self) -> float:
        """Time [s] by which it is sure to have begun."""
        raise NotImplementedError

    def work(self, capacity: float, rtt: float, duration: float) -> tuple[float, float]:
        """Flows, and bytes of payload, to expect in ``duration`` [s]; an upper bound where the network decides.

        capacity: what a load refers to [bit/s].  rtt: round trip [s].  Bytes are infinite for flows without an end.
        """
        raise NotImplementedError

    def at_first(self) -> float:
        """Packets that all lasting flows together may send before anything is acknowledged."""
        return float(self.lasting() * self.host.initial_window)

    def draw(self, ground: Ground) -> Drawn:
        """Its flows on ``ground``. Raises InvalidInput where they do not fit that network or run."""
        raise NotImplementedError
