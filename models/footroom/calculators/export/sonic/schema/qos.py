"""The tables of classes, queues, marking and scheduling, and of the ports they hang on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, model_validator

from footroom.calculators.export.sonic.schema.leaves import (
    PLAIN,
    Boolean,
    Leaf,
    Percent,
    Priorities,
    ShortText,
    Text,
    ToScheduler,
    ToWred,
    Uint16,
    Uint32,
    Uint64,
    between,
    pattern,
    whole,
)
from footroom.calculators.export.sonic.schema.table import NAME, Part, Row, Table

_NAME = Part("name", NAME, "letters, digits, - and _, at most 32")
_TC = Part("tc", "1[0-5]|[0-9]", "a traffic class 0 to 15", Leaf("uint8"))
_DSCP = Part("dscp", "6[0-3]|[1-5][0-9]?|[0-9]", "a DSCP 0 to 63")
_PFC = Part("pfc_priority", "[0-7]", "a priority 0 to 7")
_PG = Part("pg", "[0-7]", "a priority group 0 to 7")
_DOT1P = Part("dot1p", "[0-7]", "a priority 0 to 7")


def _queue(last: int) -> Part:
    return Part("qindex", f"[0-{last}]", f"a queue 0 to {last}")


def _map(name: str, module: str, key: Part, value: Part) -> Table:
    return Table(name, module, (_NAME,), entries=(key, value))


class DeviceMetadata(Row):
    """The device; only what decides how buffers are configured is written here."""

    buffer_model: Literal["dynamic", "traditional"] | None = None
    hostname: Text | None = None
    hwsku: Text | None = None
    platform: Text | None = None
    switch_type: (
        Annotated[
            str,
            PLAIN,
            AfterValidator(pattern("chassis-packet|fabric|npu|voq|dpu", "chassis-packet, fabric, npu, voq or dpu")),
        ]
        | None
    ) = None
    type: Text | None = None


class Port(Row):
    """A port. speed: Mb/s."""

    lanes: Annotated[
        str,
        PLAIN,
        AfterValidator(pattern("[0-9]+(,[0-9]+)*", "lane numbers joined by commas")),
        AfterValidator(between(1, 128)),
    ]
    speed: Annotated[str, Leaf("uint32"), AfterValidator(whole(1, 1_600_000))]
    alias: ShortText | None = None
    index: Uint16 | None = None
    mtu: Annotated[str, Leaf("uint16"), AfterValidator(whole(68, 9216))] | None = None
    admin_status: Literal["up", "down"] | None = None
    autoneg: Literal["on", "off"] | None = None
    description: Annotated[str, PLAIN, AfterValidator(between(0, 255))] | None = None
    fec: Literal["rs", "fc", "none", "auto"] | None = None
    pfc_asym: Literal["on", "off"] | None = None
    role: Literal["Ext", "Int", "Inb", "Rec", "Dpc"] | None = None


class Scheduler(Row):
    """How a queue takes turns. cir, pir: bytes or packets per second; cbs, pbs: bytes or packets."""

    type: Literal["DWRR", "WRR", "STRICT"] | None = None
    weight: Annotated[str, Leaf("uint8"), AfterValidator(whole(1, 100))] | None = None
    priority: Annotated[str, Leaf("uint8"), AfterValidator(whole(0, 9))] | None = None
    meter_type: Literal["bytes", "packets"] | None = None
    cir: Uint64 | None = None
    pir: Uint64 | None = None
    cbs: Uint32 | None = None
    pbs: Uint32 | None = None

    @model_validator(mode="after")
    def _bursts_of_rates(self) -> Scheduler:
        cir, pir, cbs, pbs = (None if text is None else int(text) for text in (self.cir, self.pir, self.cbs, self.pbs))
        if pir is not None and cir is not None and pir < cir:
            raise ValueError("pir must not be below cir")
        if cbs is not None and not cir:
            raise ValueError("cbs needs a cir above 0")
        if pbs is not None and (not pir or (cbs is not None and pbs < cbs)):
            raise ValueError("pbs needs a pir above 0, and must not be below cbs")
        return self


class WredProfile(Row):
    """Marking and dropping by queue length. Thresholds [B], probabilities in percent."""

    ecn: (
        Literal[
            "ecn_none",
            "ecn_green",
            "ecn_yellow",
            "ecn_red",
            "ecn_green_yellow",
            "ecn_green_red",
            "ecn_yellow_red",
            "ecn_all",
        ]
        | None
    ) = None
    wred_green_enable: Boolean | None = None
    wred_yellow_enable: Boolean | None = None
    wred_red_enable: Boolean | None = None
    green_min_threshold: Uint64 | None = None
    green_max_threshold: Uint64 | None = None
    green_drop_probability: Percent | None = None
    yellow_min_threshold: Uint64 | None = None
    yellow_max_threshold: Uint64 | None = None
    yellow_drop_probability: Percent | None = None
    red_min_threshold: Uint64 | None = None
    red_max_threshold: Uint64 | None = None
    red_drop_probability: Percent | None = None
    ecn_green_min_threshold: Uint64 | None = None
    ecn_green_max_threshold: Uint64 | None = None
    ecn_green_mark_probability: Percent | None = None
    ecn_yellow_min_threshold: Uint64 | None = None
    ecn_yellow_max_threshold: Uint64 | None = None
    ecn_yellow_mark_probability: Percent | None = None
    ecn_red_min_threshold: Uint64 | None = None
    ecn_red_max_threshold: Uint64 | None = None
    ecn_red_mark_probability: Percent | None = None

    @model_validator(mode="after")
    def _ordered(self) -> WredProfile:
        for colour in ("green", "yellow", "red", "ecn_green", "ecn_yellow", "ecn_red"):
            low, high = getattr(self, f"{colour}_min_threshold"), getattr(self, f"{colour}_max_threshold")
            # YANG compares the maximum with a minimum that is absent, and that is false.
            if high is not None and (low is None or int(high) < int(low)):
                raise ValueError(f"{colour}_max_threshold needs a {colour}_min_threshold that is not above it")
        for colour in ("green", "yellow", "red"):
            marked = self.ecn == "ecn_all" or colour in (self.ecn or "").split("_")
            own = [
                name
                for name in type(self).model_fields
                if name.startswith(f"ecn_{colour}_") and getattr(self, name) is not None
            ]
            if own and not marked:
                raise ValueError(f"{own[0]} needs an ecn that marks {colour}")
        return self


class Queue(Row):
    """The scheduler and the marking of a queue."""

    scheduler: ToScheduler | None = None
    wred_profile: ToWred | None = None


class PortQosMap(Row):
    """The maps of a port, and the priorities on which it pauses."""

    dscp_to_tc_map: Annotated[str, Leaf(refers="DSCP_TO_TC_MAP")] | None = None
    dot1p_to_tc_map: Annotated[str, Leaf(refers="DOT1P_TO_TC_MAP")] | None = None
    tc_to_queue_map: Annotated[str, Leaf(refers="TC_TO_QUEUE_MAP")] | None = None
    tc_to_pg_map: Annotated[str, Leaf(refers="TC_TO_PRIORITY_GROUP_MAP")] | None = None
    tc_to_dscp_map: Annotated[str, Leaf(refers="TC_TO_DSCP_MAP")] | None = None
    pfc_to_queue_map: Annotated[str, Leaf(refers="MAP_PFC_PRIORITY_TO_QUEUE")] | None = None
    pfc_to_pg_map: Annotated[str, Leaf(refers="PFC_PRIORITY_TO_PRIORITY_GROUP_MAP")] | None = None
    pfc_enable: Priorities | None = None
    pfcwd_sw_enable: Priorities | None = None
    scheduler: ToScheduler | None = None


TABLES = (
    Table(
        "DEVICE_METADATA",
        "sonic-device_metadata",
        (Part("localhost", "localhost", "localhost"),),
        DeviceMetadata,
        container=True,
        partial=True,
    ),
    Table("PORT", "sonic-port", (Part("name", ".{1,128}", "a name of at most 128 characters"),), Port, partial=True),
    Table("SCHEDULER", "sonic-scheduler", (Part("name"),), Scheduler),
    Table("WRED_PROFILE", "sonic-wred-profile", (_NAME,), WredProfile),
    Table(
        "QUEUE",
        "sonic-queue",
        (
            Part("ifname", meaning="a port of PORT", leaf=Leaf(refers="PORT", words=("CPU",))),
            Part("qindex", "[0-9]+(-[0-9]+)?", "a queue or a range"),
        ),
        Queue,
    ),
    Table(
        "PORT_QOS_MAP",
        "sonic-port-qos-map",
        (Part("ifname", meaning="a port of PORT, or global", leaf=Leaf(refers="PORT", words=("global",))),),
        PortQosMap,
    ),
    _map("DSCP_TO_TC_MAP", "sonic-dscp-tc-map", _DSCP, _TC),
    _map("DOT1P_TO_TC_MAP", "sonic-dot1p-tc-map", _DOT1P, _TC),
    _map("TC_TO_QUEUE_MAP", "sonic-tc-queue-map", _TC, _queue(9)),
    _map("TC_TO_PRIORITY_GROUP_MAP", "sonic-tc-priority-group-map", _TC, _PG),
    _map("TC_TO_DSCP_MAP", "sonic-tc-dscp-map", _TC, _DSCP),
    _map("MAP_PFC_PRIORITY_TO_QUEUE", "sonic-pfc-priority-queue-map", _PFC, _queue(7)),
    _map("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "sonic-pfc-priority-priority-group-map", _PFC, _PG),
)
