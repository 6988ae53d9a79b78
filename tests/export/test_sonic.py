"""What is written for SONiC: strings only, references that resolve, memory that adds up, and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from footroom.base.errors import Infeasible, InvalidInput
from footroom.calculators.export.answer import Export
from footroom.calculators.export.interface import export
from footroom.calculators.export.sonic.check import check
from footroom.calculators.export.sonic.lookup import parse

#: 8 ports at 100G, 8 at 400G, two lossless priorities, on a chip with cells of 254 B.
MIXED: dict[str, Any] = {
    "asic": "tomahawk4",
    "ports": "8x100G@40m,8x400G@300m",
    "lossless": "3,4",
    "kmin": "400 kB",
    "kmax": "1600 kB",
    "pmax": 0.2,
}
VARIANTS: dict[str, dict[str, Any]] = {
    "own headroom": {},
    "pooled": {"over_subscribe_ratio": 4},
    "split priorities": {"lossless": "1,4,6"},
    "lossy": {"lossless": ""},
    "reserved": {"reserved_pg": 1664, "reserved_queue": 1664},
    "dynamic": {"model": "dynamic"},
    "dynamic with numbers": {"model": "dynamic", "headroom": "100 kB"},
    "spectrum": {"asic": "spectrum-4"},
    "one priority": {"lossless": [0]},
    "unmarked": {"kmin": None, "kmax": None},
}


def config_of(made: Export) -> dict[str, dict[str, dict[str, str]]]:
    return made.data("config_db.json")


def leaves(document: Any) -> Iterator[Any]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from leaves(value)
    else:
        yield document


def made_with(changes: dict[str, Any]) -> Export:
    return export("sonic", **{key: value for key, value in {**MIXED, **changes}.items() if value is not None})


@pytest.mark.parametrize("name", VARIANTS)
def test_every_value_is_a_string_and_every_reference_resolves(name: str) -> None:
    config = config_of(made_with(VARIANTS[name]))
    assert {type(leaf) for leaf in leaves(config)} == {str}
    assert check(config) == []


def test_the_tables_of_a_lossless_switch() -> None:
    config = config_of(made_with({}))
    assert set(config) >= {
        "PORT",
        "BUFFER_POOL",
        "BUFFER_PROFILE",
        "BUFFER_PG",
        "BUFFER_QUEUE",
        "WRED_PROFILE",
        "QUEUE",
        "PORT_QOS_MAP",
        "CABLE_LENGTH",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "SCHEDULER",
    }
    assert [*config["PORT"]][:3] == ["Ethernet0", "Ethernet4", "Ethernet8"]
    assert config["PORT"]["Ethernet32"]["lanes"] == "33,34,35,36,37,38,39,40"
    assert config["BUFFER_PG"]["Ethernet0|3-4"] == {"profile": "pg_lossless_100000_40m_profile"}
    assert config["BUFFER_PG"]["Ethernet32|3-4"] == {"profile": "pg_lossless_400000_300m_profile"}
    assert config["BUFFER_PG"]["Ethernet0|0"] == {"profile": "ingress_lossy_profile"}
    assert [key for key in config["BUFFER_QUEUE"] if key.startswith("Ethernet0|")] == [
        "Ethernet0|3-4",
        "Ethernet0|0-2",
        "Ethernet0|5-7",
    ]
    assert config["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] == "3,4"
    assert config["CABLE_LENGTH"]["AZURE"]["Ethernet32"] == "300m"
    assert config["DSCP_TO_TC_MAP"]["AZURE"]["3"] == "3"
    assert config["DSCP_TO_TC_MAP"]["AZURE"]["46"] == "5"
    marked = [key for key, row in config["QUEUE"].items() if "wred_profile" in row]
    assert {key.split("|")[1] for key in marked} == {"3", "4"}
    assert config["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] == "400000"
    assert config["WRED_PROFILE"]["AZURE_LOSSLESS"]["red_drop_probability"] == "20"


def test_the_memory_adds_up_to_the_chip() -> None:
    """Shared, reserved and headroom are the chip's cells, nothing left and nothing twice."""
    config = config_of(made_with({}))
    cells = 113_620_296 // 254
    headroom = {key: int(row["xoff"]) for key, row in config["BUFFER_PROFILE"].items() if "xoff" in row}
    assert len(headroom) == 2
    assert all(size % 254 == 0 for size in headroom.values())
    used = 8 * 2 * sum(headroom.values())
    assert int(config["BUFFER_POOL"]["ingress_lossless_pool"]["size"]) + used == cells * 254


def test_a_pool_holds_all_headroom_over_the_ratio() -> None:
    own = config_of(made_with({}))
    pooled = config_of(made_with({"over_subscribe_ratio": 4}))
    total = 8 * 2 * sum(int(row["xoff"]) for row in own["BUFFER_PROFILE"].values() if "xoff" in row)
    pool = int(pooled["BUFFER_POOL"]["ingress_lossless_pool"]["xoff"])
    assert 0 <= pool - total / 4 < 254
    assert pooled["BUFFER_PROFILE"]["pg_lossless_400000_300m_profile"]["size"] == "0"
    assert (
        own["BUFFER_PROFILE"]["pg_lossless_400000_300m_profile"]["size"]
        == own["BUFFER_PROFILE"]["pg_lossless_400000_300m_profile"]["xoff"]
    )
    assert pooled["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"]["over_subscribe_ratio"] == "4"


#: sonic-buildimage, device/mellanox: x86_64-nvidia_sn5610n-r0/Mellanox-SN5610N-C224O8 (Spectrum-4, headroom pooled)
#: and x86_64-mlnx_msn2700-r0/ACS-MSN2700 (Spectrum, of 2020): speed, cable, size, xon, xoff.
SHIPPED: dict[str, tuple[dict[str, Any], list[tuple[int, str, int, int, int]]]] = {
    "SN5610N": (
        {"asic": "spectrum-4", "over_subscribe_ratio": 2, "scheme_settings": {"lossless_mtu": 4096, "port_mtu": 9216}},
        [
            (100_000, "5m", 19456, 19456, 44032),
            (200_000, "5m", 19456, 19456, 50176),
            (400_000, "5m", 38912, 38912, 86016),
            (100_000, "40m", 19456, 19456, 49152),
            (200_000, "40m", 19456, 19456, 60416),
            (400_000, "40m", 38912, 38912, 104448),
        ],
    ),
    "MSN2700": (
        {
            "asic": "spectrum",
            "scheme_settings": {"form": "2020", "lossless_mtu": 1024, "port_mtu": 9216, "small_packet_percentage": 100},
        },
        [
            (100_000, "5m", 50176, 19456, 30720),
            (100_000, "40m", 58368, 19456, 38912),
            (100_000, "300m", 123904, 19456, 104448),
        ],
    ),
}


@pytest.mark.parametrize("box", SHIPPED)
def test_the_lookup_file_has_the_rows_that_the_vendor_ships(box: str) -> None:
    options, shipped = SHIPPED[box]
    ports = ",".join(f"{speed // 1000}G@{cable}" for speed, cable, *_ in shipped)
    rows, wrong = parse(export("sonic", ports=ports, **options).text("pg_profile_lookup.ini"))
    assert wrong == []
    ours = {(row.speed, row.cable): (row.size, row.xon, row.xoff) for row in rows}
    assert ours == {(speed, cable): (size, xon, xoff) for speed, cable, size, xon, xoff in shipped}


def test_the_dynamic_model_leaves_sizes_to_the_switch() -> None:
    made = export("sonic", asic="spectrum", ports="32x100G@40m", model="dynamic", over_subscribe_ratio=2)
    config = config_of(made)
    assert config["DEVICE_METADATA"]["localhost"]["buffer_model"] == "dynamic"
    assert config["BUFFER_PG"]["Ethernet0|3-4"] == {"profile": "NULL"}
    assert "size" not in config["BUFFER_POOL"]["ingress_lossless_pool"]
    assert config["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"] == {"mtu": "1500", "small_packet_percentage": "50"}
    assert parse(made.text("pg_profile_lookup.ini")) == ([], [])


def test_numbers_given_stay_fixed_in_the_dynamic_model() -> None:
    config = config_of(export("sonic", asic="spectrum", ports="2x100G@40m", model="dynamic", headroom="100 KiB"))
    assert config["BUFFER_PG"]["Ethernet0|3-4"] == {"profile": "pg_lossless_100000_40m_profile"}
    assert config["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"]["xoff"] == "102400"


def test_an_overcommitted_chip_is_refused_with_what_would_fit() -> None:
    """Nexthop NH-4210 as shipped: sonic-buildimage issue 28657."""
    asked: dict[str, Any] = {
        "buffer": 636_183 * 420,
        "cell_size": 420,
        "ports": "128x800G@40m",
        "pool": 258_035_400,
        "headroom_pool": 81_553_920,
    }
    with pytest.raises(Infeasible) as refused:
        export("sonic", **asked)
    assert "808546 cells" in str(refused.value)
    assert "636183 cells" in str(refused.value)
    # The fix that was shipped subtracts the headroom: 636183 − 194176 = 442007 cells are the most that fit.
    assert "442007 cells" in str(refused.value)
    fits = export("sonic", **{**asked, "pool": 442_007 * 420})
    assert config_of(fits)["BUFFER_POOL"]["ingress_lossless_pool"]["size"] == str(442_007 * 420)
    with pytest.raises(Infeasible):
        export("sonic", **{**asked, "pool": 442_007 * 420 + 1})


def test_headroom_beyond_the_memory_is_refused_with_the_ratio_that_fits() -> None:
    asked: dict[str, Any] = {"asic": "tomahawk", "ports": "64x100G@300m", "lossless": "3,4"}
    with pytest.raises(Infeasible, match=r"over_subscribe_ratio (\d+) makes the headroom fit") as refused:
        export("sonic", **asked)
    assert [problem.path for problem in refused.value.problems] == ["pool", "headroom"]
    found = re.search(r"over_subscribe_ratio (\d+)", str(refused.value))
    assert found is not None
    ratio = int(found[1])
    assert export("sonic", **asked, over_subscribe_ratio=ratio).files
    with pytest.raises(Infeasible):
        export("sonic", **asked, over_subscribe_ratio=ratio - 1)


def test_a_headroom_pool_below_one_groups_need_is_refused() -> None:
    with pytest.raises(Infeasible, match="over_subscribe_ratio of 4 at most"):
        export("sonic", asic="tomahawk", ports="2x100G@40m", over_subscribe_ratio=5)
    assert export("sonic", asic="tomahawk", ports="2x100G@40m", over_subscribe_ratio=4).files


def test_reserved_queues_beyond_the_memory_are_refused() -> None:
    with pytest.raises(Infeasible, match="kept for each of 16 queues"):
        export("sonic", asic="tomahawk", ports="2x100G@40m", reserved_queue="1 MB")


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({}, "ports"),
        ({"ports": "2x100G", "asic": "tomahawk"}, "ports.0.cable"),
        ({"ports": "2x100G@40m"}, "buffer"),
        ({"ports": "x@3"}, "ports.0"),
        ({"ports": "2x100G@40m", "asic": "tomahawc"}, "asic"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "lossless": "3,9"}, "lossless.1"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "lossless": "3,3"}, "lossless"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "lossless": "0,1,2,3,4,5,6,7"}, "lossless"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "kmin": "1 kB"}, "kmax"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "scheme": "guess"}, "scheme"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "scheme_settings": {"colour": 1}}, "scheme_settings.colour"),
        ({"ports": "2x100G@40m", "asic": "tomahawk", "size": 1}, "size"),
        ({"ports": "Ethernet0:100G@1m,Ethernet0:100G@1m", "asic": "tomahawk"}, "ports"),
        ({"ports": "2000x1G@1m", "asic": "tomahawk"}, "ports.0"),
        ({"ports": [{"speed": "1G", "count": 2000}], "asic": "tomahawk"}, "ports.0.count"),
        ({"ports": "1.5 Mb/s @1m", "asic": "tomahawk"}, "ports.0.speed"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(options: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        export("sonic", **options)
    assert refused.value.problems[0].path == path


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(InvalidInput, match="sonic, nxos, eos, junos"):
        export("ios", ports="2x100G@40m", asic="tomahawk")


def test_every_number_has_its_derivation_and_source() -> None:
    made = made_with({"over_subscribe_ratio": 4})
    document = made.data("assumptions.json")
    assert all(entry["derivation"] and entry["source"] for entry in document["assumptions"])
    names = [entry["name"] for entry in document["assumptions"]]
    assert {
        "memory",
        "cell",
        "pool",
        "headroom.pool",
        "headroom.scheme",
        "headroom.400000.300m.xoff",
        "ecn.kmin",
        "alpha_lossless",
        "mtu.lossless",
    } <= set(names)
    values = {entry["name"]: entry["value"] for entry in document["assumptions"]}
    config = config_of(made)
    assert str(values["pool"]) == config["BUFFER_POOL"]["ingress_lossless_pool"]["size"]
    assert (
        str(values["headroom.400000.300m.xoff"]) == config["BUFFER_PROFILE"]["pg_lossless_400000_300m_profile"]["xoff"]
    )
