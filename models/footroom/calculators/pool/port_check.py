"""Whether one port stays within the limit of memory per port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.calculators.pool.division import Division
from footroom.calculators.pool.memory import whole
from footroom.calculators.pool.overhead import Extra

if TYPE_CHECKING:
    from footroom.calculators.pool.document import PortCheck


def port_check(division: Division, limit: float, slack: Extra) -> list[PortCheck]:
    """For each kind of port what one of them is given, against ``limit`` [B].

    slack: what switch software adds before it compares [B]. SONiC buffer_check_headroom_mellanox.lua: the port's
    priority groups, 4096 B and two mirrored packets (four with 8 lanes) must stay below SAI's maximum headroom size.
    """
    found: list[PortCheck] = []
    for group in division.groups:
        own = 0.0 if division.pooled else group.headroom
        size = group.lossless * (own + group.reserved + division.reserved_pg) + slack.at(group.wide)
        size += (group.insurance if group.lossless else 0.0) + sum(
            extra.at(group.wide) for extra in division.extras if extra.per_port and extra.name != "mirror"
        )
        found.append({"ports": group.title, "bytes": whole(size), "limit": whole(limit), "feasible": size < limit})
    return found
