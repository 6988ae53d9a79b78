"""How much of the headroom that is set aside was ever used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Used:
    """Headroom of one priority group, or of one port where its classes share it.

    port: that packets come in by, ``from>to``.  traffic_class: theirs, None for all of the port.  reserved: set aside
    for it [B]; out of the pool where there is one.  most: most that it held at any time [B], which may exceed that by
    the allowance for the packet that crosses the limit.
    """

    port: str
    traffic_class: int | None
    reserved: int
    most: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data; the class under the key ``class``."""
        return {("class" if name == "traffic_class" else name): value for name, value in asdict(self).items()}


def of_switch(switch: str, reserved: int, most: int, pooled: bool, groups: Sequence[Used]) -> dict[str, Any]:
    """One switch as plain data, the groups that used most of theirs first.

    reserved: all headroom that is set aside [B], of the pool where there is one (``pooled``).  most: the most that all
    groups held at one time [B].  groups: all of them; those that never held any are only counted.
    """
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
