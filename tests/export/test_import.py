"""What is read is what was written, and what is wrong is named where it is."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.export.configurations import codes, pair

from footroom.base.errors import InvalidInput
from footroom.calculators.export.sonic.importing import import_sonic
from footroom.calculators.export.sonic.lookup import parse

RATIOS: list[int | None] = [None, 2, 4]


@pytest.mark.parametrize("ratio", RATIOS)
def test_round_trip(ratio: int | None) -> None:
    config, lookup, said = pair(over_subscribe_ratio=ratio, reserved_pg=1500)
    report = import_sonic(config, lookup, asic="tomahawk4")
    found = report.to_dict()
    summary = said["summary"]
    values = {entry["name"]: entry["value"] for entry in said["assumptions"]}
    totals = found["totals"]
    assert totals["footroom"] == summary["footroom"]
    assert totals["headroom"] == summary["headroom"]
    assert totals["headroom_own"] == summary["headroom_own"]
    assert totals["groups"] == 32
    assert totals["reserved"] == 32 * 1524  # six cells of 254 B hold 1500 B
    if ratio is not None:
        assert totals["over_subscribe_ratio"] == pytest.approx(ratio, rel=1e-4)
    profile = found["profiles"]["pg_lossless_400000_300m_profile"]
    assert profile["headroom"] == values["headroom.400000.300m.xoff"]
    assert (profile["alpha"], profile["priority_groups"]) == (0.125, 16)
    assert found["ports"][15] == {"name": "Ethernet88", "speed": 400_000_000_000, "cable": 300, "lossless": [3, 4]}
    assert {entry["kmin"] for entry in found["marking"]} == {400_000}
    assert {entry["pmax"] for entry in found["marking"]} == {0.2}
    assert report.feasible is True
    assert found["memory"] is not None
    assert found["memory"]["left"] == 0
    assert report.errors == []


def test_the_lookup_file_alone_makes_the_profiles() -> None:
    """What SONiC's buffer manager does in the traditional model when BUFFER_PG has no lossless rows."""
    config, lookup, _ = pair()
    whole = import_sonic(config, lookup)
    for table in ("BUFFER_PG", "BUFFER_PROFILE"):
        config[table] = {
            key: row
            for key, row in config[table].items()
            if "pg_lossless" not in key and "pg_lossless" not in row.get("profile", "")
        }
    bare = import_sonic(config, lookup)
    assert bare.totals == whole.totals
    assert bare.to_dict()["profiles"]["pg_lossless_100000_40m_profile"]["from_lookup"]
    assert bare.errors == []


def test_a_configuration_that_ships_is_read_and_fits_its_chip() -> None:
    """Dell S6100, Tomahawk: sonic-buildimage buffers_defaults_t1.j2 and pg_profile_lookup.ini, 64 ports of 40G."""
    ports = [f"Ethernet{i}" for i in range(64)]
    config = {
        "PORT": {port: {"lanes": str(i + 1), "speed": "40000"} for i, port in enumerate(ports)},
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(ports, "40m")},
        "BUFFER_POOL": {
            "ingress_lossless_pool": {"size": "10875072", "type": "ingress", "mode": "dynamic", "xoff": "4194112"},
            "egress_lossy_pool": {"size": "9243812", "type": "egress", "mode": "dynamic"},
            "egress_lossless_pool": {"size": "15982720", "type": "egress", "mode": "static"},
        },
        "PORT_QOS_MAP": {port: {"pfc_enable": "3,4"} for port in ports},
    }
    lookup = "# speed cable size xon xoff threshold xon_offset\n40000 40m 1248 2288 71552 0 2288\n"
    report = import_sonic(config, lookup, asic="tomahawk")
    assert report.errors == []
    assert report.feasible is True
    assert report.totals.headroom_own == 128 * 71552
    assert report.totals.reserved == 128 * 1248
    assert report.to_dict()["totals"]["over_subscribe_ratio"] == pytest.approx(128 * 71552 / 4194112)
    # 76840 cells, less 52284 shared, 20164 headroom and 128 times 6 reserved.
    memory = report.to_dict()["memory"]
    assert memory is not None
    assert memory["left"] == (76840 - 52284 - 20164 - 768) * 208


def arista(
    chip: str = "x86_64-arista_7060x6_64pe_b", size: int = 164_619_432, xoff: int = 33_690_560
) -> dict[str, Any]:
    """Arista-7060X6-64PE-B-P32O64, Tomahawk 5: sonic-buildimage buffers_defaults_lt2.j2, 96 ports."""
    ports = [f"Ethernet{i}" for i in range(96)]
    return {
        "DEVICE_METADATA": {"localhost": {"platform": chip}},
        "PORT": {
            port: {"lanes": str(i + 1), "speed": "800000" if i < 32 else "400000"} for i, port in enumerate(ports)
        },
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(ports, "5m")},
        "BUFFER_POOL": {
            "ingress_lossless_pool": {"size": str(size), "type": "ingress", "mode": "dynamic", "xoff": str(xoff)},
            "egress_lossless_pool": {"size": str(size), "type": "egress", "mode": "static"},
        },
        "PORT_QOS_MAP": {port: {"pfc_enable": "3,4"} for port in ports},
    }


ARISTA_LOOKUP = "400000 5m 8636 0 425958 0 3556\n800000 5m 8636 0 724662 0 3556\n"


def test_a_shipped_size_that_only_fits_with_its_headroom_inside_is_read_so_and_said() -> None:
    """166115492 B of memory; 164619432 + 33690560 B beside each other would be 32 MB too much."""
    report = import_sonic(arista(), ARISTA_LOOKUP)
    assert report.feasible is True
    assert report.errors == []
    assert ("xoff-in-size", "BUFFER_POOL") in codes(report)
    found = report.to_dict()
    assert found["pools"]["ingress_lossless_pool"]["includes_xoff"] is True
    assert found["memory"] is not None
    assert found["memory"]["left"] == 166_115_492 - 164_619_432
    # What is shared leaves out headroom and the 34 cells that each of 192 groups keeps.
    assert report.totals.footroom == 164_619_432 - 33_690_560 - 192 * 34 * 254


def test_where_a_size_leaves_its_headroom_out_it_is_read_as_before() -> None:
    """Size and headroom of 120 MB fit beside each other, so nothing has to be inside."""
    report = import_sonic(arista(size=120_000_000), ARISTA_LOOKUP)
    assert report.feasible is True
    assert report.to_dict()["pools"]["ingress_lossless_pool"]["includes_xoff"] is False
    assert "xoff-in-size" not in [code for code, _ in codes(report)]
    assert report.totals.footroom == 120_000_000


def test_the_other_reading_is_taken_only_where_it_fits_and_the_chip_is_not_known_to_refuse_it() -> None:
    too_large = import_sonic(arista(size=170_000_000), ARISTA_LOOKUP)
    assert too_large.feasible is False
    known = import_sonic(arista("x86_64-nexthop_4210-r0021", 258_035_400, 81_553_920))
    assert known.feasible is False
    assert "#28657" in next(one.message for one in known.findings if one.code == "xoff-in-size")
    nameless = import_sonic(arista("x86_64-none"), buffer=166_115_492, cell_size=254)
    assert nameless.feasible is False
    assert "no chip is named" in next(one.message for one in nameless.findings if one.code == "xoff-in-size")


@pytest.mark.parametrize(("said", "feasible"), [(True, True), (False, False)])
def test_whoever_knows_the_reading_says_it(said: bool, feasible: bool) -> None:
    report = import_sonic(arista(), ARISTA_LOOKUP, includes_xoff=said)
    assert report.feasible is feasible
    assert "xoff-in-size" not in [code for code, _ in codes(report)]
    only_read = import_sonic(arista("x86_64-none"), ARISTA_LOOKUP, includes_xoff=said)
    assert only_read.feasible is None
    assert only_read.to_dict()["pools"]["ingress_lossless_pool"]["includes_xoff"] is said


def test_a_reading_that_is_no_truth_value_is_refused() -> None:
    with pytest.raises(InvalidInput, match="includes_xoff"):
        import_sonic(arista(), includes_xoff="perhaps")


def test_an_overcommitted_configuration_is_refused_with_what_would_fit() -> None:
    """Nexthop NH-4210 as shipped: sonic-buildimage issue 28657."""
    config = {
        "BUFFER_POOL": {
            "ingress_lossless_pool": {"size": "258035400", "xoff": "81553920", "type": "ingress", "mode": "dynamic"}
        }
    }
    report = import_sonic(config, buffer=636_183 * 420, cell_size=420)
    assert report.feasible is False
    memory = report.to_dict()["memory"]
    assert memory is not None
    assert memory["asked_cells"] == 808_546
    assert memory["cells"] == 636_183
    assert "442007 cells" in memory["would_fit"]["size"]
    assert ("overcommitted", "BUFFER_POOL") in codes(report)
    config["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = str(442_007 * 420)
    assert import_sonic(config, buffer=636_183 * 420, cell_size=420).feasible is True


def test_marking_before_a_pause_is_what_dynamic_thresholds_give() -> None:
    """Alone, K at most alpha·B/(1 + alpha); with n − 1 others full, K at most alpha·B/(1 + n·alpha)."""
    config, lookup, said = pair()
    entry = import_sonic(config, lookup).to_dict()["marking"][0]
    pool, alpha, groups = said["summary"]["footroom"], 0.125, 32
    largest = {margin["case"]: margin["largest"] for margin in entry["margins"]}
    assert largest["alone"] == pytest.approx(alpha * pool / (1 + alpha))
    assert largest["others_full"] == pytest.approx(alpha * pool / (1 + groups * alpha))
    alone = next(m for m in entry["margins"] if (m["case"], m["threshold_of"]) == ("alone", "kmin"))
    assert alone["margin"] == pytest.approx(alpha * (pool - 400_000) - 400_000)
    assert alone["time"] == pytest.approx(alone["margin"] * 8 / 100e9)


def test_a_pause_that_comes_before_marking_is_found() -> None:
    config, lookup, said = pair(kmin="20 MB", kmax="30 MB")
    assert 0.125 * said["summary"]["footroom"] / 1.125 < 20e6
    assert ("pause-before-marking", "WRED_PROFILE|AZURE_LOSSLESS") in codes(import_sonic(config, lookup))
    calm, lookup, _ = pair(kmin="100 kB", kmax="200 kB")
    assert "pause-before-marking" not in [code for code, _ in codes(import_sonic(calm, lookup))]


#: What to do to a sound configuration, and what must then be found.
def test_older_forms_are_read_as_what_they_mean() -> None:
    config, lookup, _ = pair()
    new = import_sonic(config, lookup).totals
    old = copy.deepcopy(config)
    hundreds = [key for key in config["BUFFER_PG"] if config["BUFFER_PG"][key]["profile"].endswith("40m_profile")]
    for key in hundreds:
        del old["BUFFER_PG"][key]
    names = ",".join(key.split("|")[0] for key in hundreds)
    old["BUFFER_PG"][f"{names}|3-4"] = {"profile": "[BUFFER_PROFILE|pg_lossless_100000_40m_profile]"}
    assert import_sonic(old, lookup).totals == new


def test_numbers_are_read_as_what_they_say() -> None:
    config, lookup, _ = pair()
    new = import_sonic(config, lookup).to_dict()
    config["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = int(config["BUFFER_POOL"]["ingress_lossless_pool"]["size"])
    found = import_sonic(config, lookup).to_dict()
    assert found["pools"] == new["pools"]
    assert len(found["findings"]) == len(new["findings"]) + 1


def test_unknown_tables_are_kept_and_named() -> None:
    config, lookup, _ = pair()
    config["VLAN"] = {"Vlan100": {"vlanid": "100"}}
    report = import_sonic(config, lookup)
    assert report.unknown == {"VLAN": {"Vlan100": {"vlanid": "100"}}}
    assert report.to_dict()["unknown_tables"] == ["VLAN"]
    assert any("VLAN" in finding.message for finding in report.findings if finding.code == "unknown-tables")


def test_an_empty_configuration_is_an_error_not_a_crash() -> None:
    report = import_sonic({}, asic="tomahawk")
    assert codes(report) == [("empty", "")]
    assert (report.feasible, report.totals.footroom) == (None, None)


@pytest.mark.parametrize("raw", [[], "x", 5, None])
def test_what_is_no_configuration_is_refused(raw: Any, tmp_path: Path) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(raw))
    with pytest.raises(InvalidInput, match="object of tables"):
        import_sonic(path)


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"a": }', ""])
def test_what_is_no_json_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config_db.json"
    path.write_text(text)
    with pytest.raises(InvalidInput, match="not a valid JSON document"):
        import_sonic([path])


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        import_sonic(tmp_path / "none.json")


def test_files_add_up(tmp_path: Path) -> None:
    config, lookup, _ = pair()
    halves = [{name: rows for i, (name, rows) in enumerate(config.items()) if i % 2 == half} for half in (0, 1)]
    for i, half in enumerate(halves):
        (tmp_path / f"{i}.json").write_text(json.dumps(half))
    (tmp_path / "pg_profile_lookup.ini").write_text(lookup)
    found = import_sonic([tmp_path / "0.json", tmp_path / "1.json", tmp_path / "pg_profile_lookup.ini"])
    assert found.totals == import_sonic(config, lookup).totals


@pytest.mark.parametrize("line", ["100000 40m 1 2 3", "100000 40 1 2 3 4", "fast 40m 1 2 3 4", "1 1m 1 2 3 4 5 6"])
def test_a_bad_line_of_the_lookup_file_is_named(line: str) -> None:
    rows, wrong = parse(f"# comment\n\n{line}\n10000 5m 1 2 3 -4\n")
    assert [row.speed for row in rows] == [10_000]
    assert [(finding.code, finding.path) for finding in wrong] == [("bad-line", "pg_profile_lookup.ini:3")]


def test_a_line_that_is_given_twice_counts_once() -> None:
    rows, wrong = parse("10000 5m 1 2 3 4\n10000 5m 9 2 3 4 5\n")
    assert [(row.size, row.xon_offset) for row in rows] == [(9, 5)]
    assert [finding.code for finding in wrong] == ["duplicate-line"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"asic": "tomahawc"}, "asic"),
        ({"buffer": "5 parsec"}, "buffer"),
        ({"cell_size": 0}, "cell_size"),
        ({"asic": "jericho"}, "buffer"),
        ({"colour": 1}, "colour"),
    ],
)
def test_a_wrong_chip_is_named(given: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        import_sonic({}, **given)
    assert refused.value.problems[0].path == path


SOUND = pair()
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.just("9" * 5000),
    st.sampled_from(["-1", "-9", "1e9", "0x10", "NULL", "3-4", "18446744073709551615", "", "|", "a|b|c"]),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(data=st.data())
@settings(max_examples=60)
def test_no_configuration_is_a_crash(data: st.DataObject) -> None:
    config, lookup, _ = SOUND
    config = copy.deepcopy(config)
    for _ in range(data.draw(st.integers(1, 4))):
        table = data.draw(st.sampled_from(sorted(config)))
        rows = config[table]
        if not isinstance(rows, dict) or not rows or data.draw(st.integers(0, 3)) == 0:
            config[table] = data.draw(JUNK)
            continue
        key = data.draw(st.sampled_from(sorted(rows)))
        row = rows[key]
        if not isinstance(row, dict) or not row:
            rows[key] = data.draw(JUNK)
        elif data.draw(st.booleans()):
            row[data.draw(st.sampled_from(sorted(row)))] = data.draw(JUNK)
        else:
            rows[data.draw(st.text(max_size=12))] = rows.pop(key)
    report = import_sonic(config, lookup + data.draw(st.text(max_size=30)), asic="tomahawk4")
    json.dumps(report.to_dict(), allow_nan=False)
