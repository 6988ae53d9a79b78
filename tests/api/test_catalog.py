"""The catalogue follows the registries by itself."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from footroom.result import METRICS
from footroom.scenario import Scenario
from footroom.scenario.kinds import REGISTRIES


@pytest.fixture
def catalog(client: TestClient) -> dict[str, Any]:
    response = client.get("catalog")
    assert response.status_code == 200
    document: dict[str, Any] = response.json()
    return document


def test_every_kind_of_every_registry_is_there(catalog: dict[str, Any]) -> None:
    shown = {axis["axis"]: ([kind["kind"] for kind in axis["kinds"]], axis["planned"]) for axis in catalog["axes"]}
    assert shown == {registry.axis: (list(registry.names), list(registry.planned)) for registry in REGISTRIES}
    assert {
        "topology",
        "sharing",
        "marking",
        "headroom",
        "scheduling",
        "architecture",
        "traffic",
        "congestion",
    } <= shown.keys()


def test_every_kind_says_what_it_is(catalog: dict[str, Any]) -> None:
    for axis in catalog["axes"]:
        assert axis["title"]
        for kind in axis["kinds"]:
            assert kind["title"], kind["kind"]
            assert kind["summary"], kind["kind"]
            assert kind["schema"]["properties"]["kind"]["const"] == kind["kind"]


def test_parameters_carry_units_symbols_bounds_and_defaults(catalog: dict[str, Any]) -> None:
    dumbbell = next(k for axis in catalog["axes"] for k in axis["kinds"] if k["kind"] == "dumbbell")
    rtt = dumbbell["schema"]["properties"]["rtt"]
    assert rtt["unit"] == "s"
    assert rtt["symbol"] == "RTT"
    assert rtt["default"] == 0.02
    assert (rtt["minimum"], rtt["maximum"]) == (1e-12, 60)
    for axis in catalog["axes"]:
        for kind in axis["kinds"]:
            for name, field in kind["schema"]["properties"].items():
                assert name == "kind" or field.get("description"), f"{kind['kind']}.{name}"


def test_parts_that_are_optional_show_what_stands_in_for_them(catalog: dict[str, Any]) -> None:
    assert catalog["switch"]["properties"]["sharing"]["default"]["kind"] == "complete"
    long_lived = next(k for axis in catalog["axes"] for k in axis["kinds"] if k["kind"] == "long_lived")
    assert long_lived["schema"]["properties"]["congestion"]["default"]["kind"] == "newreno"
    assert long_lived["schema"]["properties"]["host"]["default"]["initial_window"] == 10


def test_the_schema_accepts_what_is_parsed_and_refuses_what_is_not(
    catalog: dict[str, Any], document: dict[str, Any]
) -> None:
    validator = jsonschema_rs.validator_for(catalog["scenario"])
    validator.validate(document)
    validator.validate(Scenario.parse(document).to_dict())
    assert not validator.is_valid(document | {"colour": "red"})
    assert not validator.is_valid({k: v for k, v in document.items() if k != "traffic"})


def test_engines_and_metrics_are_described(catalog: dict[str, Any]) -> None:
    assert [engine["engine"] for engine in catalog["engines"]] == ["theory", "fluid", "hybrid", "packet", "reference"]
    assert catalog["metrics"].keys() == METRICS.keys()
    assert catalog["metrics"]["queue_mean"]["unit"] == "B"


def test_an_unchanged_catalogue_costs_no_body(client: TestClient) -> None:
    tag = client.get("catalog").headers["etag"]
    response = client.get("catalog", headers={"if-none-match": tag})
    assert response.status_code == 304
    assert response.content == b""
    assert response.headers["etag"] == tag


def test_health(client: TestClient) -> None:
    document = client.get("health").json()
    assert document["status"] == "ok"
    assert document["database"] == "ok"
    assert document["engine"] == "cold"
    assert document["version"]


def test_health_says_that_the_database_is_gone(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import Engine
    from sqlalchemy.exc import OperationalError

    def gone(self: Engine) -> None:
        raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr(Engine, "connect", gone)
    response = client.get("health")
    assert response.status_code == 503
    assert response.json()["status"] == "degraded"


def test_presets_can_be_run_as_they_stand(client: TestClient) -> None:
    listed = client.get("presets").json()["presets"]
    assert listed
    for preset in listed:
        document = client.get(f"presets/{preset['id']}").json()
        assert document["title"] == preset["title"]
        Scenario.parse(document["scenario"])
    assert client.get("presets/nothing").status_code == 404


def test_a_preset_is_a_study(client: TestClient) -> None:
    document = client.get("presets/wan-bottleneck").json()
    body = {name: document[name] for name in ("scenario", "over", "engines")}
    assert client.post("studies", json=body).status_code == 202
