"""How much of the headroom that is set aside was ever used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from footroom.base.plain import plain


@dataclass(frozen=True)
class HeadroomUsed:
    """Headroom of one priority group, or of one port where its classes share it."""

    port: Annotated[str, Field(description="Port that its packets come in by, from>to.")]
    traffic_class: Annotated[
        int | None, Field(alias="class", description="Class of traffic; null for all classes of the port (DSH).")
    ]
    reserved: Annotated[int, Field(description="Set aside for it [B]; out of the pool where there is one.")]
    most: Annotated[
        int,
        Field(
            description="Most that it held at any time [B]; it may exceed what is set aside by the allowance for the "
            "packet that crosses the limit."
        ),
    ]

    def to_dict(self) -> Any:
        """Plain data."""
        return plain(self)


class SwitchHeadroom(TypedDict):
    """One switch with lossless classes: what headroom is set aside, and the most that was used."""

    switch: str
    reserved: Annotated[int, Field(description="All headroom that is set aside [B].")]
    most: Annotated[int, Field(description="Most that all groups held at one time [B].")]
    pooled: Annotated[bool, Field(description="Whether the groups share a pool.")]
    groups: Annotated[int, Field(description="Groups, or ports, that headroom is set aside for.")]
    never_used: Annotated[int, Field(description="How many of them never held any.")]
    used: Annotated[list[HeadroomUsed], Field(description="The others, those that held most first.")]


def of_switch(switch: str, reserved: int, most: int, pooled: bool, groups: Sequence[HeadroomUsed]) -> SwitchHeadroom:
    """One switch as plain data. groups: all of them; those that never held any are only counted."""
    used = sorted((group for group in groups if group.most), key=lambda group: -group.most)
    return {
        "switch": switch,
        "reserved": reserved,
        "most": most,
        "pooled": pooled,
        "groups": len(groups),
        "never_used": len(groups) - len(used),
        "used": [group.to_dict() for group in used],
    }
