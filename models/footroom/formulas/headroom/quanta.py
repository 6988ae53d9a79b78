"""How long the peer takes to stop: response times by speed, in pause quanta, each with its source.

IEEE 802.3 Annex 31B.3.7 bounds the time from a PAUSE frame's arrival to the last frame's start. The annex itself was
not at hand; the figures are those that implementations and shipped tables carry, named with each entry.
"""

from __future__ import annotations

from dataclasses import dataclass

_BUDGET = "IEEE 802.3 31B.3.7, as restated in 'Congestion in Storage Networks' (Cisco Press), ch. 7"
_TABLE = "the 1158 ns of 400 Gb/s kept, as shipped headroom of Tomahawk 6 (Micas) has it to the byte"
_TABLES = _TABLE.replace("Tomahawk 6 (Micas) has", "Tomahawk 6 (Micas) and Spectrum-6 have")
_PLUGIN = "IEEE 802.3 31B.3.7, as carried by sonic-swss cfgmgr/buffer_headroom_mellanox.lua"


@dataclass(frozen=True)
class Response:
    """Limits at one speed.

    speed [bit/s].  quanta: the peer's response, 512 bit times each.  interface: MAC and PHY at the end that pauses [s].
    """

    speed: float
    quanta: float
    source: str
    interface: float
    interface_source: str


_RESTATED = "sublayer delay limits of IEEE 802.3, as restated in 'Congestion in Storage Networks' (Cisco Press), ch. 7"
RESPONSES = (
    Response(1e9, 2, _PLUGIN, 8192 / 10e9, "assumed: the time of 10 Gb/s; no figure at hand"),
    Response(10e9, 60, _BUDGET + " (SONiC carries 67)", 8192 / 10e9, _RESTATED),
    Response(25e9, 80, _BUDGET, 6144 / 25e9, _RESTATED),
    Response(40e9, 118, _BUDGET, 24576 / 40e9, _RESTATED),
    Response(50e9, 147, _PLUGIN, 24576 / 40e9, "assumed: the time of 40 Gb/s; no figure at hand"),
    Response(100e9, 394, _BUDGET, 122880 / 100e9, _RESTATED),
    Response(200e9, 453, _PLUGIN, 122880 / 100e9, "assumed: the time of 100 Gb/s; no figure at hand"),
    Response(400e9, 905, _BUDGET, 122880 / 100e9, "assumed: the time of 100 Gb/s; no figure at hand"),
    Response(
        800e9,
        1810,
        _TABLES + ". SONiC's plugin has 905",
        122880 / 100e9,
        "assumed: the time of 100 Gb/s; no figure at hand",
    ),
    Response(1.6e12, 3620, _TABLE, 122880 / 100e9, "assumed: the time of 100 Gb/s; no figure at hand"),
)

#: Speeds between which implementations carry response limits of the standard [bit/s].
CARRIED = (1e9, 800e9)


def response_at(speed: float) -> Response:
    """The limits at ``speed`` [bit/s]; between two speeds those of the faster one, which are the larger."""
    return next(entry for entry in RESPONSES if speed <= entry.speed * (1 + 1e-9))


#: Quanta that SONiC's plugins look up by speed [bit/s]; any other speed falls back to a constant.
SONIC_QUANTA: dict[float, float] = {
    1e8: 1,
    1e9: 2,
    10e9: 67,
    25e9: 80,
    40e9: 118,
    50e9: 147,
    100e9: 394,
    200e9: 453,
    400e9: 905,
    800e9: 905,
}

#: Quanta behind a shipped table of Tomahawk 6 (Micas M2-W6950): in all 54 rows, 10 Gb/s to 1.6 Tb/s.
TABLE_QUANTA: dict[float, float] = {**SONIC_QUANTA, 800e9: 1810, 1.6e12: 3620}


def table_quanta_at(speed: float) -> float:
    """The table's quanta at ``speed`` [bit/s]; between two speeds those of the faster one."""
    return next(quanta for known, quanta in sorted(TABLE_QUANTA.items()) if speed <= known * (1 + 1e-9))
