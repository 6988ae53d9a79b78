"""A configuration that is read becomes a scenario whose memory is divided as the configuration divides it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from footroom.base.errors import InvalidInput
from footroom.calculators.export.interface import export
from footroom.calculators.export.sonic.importing import import_sonic
from footroom.cli.main import main
from footroom.engines.plan import Plan, build_plan
from footroom.scenario import Scenario
from footroom.studies.engines import engine_named


def configured(**changes: Any) -> tuple[dict[str, Any], str]:
    made = export(
        "sonic",
        **{
            "asic": "tomahawk4",
            "ports": "4x100G@40m,4x400G@300m",
            "kmin": "400 kB",
            "kmax": "1 MB",
            "pmax": 0.2,
            **changes,
        },
    )
    return made.data("config_db.json"), made.text("pg_profile_lookup.ini")


def plan_of(document: dict[str, Any]) -> Plan:
    return build_plan(Scenario.parse(document), engine="reference")


@pytest.mark.parametrize("ratio", [None, 2, 4])
def test_the_memory_is_divided_as_configured(ratio: int | None) -> None:
    config, lookup = configured(over_subscribe_ratio=ratio, reserved_pg=1500)
    report = import_sonic(config, lookup, asic="tomahawk4")
    document, notes = report.scenario()
    plan = plan_of(document)
    found, totals = plan.lossless, report.totals
    assert found is not None
    assert notes == ()
    assert found.pool_lossless[0] == totals.footroom
    assert found.group_headroom.sum() == totals.headroom_own
    assert found.group_reserved.sum() == totals.reserved == 16 * 1524
    assert np_pool(found.headroom_pool[0]) == (totals.shared_headroom_pool or None)
    profiles = report.to_dict()["profiles"]
    for q in range(0, plan.ports, 2):  # from host to switch
        name = "pg_lossless_400000_300m_profile" if plan.port_rate[q] == 400e9 else "pg_lossless_100000_40m_profile"
        assert found.group_headroom[q, 3] == profiles[name]["headroom"]
        assert found.xon_offset[q, 3] == profiles[name]["xon_offset"]
        assert found.group_alpha[q, 3] == profiles[name]["alpha"]
        assert plan.port_delay[q] in (200_000 - plan.port_jitter[q] // 2, 1_500_000 - plan.port_jitter[q] // 2)
    assert found.classes.tolist() == [[klass in (3, 4) for klass in range(8)]]


def np_pool(size: int) -> int | None:
    """Bytes of a headroom pool, None where there is none."""
    return None if size > 1 << 60 else int(size)


def test_the_scenario_runs() -> None:
    document, _ = import_sonic(*configured(), asic="tomahawk4").scenario()
    document["run"]["duration"] = "150 us"
    scenario = Scenario.parse(document)
    assert scenario.switch.marking.model_dump() == {
        "kind": "red",
        "kmin": 4e5,
        "kmax": 1e6,
        "pmax": 0.2,
        "weight": 1.0,
        "sample": "arrival",
    }
    result = engine_named("reference").evaluate(scenario, 1)
    assert result.metrics["fct_count"] == 7
    assert result.metrics["lossless_drops"] == 0


def test_what_has_no_counterpart_is_said() -> None:
    config, lookup = configured()
    profile = config["BUFFER_PROFILE"]["pg_lossless_400000_300m_profile"]
    del profile["dynamic_th"]
    profile["static_th"] = "1000000"
    del config["CABLE_LENGTH"]["AZURE"]["Ethernet0"]
    document, notes = import_sonic(config, lookup, asic="tomahawk4").scenario()
    assert any("Ethernet0: no cable length" in note for note in notes)
    assert any("profiles differ" in note for note in notes)
    plan_of(document)


def test_nothing_lossless_is_refused() -> None:
    config, _ = configured()
    del config["BUFFER_PG"]
    with pytest.raises(InvalidInput, match=r"config_db.BUFFER_PG.*pg_profile_lookup.ini"):
        import_sonic(config, asic="tomahawk4").scenario()
    with pytest.raises(InvalidInput, match=r"config_db.PORT"):
        import_sonic({"BUFFER_POOL": config["BUFFER_POOL"]}).scenario()


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, lookup = configured()
    files = tmp_path / "config_db.json", tmp_path / "pg_profile_lookup.ini", tmp_path / "scenario.json"
    files[0].write_text(json.dumps(config))
    files[1].write_text(lookup)
    command = ["import", "sonic", str(files[0]), str(files[1]), "--asic", "tomahawk4", "--scenario"]
    assert main([*command, str(files[2])]) == 0
    assert "footroom run" in capsys.readouterr().err
    plan_of(json.loads(files[2].read_text()))
    assert main([*command, str(tmp_path / "none" / "x.json")]) == 2
    assert "--scenario" in capsys.readouterr().err
