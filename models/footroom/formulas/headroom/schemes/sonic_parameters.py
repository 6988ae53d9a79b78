"""Parameters of SONiC's headroom formula, under SONiC's own names."""

from __future__ import annotations

from typing import Literal

from footroom.base.quantity import Rate, Size, Time, quantity
from footroom.formulas.headroom.schemes.forms import FORMS, KIB, NEWEST, Form
from footroom.formulas.headroom.schemes.parameters import GearboxDelay, PeerResponse, PortMemory

_TABLE = "sonic-buildimage platform/mellanox/asic_table.j2"
_PATTERN = "SONiC LOSSLESS_TRAFFIC_PATTERN, sonic-buildimage files/build_templates/buffers_config.j2"
_DEFAULT = "SONiC DEFAULT_LOSSLESS_BUFFER_PARAMETER"
_SHIPPED = "needed to explain shipped tables"


class SonicParameters(GearboxDelay, PeerResponse, PortMemory):
    """All parameters; a rule left out is that of the form."""

    form: Literal["2020", "2021", "2024", "2026", "barefoot"] | None = quantity(
        None,
        "1",
        "Form of SONiC's formula, by the year it was published, with SONiC's default parameters. Where "
        "not given: the form and parameters of the chip's shipped tables, without such a chip the "
        "newest form.",
        source="sonic-net/sonic-swss cfgmgr",
    )
    sku: str | None = quantity(
        None,
        "1",
        "Switch model (SONiC's HWSKU) whose shipped table gives form and parameters; the chip's usual one "
        "when not given.",
        max_length=80,
        source="sonic-net/sonic-buildimage device/*/pg_profile_lookup.ini",
    )
    port_mtu: Size = quantity(
        9100.0,
        "B",
        "MTU of the port, whatever the class.",
        ge=64,
        le=65536,
        source="SONiC's default; shipped tables used 9216 B",
    )
    lossless_mtu: Size = quantity(
        1024.0, "B", "Largest packet of the lossless traffic, as configured in SONiC.", ge=64, le=65536, source=_PATTERN
    )
    small_packet_percentage: float = quantity(
        50.0, "1", "Percentage of 64 B packets in the lossless traffic.", ge=0, le=100, source=_PATTERN
    )
    lanes: int | None = quantity(
        None,
        "1",
        "Serial lanes of the port; with 8, xon doubles and a port MTU is added. If omitted, 8 where four lanes of the "
        "chip are too slow for the port, else 4.",
        ge=1,
        le=16,
    )
    lane_rate: Rate | None = quantity(
        None,
        "bit/s",
        "Fastest lane of the chip; by chip when not given.",
        ge=1e9,
        le=1e12,
        advanced=True,
        source="lanes of shipped tables, whose xon doubles",
    )
    pipeline_latency: Size = quantity(
        19.0 * KIB, "B", "Bytes in the chip's pipeline; sets xon.", ge=0, le=1e7, source=_TABLE
    )
    mac_phy_delay: Size = quantity(0.8 * KIB, "B", "Bytes in MAC and PHY.", ge=0, le=1e7, source=_TABLE)
    peer_response_time: Size = quantity(
        3.8 * KIB,
        "B",
        "Bytes that the peer sends before it stops, where SONiC has no quanta for the speed.",
        ge=0,
        le=1e7,
        source=_TABLE,
    )
    over_subscribe_ratio: float = quantity(
        0.0,
        "1",
        "Sum of all headroom divided by the size of the shared headroom pool; 0 for no pool.",
        ge=0,
        le=1024,
        source=_DEFAULT,
    )
    shared_headroom_pool: Size | None = quantity(
        None,
        "B",
        "Size of the shared headroom pool, where it is given in bytes.",
        ge=0,
        le=1e12,
        source="SONiC BUFFER_POOL xoff",
    )
    priority_groups: int = quantity(
        2, "1", "Lossless priority groups per port, for the shared headroom pool.", ge=1, le=8, source="SONiC: 3 and 4"
    )
    tile_delay: Time = quantity(
        0.0,
        "s",
        "Delay of a tile inside the chip: 120 ns on Spectrum-4 and 5.",
        ge=0,
        le=1e-3,
        advanced=True,
        source="sonic-swss pull request 3235",
    )
    extra_headroom: Size = quantity(
        0.0,
        "B",
        "Headroom added for the chip: 18 KiB on Spectrum-6.",
        ge=0,
        le=1e7,
        advanced=True,
        source="sonic-swss pull request 4797",
    )
    small_packet_rule: Literal["bytes", "packets"] | None = quantity(
        None,
        "1",
        "Convert the small-packet percentage into a share of bytes; by form when not given.",
        advanced=True,
        source="sonic-swss pull request 3235",
    )
    share_mtu: Size | None = quantity(
        None,
        "B",
        "Size of the packets that are not small in that share; the lossless MTU when not given.",
        ge=64,
        le=65536,
        advanced=True,
        source=_SHIPPED,
    )
    whole_factor: bool | None = quantity(
        None,
        "1",
        "Round the worst-case cell factor up; by form when not given.",
        advanced=True,
        source="sonic-swss pull request 3235",
    )
    response_rule: Literal["quanta", "table_quanta", "constant"] | None = quantity(
        None,
        "1",
        "Whether the peer's response follows the quanta of SONiC's plugin, those of shipped tables (the "
        "same to 400 Gb/s, then its time: 1810 at 800 Gb/s), or peer_response_time; by form when not given.",
        advanced=True,
        source=_SHIPPED,
    )

    @property
    def form_used(self) -> Form:
        """The form named, else the newest."""
        return FORMS[self.form or NEWEST]

    def lanes_at(self, speed: float) -> int:
        """Lanes of a port of that speed [bit/s]: as given, else by the chip's fastest lane, else 4."""
        if self.lanes is not None:
            return self.lanes
        return 8 if self.lane_rate is not None and speed > 4 * self.lane_rate * (1 + 1e-9) else 4
