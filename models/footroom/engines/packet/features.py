"""Features that a run uses. The loop is compiled once for every variant of the tables, without what the variant lacks.

The functions below are constants where they are compiled, so that the branches they guard cost nothing, neither time
nor memory, where they are never taken. A run gets the first variant that has all it uses, so a new one is a class in
``packet.tables`` and a line here. No variant has both fluid and telemetry.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from footroom.base.compile_cache import helper
from footroom.engines.packet.tables import (
    AllottedTables,
    FluidTables,
    LosslessFluidTables,
    PlainTables,
    RdmaFluidTables,
    SampledTables,
    Tables,
)

LOSSLESS, RDMA, TELEMETRY, SAMPLES, ALLOTMENT = "lossless", "rdma", "telemetry", "samples", "allotment"
FLUID = "fluid"

#: What each variant of the tables has, by the name of its class.
FEATURES: dict[str, tuple[str, ...]] = {
    "PlainTables": (),
    "SampledTables": (SAMPLES,),
    "AllottedTables": (ALLOTMENT,),
    "Tables": (LOSSLESS, RDMA, TELEMETRY, SAMPLES, ALLOTMENT),
    "FluidTables": (SAMPLES, FLUID),
    "RdmaFluidTables": (SAMPLES, RDMA, FLUID),
    "LosslessFluidTables": (LOSSLESS, SAMPLES, RDMA, FLUID),
}
_VARIANTS: tuple[type[Tables], ...] = (
    PlainTables,
    SampledTables,
    AllottedTables,
    Tables,
    FluidTables,
    RdmaFluidTables,
    LosslessFluidTables,
)


def variant(used: set[str]) -> type[Tables]:
    """The tables for a run that makes use of these features."""
    return next(each for each in _VARIANTS if used <= set(FEATURES[each.__name__]))


def variants() -> tuple[tuple[str, ...], ...]:
    """What each variant of the tables has."""
    return tuple(FEATURES.values())


def _has(tables: Any, feature: str) -> Any:
    """Signature and code of the constant that says whether these tables have ``feature``."""
    found = feature in FEATURES[tables.instance_class.__name__]

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.boolean, found)

    return types.boolean(tables), generate


@intrinsic
def lossless(typing: Any, t: Any) -> Any:
    """Whether classes may be paused."""
    return _has(t, LOSSLESS)


@intrinsic
def rdma_hosts(typing: Any, t: Any) -> Any:
    """Whether there are RDMA hosts, and laws with a timer of their own."""
    return _has(t, RDMA)


@intrinsic
def telemetry_asked(typing: Any, t: Any) -> Any:
    """Whether some law asks switches for telemetry."""
    return _has(t, TELEMETRY)


@intrinsic
def rate_samples(typing: Any, t: Any) -> Any:
    """Whether some law uses delivery rates."""
    return _has(t, SAMPLES)


@intrinsic
def allotted_windows(typing: Any, t: Any) -> Any:
    """Whether some receivers set windows for all connections of their host together."""
    return _has(t, ALLOTMENT)


@helper
def allotted(t, c):
    """Whether receivers of class c do so."""
    return allotted_windows(t) and c.allots != 0


@intrinsic
def coupled(typing: Any, t: Any) -> Any:
    """Whether fluid passes some port."""
    return _has(t, FLUID)


@helper
def pausable(t, p):
    """Whether fluid passes port p and may be paused there."""
    return coupled(t) and lossless(t) and p.fluid >= 0


@helper
def over_rdma(t, c):
    """Whether the hosts of class c are RDMA hosts."""
    return rdma_hosts(t) and c.rdma != 0


@helper
def with_telemetry(t, c):
    """Whether data packets of class c carry telemetry."""
    return telemetry_asked(t) and c.telemetry != 0


@helper
def sampled(t, c):
    """Whether the law of class c uses delivery rates."""
    return rate_samples(t) and c.on_sample != 0
