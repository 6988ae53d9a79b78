"""Answers of the calculators, of papers and of comparisons are what is declared next to what makes them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.contract.declared import check
from tests.ecn.test_advice import LAN
from tests.export.configurations import pair
from tests.pool.test_surfaces import ASKED
from tests.stability.documents import dcqcn, red

import footroom as fr
from footroom import questions
from footroom.calculators.ecn.document import EcnDocument
from footroom.calculators.emulator.document import EmulateDocument
from footroom.calculators.export.document import ExportDocument, ImportDocument
from footroom.calculators.export.sonic.importing import import_sonic
from footroom.calculators.headroom.document import HeadroomDocument
from footroom.calculators.pool.document import PoolDocument
from footroom.calculators.stability import published
from footroom.calculators.stability.analyse import analyse
from footroom.calculators.stability.critical import critical
from footroom.calculators.stability.document import CriticalDocument, CurveDocument, MapDocument, StabilityDocument
from footroom.calculators.stability.grid import stability_map
from footroom.calculators.voq import VoqQuestion
from footroom.calculators.voq import answer as voq
from footroom.calculators.voq.document import VoqDocument
from footroom.engines.plan.memory import memory
from footroom.papers.catalogue import papers
from footroom.papers.document import PaperCase, PaperDocument, PaperSummary
from footroom.papers.listing import cases_of
from footroom.papers.release import released
from footroom.parts.asics import ASICS
from footroom.parts.asics.document import AsicDocument
from footroom.questions.document import QuestionDocument
from footroom.result.memory import SwitchMemory
from footroom.scenario import Scenario, presets
from footroom.scenario.presets.document import PresetDocument, PresetSummary
from footroom.studies import Study, catalog, cost_of, search
from footroom.studies.accuracy.document import EngineError
from footroom.studies.accuracy.release import released as accuracy
from footroom.studies.accuracy.release import summary
from footroom.studies.alternatives import alternatives
from footroom.studies.catalogue_document import Catalog
from footroom.studies.controls.document import ControlsDocument
from footroom.studies.derived import derive
from footroom.studies.document import (
    ChangeDocument,
    Cost,
    Derived,
    PointDocument,
    SeededStudy,
    SizeDocument,
    UnsupportedDocument,
    WhatIfDocument,
)
from footroom.studies.what_if import request, what_if

HEADROOM: list[dict[str, Any]] = [
    {"speed": "100G", "cable": "300 m", "asic": "tomahawk"},
    {"speed": "400G", "cable": "2 km", "watermark": "300 kB", "configured": "90 kB"},
    {"speed": "100G", "cable": "40 m", "scheme": ["sonic", "dsh"], "watermark": "1 kB", "asic": "trident2"},
]

CHIP: dict[str, Any] = {"asic": "tomahawk4", "ports": "8x100G@40m,8x400G@300m", "kmin": "400 kB", "kmax": "1 MB"}


@pytest.mark.parametrize("asked", HEADROOM)
def test_headroom(asked: dict[str, Any]) -> None:
    check(HeadroomDocument, fr.headroom(**asked).to_dict())


@pytest.mark.parametrize("more", [{}, {"pools": None}, {"marking": None, "incast": None}])
def test_pool(more: dict[str, Any]) -> None:
    asked = {name: value for name, value in {**ASKED, **more}.items() if value is not None}
    check(PoolDocument, fr.pool(**asked).to_dict())


def test_emulation() -> None:
    found = fr.emulate(policies=["dynamic_threshold", "static"], buffer="1 MB", degree=20, size="64 kB", bursts=2)
    check(EmulateDocument, found.to_dict())


def test_ecn() -> None:
    check(EcnDocument, fr.ecn(**LAN).to_dict())


@pytest.mark.parametrize("document", [red(1e-4), dcqcn(4, 4e-6), dcqcn(64, 85e-6)])
def test_stability(document: dict[str, Any]) -> None:
    check(StabilityDocument, analyse(Scenario.parse(document), trajectory=True, curve=True).to_dict())


def test_stability_over_two_fields_and_where_it_ends() -> None:
    scenario = Scenario.parse(dcqcn(8, 50e-6))
    axes = ("traffic.0.flows", [2, 16]), ("topology.rtt", [1e-5, 1e-4])
    check(MapDocument, stability_map(scenario, *axes, margins=True).to_dict())
    check(CriticalDocument, critical(scenario, "topology.rtt", None).to_dict())
    for curve in published.index():
        check(CurveDocument, curve)


@pytest.mark.parametrize("target", ["sonic", "nxos", "eos", "junos"])
def test_export(target: str) -> None:
    check(ExportDocument, fr.export(target, **CHIP).to_dict())


def test_import() -> None:
    config, lookup, _ = pair(over_subscribe_ratio=2)
    check(ImportDocument, import_sonic(config, lookup, asic="tomahawk4").to_dict())


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.id)
def test_papers(paper: Any) -> None:
    results = released()
    check(PaperSummary, {**paper.summary(), "verdicts": {}, "released": results.of(paper, figures=False)})
    check(PaperDocument, {**paper.to_dict(), "verdicts": {}, "released": results.of(paper)})
    for case in cases_of(paper, "smoke"):
        check(PaperCase, case.to_dict())


LINK: dict[str, Any] = {
    "topology": {"kind": "dumbbell", "bottleneck": "100 Mb/s", "rtt": "20 ms"},
    "switch": {"buffer": "50 kB"},
    "traffic": [{"kind": "long_lived", "flows": 2}],
}


def test_size_cost_and_what_follows_by_arithmetic() -> None:
    for require in (["utilisation>=0.9"], ["queue_mean<=1 B"]):
        check(SizeDocument, search(LINK, require, engine="theory").to_dict())
    check(Cost, cost_of(Study.of(LINK, {"switch.buffer": ["10 kB", "1 MB"]}, ["theory", "packet"], 2)).to_dict())
    check(Derived, derive(Scenario.parse(LINK)))
    check(Derived, derive(fr.load("facebook-ebb-load")))


def test_points_and_refusals() -> None:
    found = fr.sweep(LINK, over={"topology.rtt": ["10 ms", "20 ms"]}, engines=["theory"])
    for point in found.points:
        check(PointDocument, point.to_dict())
    (refused,) = fr.sweep("dcqcn-fabric", over={"run.seed": [1]}, engines=["theory", "fluid"]).unsupported[:1]
    check(UnsupportedDocument, refused.to_dict())


def test_what_if_and_ready_changes() -> None:
    scenario = {**LINK, "run": {"duration": "2 s", "warmup": "1 s"}}
    check(SeededStudy, request(scenario, 2))
    for replicas in (1, 2):
        check(WhatIfDocument, what_if(scenario, {"switch.buffer": "20 kB"}, replicas=replicas).to_dict())
    ready = alternatives(Scenario.parse(presets.load("lossless-incast").scenario))
    assert ready
    for change in ready:
        check(ChangeDocument, change.to_dict())


def test_what_a_scenario_can_be_made_of() -> None:
    check(Catalog, catalog())
    for preset in presets.PRESETS:
        check(PresetSummary, preset.summary())
        check(PresetDocument, preset.to_dict())
    for question in questions.index():
        check(QuestionDocument, question)
    for asic in ASICS:
        check(AsicDocument, asic.to_dict())


@pytest.mark.parametrize("preset", ["lossless-incast", "pfc-response-headroom", "dctcp-rack"])
def test_memory(preset: str) -> None:
    for one in memory(presets.load(preset).scenario):
        check(SwitchMemory, one.to_dict())


def test_voq() -> None:
    for limit in (None, 5e8):
        check(VoqDocument, voq(VoqQuestion(limit=limit)).to_dict())


def test_errors_of_engines() -> None:
    for row in summary(accuracy().cases):
        check(EngineError, row)


def test_controls() -> None:
    found = fr.controls("wan-bottleneck", ["utilisation>=0.9"], engines=["theory"], controls=["newreno", "cubic"])
    check(ControlsDocument, found.to_dict())
