"""The forms that SONiC's headroom formula has had, as sets of rules."""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True)
class Form:
    """One form of the formula.

    small_packet_rule: ``bytes`` when the share of small packets is turned into a share of bytes, ``packets`` when the
    percentage is used as it stands.  whole_factor: the worst-case cell factor is rounded up.  binary: bytes on the
    cable are divided by 1.024.  binary_gearbox: so are those in a gearbox.  response_rule: ``quanta`` by speed, or the
    ``constant`` peer_response_time.  tile: the chip's tile delay counts.  lane_trim: taken off the doubled pipeline
    latency of 8-lane ports [B].  compensation: added when the percentage saves more than that against the worst case
    [B].  chip_extra: the chip's extra headroom counts.  doubled_at: speed at which the response counts twice [bit/s].
    size_is_xon: only xon is set aside per priority group, whatever the pool.
    """

    name: str
    source: str
    small_packet_rule: str = "packets"
    whole_factor: bool = False
    binary: bool = False
    binary_gearbox: bool = False
    response_rule: str = "quanta"
    tile: bool = False
    lane_trim: int = 0
    compensation: int = 0
    chip_extra: bool = False
    doubled_at: float | None = None
    size_is_xon: bool = False


_LUA = "sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
FORMS = {
    form.name: form
    for form in (
        Form(
            "2020",
            "shipped tables of 2020; SONiC doc/qos/dynamically-headroom-calculation.md",
            response_rule="constant",
            lane_trim=KIB,
        ),
        Form("2021", f"{_LUA} before pull request 3235", binary=True, binary_gearbox=True, lane_trim=KIB),
        Form(
            "2024",
            f"{_LUA} since pull request 3235 (October 2024)",
            small_packet_rule="bytes",
            whole_factor=True,
            binary_gearbox=True,
            tile=True,
        ),
        Form(
            "2026",
            f"{_LUA} since pull requests 4757 and 4797 (July 2026)",
            small_packet_rule="bytes",
            whole_factor=True,
            binary_gearbox=True,
            tile=True,
            compensation=2 * KIB,
            chip_extra=True,
        ),
        Form(
            "barefoot",
            "sonic-swss cfgmgr/buffer_headroom_barefoot.lua",
            binary=True,
            binary_gearbox=True,
            doubled_at=400e9,
            size_is_xon=True,
        ),
    )
}
#: The form that SONiC's current plugin has.
NEWEST = "2026"
