"""What a scenario gives, and what of it is said not to be expressed."""

from __future__ import annotations

from typing import Any

import pytest

from footroom.base.component import Component
from footroom.base.errors import Infeasible, InvalidInput
from footroom.calculators.export.interface import export
from footroom.parts.scheduling import Drr
from footroom.parts.topology import LeafSpine
from footroom.scenario import Scenario
from footroom.scenario.presets import PRESETS


def test_a_rack_becomes_ports_cables_alpha_and_marking(rack: dict[str, Any]) -> None:
    made = export("sonic", rack, lossless="3,4")
    config = made.data("config_db.json")
    assert len(config["PORT"]) == 8
    assert {row["speed"] for row in config["PORT"].values()} == {"100000"}
    # 6 us there and back over two cables: 1.5 us each way is 300 m at 5 ns/m.
    assert set(config["CABLE_LENGTH"]["AZURE"].values()) == {"300m"}
    assert any("5 ns/m" in warning for warning in made.warnings)
    assert config["BUFFER_PROFILE"]["pg_lossless_100000_300m_profile"]["dynamic_th"] == "-3"
    assert config["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_max_threshold"] == "400000"
    assert config["BUFFER_POOL"]["egress_lossless_pool"]["size"] == str(12_000_000 // 208 * 208)


def test_given_cables_win_over_delays(rack: dict[str, Any]) -> None:
    made = export("sonic", rack, cable="40 m")
    assert set(made.data("config_db.json")["CABLE_LENGTH"]["AZURE"].values()) == {"40m"}


def test_given_ports_win_over_links(rack: dict[str, Any]) -> None:
    made = export("sonic", rack, ports="3x25G@7m")
    assert len(made.data("config_db.json")["PORT"]) == 3
    assert not any("5 ns/m" in warning for warning in made.warnings)


def test_a_network_too_large_to_look_at_is_refused(rack: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LeafSpine, "build", lambda *_: pytest.fail("it was built"))
    rack["topology"] = {"kind": "leaf_spine", "leaves": 1000, "spines": 10, "hosts_per_leaf": 100}
    with pytest.raises(InvalidInput, match="32x100G@300m"):
        export("sonic", rack)


def test_a_switch_without_headroom_pauses_nobody_unless_told(rack: dict[str, Any]) -> None:
    lossy = export("sonic", rack)
    config = lossy.data("config_db.json")
    assert {key.split("|")[1] for key in config["BUFFER_PG"]} == {"0"}
    assert "pfc_enable" not in config["PORT_QOS_MAP"]["Ethernet0"]
    assert any("nothing pauses" in warning for warning in lossy.warnings)
    # Marking holds for every queue then, as in the scenario.
    assert all("wred_profile" in row for row in config["QUEUE"].values())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"marking": {"kind": "pi", "target": "100 kB"}}, "switch.marking pi is not expressed"),
        ({"marking": {"kind": "red", "kmin": 1000, "kmax": 2000, "weight": 0.002}}, "switch.marking.weight 0.002"),
        ({}, "one queue per port"),
    ],
)
def test_what_cannot_be_expressed_is_named(rack: dict[str, Any], change: dict[str, Any], words: str) -> None:
    rack["switch"] |= change
    assert any(words in warning for warning in export("sonic", rack).warnings)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # the stand-ins are not what the fields declare
def test_kinds_to_come_are_read_by_what_they_declare(rack: dict[str, Any]) -> None:
    """A switch with headroom, another scheduler and lossless traffic, as the parts of a scenario will declare them."""

    class Pausing(Component):
        kind: str = "static_independent"
        private: float = 3072.0

    scenario = Scenario.parse(rack)
    switch = scenario.switch.model_copy(update={"headroom": Pausing(private=1.0), "scheduling": Drr(quantum=2000.0)})
    traffic = tuple(
        entry.model_copy(update={"priority": priority})
        for entry, priority in zip(scenario.traffic * 2, (5, "any_lossless"), strict=True)
    )
    made = export("sonic", scenario.model_copy(update={"switch": switch, "traffic": traffic}))
    assert made.data("config_db.json")["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] == "3,4,5"
    for words in ("switch.scheduling: quantum not expressed", "switch.headroom: private not expressed", "any_lossless"):
        assert any(words in warning for warning in made.warnings)


def test_a_step_marks_everything_above_one_threshold(rack: dict[str, Any]) -> None:
    rack["switch"]["marking"] = {"kind": "step", "threshold": "65 kB"}
    row = export("sonic", rack).data("config_db.json")["WRED_PROFILE"]["AZURE_LOSSLESS"]
    assert (row["green_min_threshold"], row["green_max_threshold"], row["green_drop_probability"]) == (
        "65000",
        "65000",
        "100",
    )


@pytest.mark.parametrize(
    ("sharing", "field", "limit"),
    [
        ({"kind": "complete"}, "static_th", 11_999_936),
        ({"kind": "static"}, "static_th", 1_500_000),
        ({"kind": "static", "per_queue": "1 MB"}, "static_th", 1_000_000),
        ({"kind": "dynamic_threshold", "alpha": 2}, "dynamic_th", 1),
    ],
)
def test_sharing_becomes_a_threshold(rack: dict[str, Any], sharing: dict[str, Any], field: str, limit: int) -> None:
    rack["switch"]["sharing"] = sharing
    profile = export("sonic", rack).data("config_db.json")["BUFFER_PROFILE"]["egress_lossy_profile"]
    assert profile[field] == str(limit)
    assert {"static_th", "dynamic_th"} - set(profile) == {"static_th", "dynamic_th"} - {field}


def test_a_memory_beyond_the_chip_is_refused(rack: dict[str, Any]) -> None:
    rack["switch"]["buffer"] = "17 MB"
    with pytest.raises(Infeasible, match="15982720 B of Tomahawk"):
        export("sonic", rack, asic="tomahawk")


def test_one_of_several_switches_is_chosen_by_name() -> None:
    dumbbell = {
        "topology": {"kind": "dumbbell", "bottleneck": "10 Gb/s", "access": "25 Gb/s", "rtt": "8 us"},
        "switch": {"buffer": "4 MB"},
        "traffic": [{"kind": "long_lived", "flows": 3}],
    }
    made = export("sonic", dumbbell)
    assert any("the scenario has 2 switches; this is left" in warning for warning in made.warnings)
    speeds = [row["speed"] for row in made.data("config_db.json")["PORT"].values()]
    assert sorted(speeds) == ["10000", "25000", "25000", "25000"]
    assert export("sonic", dumbbell, switch="right").warnings != made.warnings
    with pytest.raises(InvalidInput, match="left, right"):
        export("sonic", dumbbell, switch="middle")


@pytest.mark.parametrize("target", ["sonic", "nxos", "eos", "junos"])
@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS])
def test_every_preset_can_be_exported_or_says_why_not(preset: str, target: str) -> None:
    try:
        made = export(target, preset)
    except InvalidInput as error:
        refused = error
    except Infeasible:  # its memory suits the headroom of its own scheme, not the device's
        assert preset in {"lossless-and-lossy", "headroom-too-small", "hpcc-against-dcqcn"}
        return
    else:
        assert len(made.files) >= 2
        return
    assert [problem.path for problem in refused.problems] == ["ports"]
    assert len(export(target, preset, ports="8x100G@40m").files) >= 2


def test_a_switch_that_differs_is_exported_with_its_own_settings(rack: dict[str, Any]) -> None:
    rack["topology"] = {
        "kind": "leaf_spine",
        "leaves": 2,
        "spines": 2,
        "hosts_per_leaf": 4,
        "host_rate": "100G",
        "fabric_rate": "100G",
        "link_delay": "1.5 us",
    }
    rack["switches"] = {"spine": {"marking": {"kind": "step", "threshold": "600 kB"}}}

    def green(switch: str | None) -> str:
        made = export("sonic", rack, switch=switch, lossless="3,4").data("config_db.json")
        return str(made["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_max_threshold"])

    assert [green(switch) for switch in ("spine1", "leaf0", None)] == ["600000", "400000", "400000"]
