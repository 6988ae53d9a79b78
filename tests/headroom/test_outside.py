"""A number outside what its scheme holds for says so on every surface, and is never enough."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr
from footroom.cli import main


def schemes_at(**asked: Any) -> dict[str, Any]:
    return dict(fr.headroom(**{"cable": "40 m", **asked}).schemes)


def test_limits_are_known_to_800_gigabits() -> None:
    assert {name for name, one in schemes_at(speed="10G").items() if one["outside"]} == set()
    assert {name for name, one in schemes_at(speed="800G").items() if one["outside"]} == {"sih", "dsh"}
    beyond = schemes_at(speed="1.6T")
    assert all(one["outside"] for one in beyond.values())
    assert beyond["ieee"]["outside"].startswith("response limits are known from 1 to 800 Gb/s, and this link has 1.6 T")


def test_a_chip_s_own_law_holds_at_the_speeds_of_its_tables() -> None:
    assert schemes_at(speed="1.6T", asic="tomahawk6", scheme="vendor", maker="micas")["vendor"]["outside"] == ""


def test_quanta_given_by_hand_are_no_assumption() -> None:
    assert all(not one["outside"] for one in schemes_at(speed="1.6T", response_quanta=3620).values())


@pytest.mark.parametrize("speed", ["800G", "1.6T"])
def test_what_is_outside_is_never_enough(speed: str) -> None:
    answer = fr.headroom(speed=speed, cable="40 m", configured="50 MB", watermark="1 kB").to_dict()
    for judged in (answer["configured"]["schemes"], answer["watermark"]["schemes"]):
        assert {name: one["enough"] for name, one in judged.items()} == {
            name: not one["outside"] for name, one in answer["schemes"].items()
        }


def test_the_watermark_is_judged_where_it_was_seen() -> None:
    answer = fr.headroom(speed="1.6T", cable="40 m", scheme="ieee", watermark="1 kB", watermark_speed="400G").to_dict()
    assert answer["watermark"]["schemes"]["ieee"]["enough"]


def test_the_command_line_marks_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["headroom", "--speed", "1.6T", "--cable", "40m", "--scheme", "ieee"]) == 0
    shown = capsys.readouterr().out
    assert "! 568280 B" in shown
    assert "! outside the validity of ieee: response limits are known from 1 to 800 Gb/s" in shown


def test_the_figure_fades_it() -> None:
    figure = fr.headroom(speed="1.6T", cable="40 m", scheme="ieee").figure()
    assert {bar.opacity for bar in figure.data} == {0.4}
    assert figure.layout.xaxis.ticktext == ("! ieee",)


def test_a_pool_says_it_of_its_headroom(capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"buffer": "200 MB", "ports": "8x1600G@40m", "scheme": {"kind": "vendor"}}
    found = fr.pool(**asked).to_dict()
    assert found["outside"].startswith("response limits")
    assert found["schemes"] is not None
    assert found["schemes"]["ieee"]["outside"] != ""
    assert fr.pool(**{**asked, "headroom": "500 kB"}).to_dict()["outside"] == ""
    assert main(["pool", "--buffer", "200MB", "--ports", "8x1600G@40m", "--scheme", "vendor"]) == 0
    shown = capsys.readouterr().out
    assert "! fits: " in shown
    assert "! outside validity: response limits" in shown


def test_an_exported_configuration_warns_of_it() -> None:
    made = fr.export("sonic", ports="8x1600G@40m", asic="tomahawk6", scheme="ieee").to_dict()
    assert any("outside what its scheme holds for" in warning for warning in made["warnings"])


def test_the_range_is_that_of_the_schemes_that_hold() -> None:
    answer = fr.headroom(speed="400G", cable="40 m").to_dict()
    holding = [one["headroom"] for one in answer["schemes"].values() if not one["outside"]]
    assert answer["range"]["lowest"]["headroom"] == min(holding) > answer["schemes"]["sih"]["headroom"]
    beyond = fr.headroom(speed="1.6T", cable="40 m", scheme=["sih", "ieee"]).to_dict()
    assert beyond["range"]["lowest"]["scheme"] == "sih"
