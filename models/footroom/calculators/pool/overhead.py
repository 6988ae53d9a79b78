"""Memory that switch software sets aside besides headroom and reserved queues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from footroom.formulas.headroom.schemes import Scheme, Sonic

_KIB = 1024.0
_LUA, _CHECK = "SONiC buffer_pool_mellanox.lua", "SONiC buffer_check_headroom_mellanox.lua"


@dataclass(frozen=True)
class Extra:
    """name, title: as of the line.  each: bytes per place [B].  per_port: whether every port has one, else the chip.
    wide: bytes at a port of 8 lanes, where that is more [B].
    """

    name: str
    title: str
    each: float
    per_port: bool
    source: str
    wide: float | None = None

    def at(self, wide: bool) -> float:
        """Bytes at a port, wide (of 8 lanes) or not [B]."""
        return self.wide if wide and self.wide is not None else self.each


@dataclass(frozen=True)
class Overhead:
    """extras: what is set aside.  private: headroom of a lossless port beside a shared headroom pool [B].  slack: added
    to what one port is given before that is checked against the port's limit [B].  is_wide: whether ports of that speed
    [bit/s] have 8 lanes.
    """

    extras: tuple[Extra, ...] = ()
    private: float = 0.0
    slack: Extra = Extra("slack", "Slack of one port", 0.0, True, "")
    is_wide: Callable[[float], bool] = lambda _: False


def _of_sonic(scheme: Sonic, asic: str) -> Overhead:
    """SONiC on Spectrum; from Spectrum-6 on no mirror buffer but a pool of descriptors."""
    newer = asic == "spectrum-6"
    latency, twice = scheme.pipeline_latency, 2 * scheme.pipeline_latency - _KIB
    found = [
        Extra("management", "Management pool", 256 * _KIB, False, _LUA),
        Extra(
            "lossy_pg",
            "Lossy priority group of each port",
            latency,
            True,
            f"{_LUA}: pipeline latency, one lossy group per port; twice less 1 KiB with 8 lanes",
            twice,
        ),
        Extra(
            "management_pg",
            "Management priority group of each port",
            latency,
            True,
            f"{_LUA}: pipeline latency; twice less 1 KiB with 8 lanes",
            twice,
        ),
        Extra("descriptors", "Modification descriptors", 32 * _KIB * _KIB, False, _LUA)
        if newer
        else Extra("mirror", "Mirrored packets of each port", 10 * _KIB, True, _LUA),
    ]
    slack = Extra("slack", "Slack of one port", 4096.0 + 20 * _KIB, True, _CHECK, 4096.0 + 40 * _KIB)
    return Overhead(tuple(found), 10 * _KIB, slack, lambda speed: scheme.lanes_at(speed) == 8)


#: By scheme; a scheme that is not here sets nothing aside.
_OVERHEADS: dict[type[Scheme], Callable[..., Overhead]] = {Sonic: _of_sonic}


def overhead_of(scheme: Scheme, asic: str) -> Overhead:
    """What switch software sets aside with ``scheme`` on the chip of that id."""
    found = _OVERHEADS.get(type(scheme))
    return Overhead() if found is None else found(scheme, asic)
