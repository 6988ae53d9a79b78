"""What is inconsistent in a configuration is found where it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.export.configurations import codes, pair

from footroom.calculators.export.sonic.importing import import_sonic

FAULTS: dict[str, tuple[Any, str, str]] = {
    "headroom gone": (
        lambda c: c["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"].pop("xoff"),
        "xoff-missing",
        "BUFFER_PROFILE|pg_lossless_100000_40m_profile.xoff",
    ),
    "headroom not kept": (
        lambda c: c["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"].update(size="0"),
        "headroom-not-kept",
        "BUFFER_PROFILE|pg_lossless_100000_40m_profile.size",
    ),
    "headroom above the pool's": (
        lambda c: c["BUFFER_POOL"]["ingress_lossless_pool"].update(xoff="1000"),
        "headroom-above-pool",
        "BUFFER_PROFILE|pg_lossless_100000_40m_profile.xoff",
    ),
    "size above the pool": (
        lambda c: c["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"].update(size="999999999"),
        "size-above-pool",
        "BUFFER_PROFILE|pg_lossless_100000_40m_profile.size",
    ),
    "profile gone": (
        lambda c: c["BUFFER_PROFILE"].pop("pg_lossless_100000_40m_profile"),
        "dangling-reference",
        "BUFFER_PG|Ethernet0|3-4.profile",
    ),
    "cable gone": (lambda c: c["CABLE_LENGTH"]["AZURE"].pop("Ethernet4"), "cable-missing", "CABLE_LENGTH|Ethernet4"),
    "priority group gone": (
        lambda c: (c["BUFFER_PG"].pop("Ethernet4|3-4"), c["CABLE_LENGTH"]["AZURE"].update(Ethernet4="77m")),
        "lossless-without-profile",
        "BUFFER_PG|Ethernet4|3",
    ),
    "pool by percentage": (
        lambda c: (
            c["BUFFER_POOL"]["egress_lossy_pool"].pop("size"),
            c["BUFFER_POOL"]["egress_lossy_pool"].update(percentage="50"),
        ),
        "percentage-not-dynamic",
        "BUFFER_POOL|egress_lossy_pool.percentage",
    ),
    "pool without a size": (
        lambda c: c["BUFFER_POOL"]["ingress_lossless_pool"].pop("size"),
        "pool-size-missing",
        "BUFFER_POOL|ingress_lossless_pool.size",
    ),
    "no threshold": (
        lambda c: c["BUFFER_PROFILE"]["egress_lossy_profile"].pop("dynamic_th"),
        "threshold-missing",
        "BUFFER_PROFILE|egress_lossy_profile",
    ),
    "both thresholds": (
        lambda c: c["BUFFER_PROFILE"]["egress_lossy_profile"].update(static_th="5"),
        "conflict",
        "BUFFER_PROFILE|egress_lossy_profile",
    ),
    "headroom at egress": (
        lambda c: c["BUFFER_PROFILE"]["egress_lossy_profile"].update(xoff="5"),
        "xoff-at-egress",
        "BUFFER_PROFILE|egress_lossy_profile.xoff",
    ),
    "other numbers than the lookup file": (
        lambda c: c["BUFFER_PROFILE"]["pg_lossless_100000_40m_profile"].update(xon="4064"),
        "lookup-differs",
        "BUFFER_PROFILE|pg_lossless_100000_40m_profile",
    ),
    "lossless queue that drops": (
        lambda c: (
            c["BUFFER_QUEUE"].update({"Ethernet0|3-4": {"profile": "egress_lossy_profile"}})
            or c["BUFFER_PROFILE"]["egress_lossy_profile"].update(dynamic_th="0")
        ),
        "lossless-queue-drops",
        "BUFFER_PROFILE|egress_lossy_profile.dynamic_th",
    ),
    "number instead of text": (
        lambda c: c["BUFFER_POOL"]["egress_lossy_pool"].update(size=12),
        "not-a-string",
        "BUFFER_POOL|egress_lossy_pool.size",
    ),
    "list instead of text": (
        lambda c: c["BUFFER_POOL"]["egress_lossy_pool"].update(size=[12]),
        "bad-value",
        "BUFFER_POOL|egress_lossy_pool.size",
    ),
    "null instead of text": (
        lambda c: c["BUFFER_POOL"]["egress_lossy_pool"].update(size=None),
        "bad-value",
        "BUFFER_POOL|egress_lossy_pool.size",
    ),
    "row that is no object": (lambda c: c["BUFFER_POOL"].update(x="y"), "bad-row", "BUFFER_POOL|x"),
    "table that is no object": (lambda c: c.update(BUFFER_POOL=[]), "bad-table", "BUFFER_POOL"),
    "older reference": (
        lambda c: c["BUFFER_PG"]["Ethernet0|0"].update(profile="[BUFFER_PROFILE|ingress_lossy_profile]"),
        "old-reference",
        "BUFFER_PG|Ethernet0|0.profile",
    ),
    "several ports in one name": (
        lambda c: c["BUFFER_PG"].update({"Ethernet0,Ethernet4|0": {"profile": "ingress_lossy_profile"}}),
        "several-ports",
        "BUFFER_PG|Ethernet0,Ethernet4|0",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_inconsistency_is_found_where_it_is(fault: str) -> None:
    spoil, code, path = FAULTS[fault]
    config, lookup, _ = pair()
    assert (code, path) not in codes(import_sonic(config, lookup))
    spoil(config)
    if fault == "cable gone":
        lookup = ""
    report = import_sonic(config, lookup)
    assert (code, path) in codes(report)
    json.dumps(report.to_dict(), allow_nan=False)
