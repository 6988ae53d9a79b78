"""What schemes answer in JSON; sizes in bytes."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict


class HeadroomLine(TypedDict):
    """One line of a budget; the lines of a scheme add up to its headroom."""

    name: str
    bytes: float
    source: str
    formula: Annotated[str, Field(description="With its numbers inserted.")]
    part: Annotated[str, Field(description="What it covers: frames, cable, reaction, cells, extra or rounding.")]


class SwitchTotal(TypedDict):
    """What a whole switch sets aside."""

    formula: str
    total: float
    buffer: NotRequired[Annotated[float, Field(description="Packet memory of the switch.")]]
    share: NotRequired[Annotated[float, Field(description="Of that memory.")]]


class SharedMemory(TypedDict):
    """How dynamic shared headroom divides the memory, and when it pauses."""

    queue_pauses: str
    port_pauses: str
    insurance: NotRequired[Annotated[float, Field(description="Of all ports.")]]
    private: NotRequired[Annotated[float, Field(description="Of all queues.")]]
    shared: NotRequired[Annotated[float, Field(description="What is left for all.")]]
    formula: NotRequired[str]
    threshold: NotRequired[Annotated[float, Field(description="T in an empty switch.")]]
    queue_pause: NotRequired[Annotated[float, Field(description="Xqoff in an empty switch.")]]
    port_pause: NotRequired[Annotated[float, Field(description="Xpoff in an empty switch.")]]


class HeadroomPool(TypedDict):
    """A pool that all priority groups draw their headroom from."""

    size: float
    formula: str


class SonicForm(TypedDict):
    """Which form of SONiC's formula was used."""

    name: Annotated[str, Field(description="The year in which it appeared, or the plugin's name.")]
    source: str
    sku: Annotated[
        str | None, Field(description="Switch model whose shipped table gave form and parameters; null for none.")
    ]
    newest: Annotated[bool, Field(description="Whether SONiC's plugin has this form now.")]


class SchemeExtras(TypedDict):
    """What only some schemes answer."""

    form: NotRequired[Annotated[SonicForm, Field(description="Of SONiC's formula, where the scheme is that.")]]
    per: NotRequired[
        Annotated[str, Field(description="What the headroom is kept for, where that is no priority group.")]
    ]
    memory: NotRequired[SwitchTotal]
    sharing: NotRequired[SharedMemory]
    shared_headroom_pool: NotRequired[HeadroomPool]
