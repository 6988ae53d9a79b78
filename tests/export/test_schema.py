"""The schema refuses what SONiC's YANG refuses, and names the row and field."""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import InvalidInput, Unsupported
from footroom.calculators.export.interface import export
from footroom.calculators.export.sonic.check import check
from footroom.calculators.export.sonic.schema import TABLES
from footroom.calculators.export.sonic.yang import to_yang, yanglint

Config = dict[str, dict[str, dict[str, str]]]
#: Folder of SONiC's modules: src/sonic-yang-models/yang-models of a built sonic-net/sonic-buildimage.
MODULES = os.environ.get("SONIC_YANG_DIR", "")
needs_modules = pytest.mark.skipif(
    not MODULES or shutil.which("yanglint") is None,
    reason="SONIC_YANG_DIR names no folder of SONiC's YANG, or yanglint is missing",
)


@pytest.fixture
def config() -> Config:
    made = export(
        "sonic", ports="2x100G@40m", asic="spectrum", over_subscribe_ratio=2, kmin="100 kB", kmax="400 kB", pmax=0.05
    )
    return copy.deepcopy(made.data("config_db.json"))


#: What to do to a sound configuration, and what the check must then say.
FAULTS: dict[str, tuple[Callable[[Config], Any], str, str]] = {
    "pool that is not there": (
        lambda c: c["BUFFER_POOL"].pop("egress_lossless_pool"),
        "dangling-reference",
        "BUFFER_PROFILE|egress_lossless_profile.pool",
    ),
    "profile that is not there": (
        lambda c: c["BUFFER_PG"]["Ethernet0|3-4"].update(profile="none"),
        "dangling-reference",
        "BUFFER_PG|Ethernet0|3-4.profile",
    ),
    "port that is not there": (lambda c: c["PORT"].pop("Ethernet4"), "dangling-reference", "BUFFER_PG|Ethernet4|0"),
    "profile of a list that is not there": (
        lambda c: c["BUFFER_PORT_INGRESS_PROFILE_LIST"]["Ethernet0"].update(profile_list="ingress_lossy_profile,x"),
        "dangling-reference",
        "BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0.profile_list",
    ),
    "wred that is not there": (
        lambda c: c["WRED_PROFILE"].clear(),
        "dangling-reference",
        "QUEUE|Ethernet0|3.wred_profile",
    ),
    "map that is not there": (
        lambda c: c["TC_TO_QUEUE_MAP"].clear(),
        "dangling-reference",
        "PORT_QOS_MAP|Ethernet0.tc_to_queue_map",
    ),
    "alpha out of range": (
        lambda c: c["BUFFER_PROFILE"]["egress_lossy_profile"].update(dynamic_th="8"),
        "bad-value",
        "BUFFER_PROFILE|egress_lossy_profile.dynamic_th",
    ),
    "size that is no number": (
        lambda c: c["BUFFER_POOL"]["egress_lossy_pool"].update(size="12 MB"),
        "bad-value",
        "BUFFER_POOL|egress_lossy_pool.size",
    ),
    "size with a sign": (
        lambda c: c["BUFFER_POOL"]["egress_lossy_pool"].update(size="-1"),
        "bad-value",
        "BUFFER_POOL|egress_lossy_pool.size",
    ),
    "two thresholds": (
        lambda c: c["BUFFER_PROFILE"]["egress_lossy_profile"].update(static_th="1"),
        "conflict",
        "BUFFER_PROFILE|egress_lossy_profile",
    ),
    "no size": (
        lambda c: c["BUFFER_PROFILE"]["egress_lossy_profile"].pop("size"),
        "missing-field",
        "BUFFER_PROFILE|egress_lossy_profile.size",
    ),
    "priority group 8": (
        lambda c: c["BUFFER_PG"].update({"Ethernet0|8": {"profile": "NULL"}}),
        "bad-key",
        "BUFFER_PG|Ethernet0|8",
    ),
    "row without a priority group": (
        lambda c: c["BUFFER_PG"].update({"Ethernet0": {"profile": "NULL"}}),
        "bad-key",
        "BUFFER_PG|Ethernet0",
    ),
    "cable with a fraction": (
        lambda c: c["CABLE_LENGTH"]["AZURE"].update(Ethernet0="1.5m"),
        "bad-value",
        "CABLE_LENGTH|AZURE.Ethernet0",
    ),
    "maximum below minimum": (
        lambda c: c["WRED_PROFILE"]["AZURE_LOSSLESS"].update(green_max_threshold="1"),
        "conflict",
        "WRED_PROFILE|AZURE_LOSSLESS",
    ),
    "probability above 100": (
        lambda c: c["WRED_PROFILE"]["AZURE_LOSSLESS"].update(green_drop_probability="101"),
        "bad-value",
        "WRED_PROFILE|AZURE_LOSSLESS.green_drop_probability",
    ),
    "unknown field": (
        lambda c: c["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"].update(max_headroom_size="0"),
        "unknown-field",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE.max_headroom_size",
    ),
    "PFC on priority 8": (
        lambda c: c["PORT_QOS_MAP"]["Ethernet0"].update(pfc_enable="3,8"),
        "bad-value",
        "PORT_QOS_MAP|Ethernet0.pfc_enable",
    ),
    "DSCP 64": (lambda c: c["DSCP_TO_TC_MAP"]["AZURE"].update({"64": "1"}), "bad-key", "DSCP_TO_TC_MAP|AZURE.64"),
    "weight 0": (
        lambda c: c["SCHEDULER"]["scheduler.0"].update(weight="0"),
        "bad-value",
        "SCHEDULER|scheduler.0.weight",
    ),
    "lossless packet beyond a port's": (
        lambda c: c.update(LOSSLESS_TRAFFIC_PATTERN={"AZURE": {"mtu": "9217", "small_packet_percentage": "50"}}),
        "bad-value",
        "LOSSLESS_TRAFFIC_PATTERN|AZURE.mtu",
    ),
    "pool of a size and a percentage": (
        lambda c: c["BUFFER_POOL"]["egress_lossy_pool"].update(percentage="50"),
        "conflict",
        "BUFFER_POOL|egress_lossy_pool",
    ),
    "peak below committed rate": (
        lambda c: c["SCHEDULER"]["scheduler.0"].update(cir="2", pir="1"),
        "conflict",
        "SCHEDULER|scheduler.0",
    ),
    "burst without a rate": (
        lambda c: c["SCHEDULER"]["scheduler.0"].update(cbs="1"),
        "conflict",
        "SCHEDULER|scheduler.0",
    ),
    "peak burst below committed burst": (
        lambda c: c["SCHEDULER"]["scheduler.0"].update(cir="1", pir="1", cbs="2", pbs="1"),
        "conflict",
        "SCHEDULER|scheduler.0",
    ),
    "mark of a colour that is not marked": (
        lambda c: c["WRED_PROFILE"]["AZURE_LOSSLESS"].update(ecn="ecn_green_red", ecn_yellow_min_threshold="1"),
        "conflict",
        "WRED_PROFILE|AZURE_LOSSLESS",
    ),
    "lanes without end": (
        lambda c: c["PORT"]["Ethernet0"].update(lanes=",".join(map(str, range(60)))),
        "bad-value",
        "PORT|Ethernet0.lanes",
    ),
    "long alias": (lambda c: c["PORT"]["Ethernet0"].update(alias="x" * 129), "bad-value", "PORT|Ethernet0.alias"),
    "speed beyond 1.6T": (
        lambda c: c["PORT"]["Ethernet0"].update(speed="1600001"),
        "bad-value",
        "PORT|Ethernet0.speed",
    ),
}


@pytest.mark.parametrize(
    "change", [{"cir": "1", "pir": "1", "cbs": "2", "pbs": "2"}, {"pir": "1", "pbs": "1"}, {"cir": "1"}], ids=str
)
def test_rates_and_bursts_that_agree_are_sound(config: Config, change: dict[str, str]) -> None:
    config["SCHEDULER"]["scheduler.0"].update(change)
    assert check(config) == []


def test_marks_of_a_colour_that_is_marked_are_sound(config: Config) -> None:
    config["WRED_PROFILE"]["AZURE_LOSSLESS"].update(
        ecn="ecn_green_red", ecn_red_min_threshold="1", ecn_red_max_threshold="1", ecn_green_mark_probability="5"
    )
    assert check(config) == []


def test_what_is_exported_is_sound(config: Config) -> None:
    assert check(config) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_where_it_is(config: Config, fault: str) -> None:
    spoil, code, path = FAULTS[fault]
    spoil(config)
    assert (code, path) in [(finding.code, finding.path) for finding in check(config)]


def test_tables_become_lists_inside_the_module_and_the_table(config: Config) -> None:
    """The form that SONiC's own translation gives its tables (YANG model guidelines), numbers as RFC 7951 has them."""
    data = to_yang(config)
    pools = data["sonic-buffer-pool:sonic-buffer-pool"]["BUFFER_POOL"]["BUFFER_POOL_LIST"]
    assert pools[0]["name"] == "ingress_lossless_pool"
    assert pools[0]["size"] == config["BUFFER_POOL"]["ingress_lossless_pool"]["size"]  # 64 bits stay text
    groups = data["sonic-buffer-pg:sonic-buffer-pg"]["BUFFER_PG"]["BUFFER_PG_LIST"]
    assert {"port": "Ethernet0", "pg_num": "3-4", "profile": "pg_lossless_100000_40m_profile"} in groups
    profiles = data["sonic-buffer-profile:sonic-buffer-profile"]["BUFFER_PROFILE"]["BUFFER_PROFILE_LIST"]
    assert {type(row["dynamic_th"]) for row in profiles if "dynamic_th" in row} == {int}
    wred = data["sonic-wred-profile:sonic-wred-profile"]["WRED_PROFILE"]["WRED_PROFILE_LIST"][0]
    assert wred["wred_green_enable"] is True
    lists = data["sonic-buffer-port-ingress-profile-list:sonic-buffer-port-ingress-profile-list"]
    assert lists["BUFFER_PORT_INGRESS_PROFILE_LIST"]["BUFFER_PORT_INGRESS_PROFILE_LIST_LIST"][0]["profile_list"] == [
        "ingress_lossless_profile",
        "ingress_lossy_profile",
    ]
    assert data["sonic-device_metadata:sonic-device_metadata"] == {
        "DEVICE_METADATA": {"localhost": {"buffer_model": "traditional"}}
    }
    cables = data["sonic-cable-length:sonic-cable-length"]["CABLE_LENGTH"]["CABLE_LENGTH_LIST"]
    assert cables == [
        {
            "name": "AZURE",
            "CABLE_LENGTH": [{"port": "Ethernet0", "length": "40m"}, {"port": "Ethernet4", "length": "40m"}],
        }
    ]


def test_every_table_that_is_known_says_where_it_is_from() -> None:
    assert all(
        table.module.startswith("sonic-") and (table.row is None) != (table.entries is None)
        for table in TABLES.values()
    )


@pytest.mark.skipif(shutil.which("yanglint") is None, reason="yanglint is not installed (Debian: libyang2-tools)")
def test_a_folder_without_the_modules_is_refused(config: Config, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"sonic-buffer-pool\.yang"):
        yanglint(config, tmp_path)


def test_without_yanglint_the_check_says_so(config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(Unsupported, match="libyang2-tools"):
        yanglint(config, tmp_path)


YANG_VARIANTS: dict[str, dict[str, Any]] = {
    "own headroom": {"asic": "tomahawk4", "ports": "8x100G@40m,8x400G@300m"},
    "pooled, marked": {
        "asic": "tomahawk",
        "ports": "32x100G@40m",
        "over_subscribe_ratio": 4,
        "kmin": "400kB",
        "kmax": "1600kB",
    },
    "dynamic": {"asic": "spectrum-4", "ports": "32x400G@40m", "model": "dynamic", "over_subscribe_ratio": 2},
    "lossy": {"asic": "tomahawk", "ports": "32x100G@40m", "lossless": "", "kmin": "65 kB", "kmax": "65 kB"},
    "seven priorities": {
        "asic": "tomahawk4",
        "ports": "4x100G@5m",
        "lossless": "0,1,2,3,4,5,6",
        "reserved_queue": 1664,
    },
}


@needs_modules
@pytest.mark.parametrize("name", YANG_VARIANTS)
def test_sonics_own_yang_accepts_what_is_exported(name: str) -> None:
    made = export("sonic", yang=MODULES, **YANG_VARIANTS[name])
    assert made.validation["yang"]["messages"] == []
    assert made.validation["yang"]["valid"]


@needs_modules
@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_schema_refuses_sonics_yang_refuses(config: Config, fault: str) -> None:
    """Each fault on its own; YANG itself allows both thresholds at once, which the switch does not."""
    FAULTS[fault][0](config)
    assert yanglint(config, MODULES)["valid"] == (fault == "two thresholds")
