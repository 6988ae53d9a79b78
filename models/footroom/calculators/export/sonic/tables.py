"""A configuration in SONiC's tables. Every value is a string."""

from __future__ import annotations

import math
from collections.abc import Iterable

from footroom.base.errors import Infeasible
from footroom.calculators.export.alpha import round_alpha
from footroom.calculators.export.configuration import Configuration, PriorityGroup, Threshold
from footroom.calculators.export.sonic.lookup import Row
from footroom.calculators.export.sonic.thresholds import POWERS, powers_of

#: Rows by name, of tables by name.
Tables = dict[str, dict[str, dict[str, str]]]

#: Names that SONiC's own software looks for.
POOL, EGRESS_LOSSLESS, EGRESS_LOSSY, GROUP = (
    "ingress_lossless_pool",
    "egress_lossless_pool",
    "egress_lossy_pool",
    "AZURE",
)
WRED, SCHEDULERS = "AZURE_LOSSLESS", ("scheduler.0", "scheduler.1")
#: Traffic class by DSCP in SONiC's qos_config.j2, beside those of lossless priorities; every other DSCP is class 1.
_DSCP = {5: 2, 8: 0, 46: 5, 48: 6}
_COMMON = 1
#: Vendors whose switches take profiles of whole ports and a map from priorities to priority groups
#: (sonic-buildimage, qos_config.j2: pfc_to_pg_map_supported_asics).
_PORT_PROFILES = ("NVIDIA", "Intel/Barefoot")


class _Writer:
    """Builds the tables of one configuration; thresholds are rounded once, with one note."""

    def __init__(self, configuration: Configuration) -> None:
        self.c = configuration
        self.powers = powers_of(configuration.asic)
        self.port_profiles = configuration.asic is not None and configuration.asic.vendor in _PORT_PROFILES
        self.egress_lossy = self._egress_lossy()
        #: Whether the switch makes the lossless profiles itself.
        self.calculated = configuration.dynamic and not configuration.overridden
        self.lossless_th = self._threshold(
            configuration.lossless_threshold, "alpha of lossless priority groups", configuration.pool
        )
        self.lossy_th = self._threshold(configuration.lossy_threshold, "alpha of lossy queues", self.egress_lossy)

    def _egress_lossy(self) -> int:
        """The egress pool of lossy queues: what is shared, less what is kept for queues alone."""
        c = self.c
        kept = len(c.ports) * 8 * c.queue_reserved
        size = min(c.pool, c.memory - kept) // c.cell * c.cell
        if size < c.cell:
            raise Infeasible(
                f"{c.queue_reserved} B kept for each of {len(c.ports) * 8} queues take {kept} B of the "
                f"{c.memory} B there are; at most {c.memory // (len(c.ports) * 8)} B each fit"
            )
        c.ledger.assume(
            "egress_lossy_pool",
            size,
            "B",
            "as large as the shared pool, less what queues keep: what limits a lossy queue is its threshold",
            "as shipped for switches without lossless traffic",
        )
        return size

    def _threshold(self, threshold: Threshold, what: str, pool: int) -> tuple[str, str]:
        if threshold.alpha is None:
            return "static_th", str(min(threshold.limit or pool, pool))
        rounded = round_alpha(threshold.alpha, self.powers, what)
        if rounded.note:
            self.c.ledger.warn(rounded.note)
        self.c.ledger.assume(
            f"dynamic_th ({what})",
            rounded.exponent,
            "1",
            f"2^{rounded.exponent} = {rounded.taken:g}, the power of two nearest to {threshold.alpha:g}",
            self.powers.source,
        )
        return "dynamic_th", str(rounded.exponent)

    def pools(self) -> dict[str, dict[str, str]]:
        c = self.c
        ingress = {"type": "ingress", "mode": "dynamic"}
        lossy = {"type": "egress", "mode": "dynamic"}
        if not c.dynamic:
            ingress["size"], lossy["size"] = str(c.pool), str(self.egress_lossy)
        if c.pooled and not (c.dynamic and c.ratio is not None):
            ingress["xoff"] = str(c.headroom_pool)
        found = {POOL: ingress, EGRESS_LOSSY: lossy}
        if c.lossless:
            found[EGRESS_LOSSLESS] = {"type": "egress", "mode": "static", "size": str(c.memory)}
        return found

    def profiles(self) -> dict[str, dict[str, str]]:
        c, kept = self.c, str(self.c.queue_reserved)
        found = {
            "ingress_lossy_profile": {"pool": POOL, "size": "0", "static_th": str(c.memory)},
            "egress_lossy_profile": {"pool": EGRESS_LOSSY, "size": kept, self.lossy_th[0]: self.lossy_th[1]},
        }
        if not c.lossless:
            return found
        found["egress_lossless_profile"] = {"pool": EGRESS_LOSSLESS, "size": kept, "static_th": str(c.memory)}
        if self.port_profiles:
            found["ingress_lossless_profile"] = {"pool": POOL, "size": "0", "dynamic_th": str(POWERS.highest)}
        if not self.calculated:
            found |= {profile_name(speed, cable): self._lossless(group) for (speed, cable), group in c.groups.items()}
        return found

    def _lossless(self, group: PriorityGroup) -> dict[str, str]:
        row = {
            "pool": POOL,
            "size": str(self.size_of(group)),
            self.lossless_th[0]: self.lossless_th[1],
            "xon": str(group.xon),
            "xoff": str(group.xoff),
        }
        return row | ({"xon_offset": str(group.xon_offset)} if group.xon_offset else {})

    def size_of(self, group: PriorityGroup) -> int:
        """What is set aside for a group: with pooled headroom only what is kept for it, else the headroom too."""
        return group.reserved + (0 if self.c.pooled else group.xoff)

    def lookup(self) -> list[Row]:
        """Rows of the lookup file. Its threshold column has exponents; a fixed limit cannot stand there."""
        exponent = int(self.lossless_th[1]) if self.lossless_th[0] == "dynamic_th" else self.powers.highest
        return [
            Row(speed, f"{cable}m", self.size_of(group), group.xon, group.xoff, exponent, group.xon_offset)
            for (speed, cable), group in self.c.groups.items()
        ]

    def ports(self) -> Tables:
        """The tables with a row for each port."""
        c = self.c
        pg: dict[str, dict[str, str]] = {}
        queue: dict[str, dict[str, str]] = {}
        served: dict[str, dict[str, str]] = {}
        qos: dict[str, dict[str, str]] = {"global": {"dscp_to_tc_map": GROUP}}
        for port in c.ports:
            pg[f"{port.name}|{c.lossy[0]}"] = {"profile": "ingress_lossy_profile"}
            profile = "NULL" if self.calculated else profile_name(port.speed, port.cable)
            pg |= {f"{port.name}|{span}": {"profile": profile} for span in spans(c.lossless)}
            queue |= {f"{port.name}|{span}": {"profile": "egress_lossless_profile"} for span in spans(c.lossless)}
            queue |= {f"{port.name}|{span}": {"profile": "egress_lossy_profile"} for span in spans(c.lossy)}
            for index in range(8):
                marked = c.ecn is not None and (index in c.lossless or not c.lossless)
                served[f"{port.name}|{index}"] = {"scheduler": SCHEDULERS[index in c.lossless]} | (
                    {"wred_profile": WRED} if marked else {}
                )
            qos[port.name] = self._qos()
        found = {"BUFFER_PG": pg, "BUFFER_QUEUE": queue, "QUEUE": served, "PORT_QOS_MAP": qos}
        if self.port_profiles and c.lossless:
            names = [port.name for port in c.ports]
            found["BUFFER_PORT_INGRESS_PROFILE_LIST"] = {
                name: {"profile_list": "ingress_lossless_profile,ingress_lossy_profile"} for name in names
            }
            found["BUFFER_PORT_EGRESS_PROFILE_LIST"] = {
                name: {"profile_list": "egress_lossless_profile,egress_lossy_profile"} for name in names
            }
        return found

    def _qos(self) -> dict[str, str]:
        row = {"dscp_to_tc_map": GROUP, "tc_to_queue_map": GROUP, "tc_to_pg_map": GROUP}
        if not self.c.lossless:
            return row
        priorities = ",".join(map(str, self.c.lossless))
        row |= {"pfc_to_queue_map": GROUP, "pfc_enable": priorities, "pfcwd_sw_enable": priorities}
        return row | ({"pfc_to_pg_map": GROUP} if self.port_profiles else {})

    def maps(self) -> Tables:
        c = self.c
        common = _COMMON if _COMMON in c.lossy else c.lossy[0]
        classes = {dscp: _DSCP.get(dscp, common) for dscp in range(64)}
        classes = {dscp: tc if tc in c.lossy else common for dscp, tc in classes.items()} | {p: p for p in c.lossless}
        found = {
            "DSCP_TO_TC_MAP": _map((dscp, tc) for dscp, tc in classes.items()),
            "TC_TO_QUEUE_MAP": _map((tc, tc) for tc in range(8)),
            "TC_TO_PRIORITY_GROUP_MAP": _map((tc, tc if tc in c.lossless else c.lossy[0]) for tc in range(8)),
        }
        if c.lossless:
            found["MAP_PFC_PRIORITY_TO_QUEUE"] = _map((p, p) for p in range(8))
            if self.port_profiles:
                found["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = _map((p, p) for p in c.lossless)
        return found

    def marking(self) -> Tables:
        ecn = self.c.ecn
        if ecn is None:
            return {}
        percent = max(1, min(100, math.floor(100.0 * ecn.pmax + 0.5)))
        if abs(percent - 100.0 * ecn.pmax) > 1e-9:
            self.c.ledger.warn(f"marking probability {ecn.pmax:g} becomes {percent} %: SONiC takes whole percent")
        row = {"ecn": "ecn_all"}
        for colour in ("green", "yellow", "red"):
            row |= {
                f"wred_{colour}_enable": "true",
                f"{colour}_min_threshold": str(ecn.kmin),
                f"{colour}_max_threshold": str(ecn.kmax),
                f"{colour}_drop_probability": str(percent),
            }
        self.c.ledger.assume(
            "wred",
            WRED,
            "",
            "packets that carry ECN are marked, all others dropped with the same "
            "probability; one profile for all colours, on " + ("lossless queues" if self.c.lossless else "all queues"),
            "SONiC qos_config.j2",
        )
        return {"WRED_PROFILE": {WRED: row}}

    def calculation(self) -> Tables:
        """What the dynamic model starts from; harmless in the traditional one."""
        c = self.c
        if not c.lossless:
            return {}
        exponent = self.lossless_th[1] if self.lossless_th[0] == "dynamic_th" else str(self.powers.highest)
        found = {
            "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {
                GROUP: {"default_dynamic_th": exponent}
                | ({"over_subscribe_ratio": str(c.ratio)} if c.ratio is not None else {})
            }
        }
        if c.dynamic:
            found["LOSSLESS_TRAFFIC_PATTERN"] = {
                GROUP: {"mtu": str(min(c.lossless_mtu, 9216)), "small_packet_percentage": "50"}
            }
        return found


def profile_name(speed: int, cable: int) -> str:
    """The name under which SONiC's buffer manager looks for, or makes, a lossless profile (buffermgr.cpp)."""
    return f"pg_lossless_{speed}_{cable}m_profile"


def spans(numbers: Iterable[int]) -> list[str]:
    """Runs of consecutive numbers as SONiC writes them: 0, 3, 4 become ``0`` and ``3-4``."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]


def _map(pairs: Iterable[tuple[int, int]]) -> dict[str, dict[str, str]]:
    return {GROUP: {str(left): str(right) for left, right in pairs}}


def tables_of(configuration: Configuration) -> tuple[Tables, list[Row]]:
    """All tables of ``configuration``, in a fixed order, and the rows of the lookup file. Raises Infeasible."""
    writer, c = _Writer(configuration), configuration
    scheduler = {"type": "STRICT"} if c.strict else {"type": "DWRR", "weight": "15"}
    tables: Tables = {
        "DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic" if c.dynamic else "traditional"}},
        "PORT": {
            port.name: {
                "lanes": ",".join(map(str, port.lanes)),
                "speed": str(port.speed),
                "mtu": str(c.mtu),
                "index": str(index),
                "admin_status": "up",
            }
            for index, port in enumerate(c.ports, 1)
        },
        "CABLE_LENGTH": {GROUP: {port.name: f"{port.cable}m" for port in c.ports}},
        "BUFFER_POOL": writer.pools(),
        "BUFFER_PROFILE": writer.profiles(),
        **writer.calculation(),
        **writer.maps(),
        "SCHEDULER": {name: dict(scheduler) for name in SCHEDULERS},
        **writer.marking(),
        **writer.ports(),
    }
    return tables, [] if c.dynamic else writer.lookup()
