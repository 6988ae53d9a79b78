"""Memory that switch software sets aside besides headroom and reserved queues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from footroom.headroom.schemes import Scheme, Sonic

_KIB = 1024.0
_LUA = "SONiC buffer_pool_mellanox.lua"


@dataclass(frozen=True)
class Extra:
    """name, title: as of the line.  each: bytes per place [B].  per_port: whether every port has one, else the chip."""

    name: str
    title: str
    each: float
    per_port: bool
    source: str


@dataclass(frozen=True)
class Overhead:
    """extras: what is set aside.  private: headroom of a lossless port beside a shared headroom pool [B].  port_slack:
    added to what one port is given before that is held against the port's limit [B].
    """

    extras: tuple[Extra, ...] = ()
    private: float = 0.0
    port_slack: float = 0.0


def _of_sonic(scheme: Sonic, asic: str) -> Overhead:
    """SONiC on Spectrum; from Spectrum-6 on no mirror buffer but a pool of descriptors."""
    newer = asic == "spectrum-6"
    found = [
        Extra("management", "Management pool", 256 * _KIB, False, _LUA),
        Extra("lossy_pg", "Lossy priority group of each port", scheme.pipeline_latency, True,
              f"{_LUA}: pipeline latency, one lossy group per port"),
        Extra("management_pg", "Management priority group of each port", scheme.pipeline_latency, True,
              f"{_LUA}: pipeline latency"),
        Extra("descriptors", "Modification descriptors", 32 * _KIB * _KIB, False, _LUA) if newer else
        Extra("mirror", "Mirrored packets of each port", 10 * _KIB, True, _LUA),
    ]
    return Overhead(tuple(found), 10 * _KIB, 4096.0 + 20 * _KIB)


#: By scheme; a scheme that is not here sets nothing aside.
_OVERHEADS: dict[type[Scheme], Callable[..., Overhead]] = {Sonic: _of_sonic}


def overhead_of(scheme: Scheme, asic: str) -> Overhead:
    """What goes with ``scheme`` on the chip of that id."""
    found = _OVERHEADS.get(type(scheme))
    return Overhead() if found is None else found(scheme, asic)
