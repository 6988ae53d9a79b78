"""The tables that divide the packet memory."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from footroom.calculators.export.sonic.schema.leaves import (
    Alpha,
    Mtu,
    SmallAlpha,
    SmallPercent,
    ToPool,
    ToProfile,
    ToProfileOrNull,
    ToProfiles,
    Uint16,
    Uint64,
)
from footroom.calculators.export.sonic.schema.table import NAME, PORT, Part, Row, Table

_PG = Part("pg_num", "[0-7](-[0-7])?", "a priority group or a range, such as 3-4")
_QUEUE = Part("qindex", "(1[0-5]|[0-9])(-(1[0-5]|[0-9]))?", "a queue or a range, such as 3-4")
_GROUP = Part("name", NAME, "letters, digits, - and _, at most 32")


class BufferPool(Row):
    """Memory shared by profiles. size: what is shared; xoff: the shared headroom beside it [B]."""

    type: Literal["ingress", "egress", "both"]
    mode: Literal["static", "dynamic"]
    size: Uint64 | None = None
    xoff: Uint64 | None = None
    percentage: SmallPercent | None = None

    @model_validator(mode="after")
    def _one_size(self) -> BufferPool:
        if self.size is not None and self.percentage is not None:
            raise ValueError("percentage and size exclude each other")
        return self


class BufferProfile(Row):
    """What a priority group or queue may take. size: kept for it alone; xoff: headroom; xon, xon_offset [B]."""

    pool: ToPool
    size: Uint64
    static_th: Uint64 | None = None
    dynamic_th: Alpha | None = None
    xon: Uint64 | None = None
    xon_offset: Uint64 | None = None
    xoff: Uint64 | None = None
    headroom_type: Literal["static", "dynamic"] | None = None
    packet_discard_action: Literal["drop", "trim"] | None = None

    @model_validator(mode="after")
    def _one_threshold(self) -> BufferProfile:
        if self.static_th is not None and self.dynamic_th is not None:
            raise ValueError("static_th and dynamic_th exclude each other")
        return self


class BufferPg(Row):
    """The profile of ingress priority groups; NULL lets the switch calculate one."""

    profile: ToProfileOrNull


class BufferQueue(Row):
    """The profile of egress queues."""

    profile: ToProfile


class ProfileList(Row):
    """Profiles of a port as a whole."""

    profile_list: ToProfiles


class DefaultLosslessBufferParameter(Row):
    """What the switch starts from when it calculates lossless profiles itself."""

    default_dynamic_th: SmallAlpha
    over_subscribe_ratio: Uint16 | None = None


class LosslessTrafficPattern(Row):
    """The traffic that calculated headroom is meant for."""

    mtu: Mtu
    small_packet_percentage: SmallPercent


TABLES = (
    Table("BUFFER_POOL", "sonic-buffer-pool", (Part("name"),), BufferPool),
    Table("BUFFER_PROFILE", "sonic-buffer-profile", (Part("name"),), BufferProfile),
    Table("BUFFER_PG", "sonic-buffer-pg", (PORT, _PG), BufferPg),
    Table("BUFFER_QUEUE", "sonic-buffer-queue", (PORT, _QUEUE), BufferQueue),
    Table("BUFFER_PORT_INGRESS_PROFILE_LIST", "sonic-buffer-port-ingress-profile-list", (PORT,), ProfileList),
    Table("BUFFER_PORT_EGRESS_PROFILE_LIST", "sonic-buffer-port-egress-profile-list", (PORT,), ProfileList),
    Table(
        "CABLE_LENGTH",
        "sonic-cable-length",
        (_GROUP,),
        entries=(PORT, Part("length", "[0-9]+m|None", "whole metres such as 300m")),
    ),
    Table(
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "sonic-default-lossless-buffer-parameter",
        (_GROUP,),
        DefaultLosslessBufferParameter,
    ),
    Table("LOSSLESS_TRAFFIC_PATTERN", "sonic-lossless-traffic-pattern", (_GROUP,), LosslessTrafficPattern),
)
