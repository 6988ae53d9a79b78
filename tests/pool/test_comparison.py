"""The comparison of schemes in a pool's answer is what the headroom calculator says of the same link."""

from __future__ import annotations

from typing import Any

import pytest
from tests.pool.plain import plain

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.calculators.pool import assess

PORTS = {"asic": "tomahawk", "ports": "4x100G@300m"}


@pytest.mark.parametrize("asic", ["tomahawk", "spectrum-4", "tomahawk5"])
def test_each_scheme_has_the_headroom_that_the_calculator_gives(asic: str) -> None:
    found = plain(assess(asic=asic, ports="4x100G@300m"))["schemes"]
    alone = fr.headroom(speed="100G", cable="300 m", asic=asic).schemes
    assert {name: one["each"] for name, one in found.items()} == {
        name: [one["headroom"]] for name, one in alone.items()
    }


def test_parameters_of_schemes_that_are_only_compared_are_used() -> None:
    compared: dict[str, Any] = {"sonic": {"port_mtu": 9216}, "vendor": {"inflation_factor": 3}}
    found = plain(assess(**PORTS, scheme="ieee", compared=compared))["schemes"]
    alone = fr.headroom(speed="100G", cable="300 m", asic="tomahawk", port_mtu=9216, inflation_factor=3).schemes
    assert [found[name]["each"][0] for name in ("sonic", "vendor")] == [
        alone[name]["headroom"] for name in ("sonic", "vendor")
    ]


def test_parameters_may_be_text() -> None:
    short = plain(assess(**PORTS, compared="sonic.port_mtu=9216,vendor.inflation_factor=3"))["schemes"]
    spelled: dict[str, Any] = {"sonic": {"port_mtu": 9216}, "vendor": {"inflation_factor": 3}}
    assert short == plain(assess(**PORTS, compared=spelled))["schemes"]


def test_a_headroom_that_is_another_beside_a_shared_pool_is_said() -> None:
    """SONiC's newest form adds 2 KiB only without a shared headroom pool: 102400 B alone, 100352 B beside one."""
    found = assess(**PORTS, over_subscribe_ratio=2)
    assert plain(found)["schemes"]["sonic"]["each"] == [100_352]
    assert any("100352 B beside a shared headroom pool, 102400 B without" in note for note in found.notes)
    pooled = fr.headroom(speed="100G", cable="300 m", asic="tomahawk", over_subscribe_ratio=2, scheme="sonic")
    assert pooled.schemes["sonic"]["headroom"] == 100_352
    assert not any("without one" in note for note in assess(**PORTS).notes)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"compared": {"sonic": {"port_mtu": 1}}}, "compared.sonic.port_mtu"),
        ({"compared": {"sonic": {"nonsense": 1}}}, "compared.sonic.nonsense"),
        ({"compared": {"none": {}}}, "compared"),
        ({"compared": {"sonic": {"ports": 3}}}, "compared.sonic.ports"),
        ({"compared": ["ieee"]}, "compared"),
        ({"compared": 7}, "compared"),
        ({"compared": "sonic"}, "compared"),
        ({"compared": {"sonic": 3}}, "compared.sonic"),
        ({"compared": {"sonic": {"sku": "nonsense"}}}, "compared.sonic.sku"),
        ({"scheme": {"kind": "sonic", "sku": "nonsense"}}, "scheme.sku"),
        ({"scheme": {"kind": "vendor", "maker": "nonsense"}}, "scheme.maker"),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_where_they_stand(given: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        assess(**PORTS, **given)
    assert caught.value.problems[0].path == path
