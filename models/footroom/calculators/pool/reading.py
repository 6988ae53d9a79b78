"""Whether the size of a pool counts its headroom and reserves, where a configuration does not say.

SAI's text says that it does (SAI #980; on reserves sonic-buildimage #4686). Broadcom's software leaves the headroom
out on the chips of ``LEAVES_OUT``. Of other chips, configurations ship whose size and headroom together exceed the
memory, so that they only work if the size counts both.
"""

from __future__ import annotations

from dataclasses import dataclass

from footroom.calculators.pool.memory import Memory
from footroom.calculators.pool.pools import PoolSize, check_pools

_SHIPPED = "size and xoff of shipped configurations add up to the memory"
_MELLANOX = "SONiC buffer_pool_mellanox.lua subtracts the shared headroom before it sets the size"
#: Chips whose pools are known to leave the headroom out of their size, by id, and how that is known.
LEAVES_OUT = {
    "tomahawk": _SHIPPED,
    "tomahawk2": _SHIPPED,
    "trident3-x5": _SHIPPED,
    "trident3-x7": _SHIPPED,
    "tomahawk6": "a switch refused the other reading (sonic-buildimage #28657)",
    **{f"spectrum{number}": _MELLANOX for number in ("", "-2", "-3", "-4", "-5", "-6")},
}


@dataclass(frozen=True)
class Reading:
    """pools: with ``includes_xoff`` set wherever it was settled here.  note: how, empty when nothing was settled."""

    pools: tuple[PoolSize, ...]
    note: str = ""


def read_pools(pools: tuple[PoolSize, ...], memory: Memory, reserved: float, asic: str | None) -> Reading:
    """Settle what ``includes_xoff`` leaves open.

    The size is taken to leave the headroom out. Where that does not fit ``memory`` beside ``reserved`` bytes, the other
    reading does, and the chip of id ``asic`` is not known to leave it out, the size is taken to count it. Without a
    chip the stricter reading stays.
    """
    unsaid = [pool for pool in pools if pool.direction == "ingress" and pool.xoff and pool.includes_xoff is None]
    if not unsaid or not check_pools(pools, memory, reserved).problems:
        return Reading(pools)
    names = tuple(pool.name for pool in unsaid)
    counted = tuple(
        pool.model_copy(update={"includes_xoff": True}) if pool.name in names and pool.xoff <= pool.size else pool
        for pool in pools
    )
    if check_pools(counted, memory, reserved).problems:
        return Reading(pools)
    how = f"the size of {', '.join(names)}"
    if asic is None or asic in LEAVES_OUT:
        why = "no chip is named" if asic is None else f"on {asic} it does not: {LEAVES_OUT[asic]}"
        return Reading(pools, f"it would fit if {how} counted xoff; {why}; includes_xoff says that it does")
    return Reading(
        counted,
        f"{how} is taken to count xoff and what is reserved: beside it they exceed the memory of "
        f"{asic}, inside it they fit. Ask your vendor; includes_xoff settles it",
    )
