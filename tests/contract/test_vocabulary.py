"""One word for one thing (docs/glossary.md) in all names that programs see: keys of the API, kinds, options.

A name is taken apart at its underscores and dashes; a concept of the glossary is named by its own word only.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any

from footroom import studies
from footroom.cli.parser import build_parser
from footroom.kernel import engine_tables, flow_tables, tables
from footroom_api.app import create_app

#: The word of the glossary, and others that would name the same. Two words stand for each other as neighbours.
OTHERS = {
    "priority class": {"klass", "cos", "traffic class", "dscp"},
    "traffic entry": {"workload", "flow group"},
    "congestion control": {"cc", "algorithm", "tcp variant"},
    "scenario": {"setup", "testcase"},
    "preset": {"template"},
    "study": {"experiment", "campaign"},
    "replica": {"repetition", "repetitions", "trial", "trials", "repeats"},
    "incast degree": {"fanin", "fan in"},
    "port": {"interface", "iface"},
    "link": {"wire", "circuit"},
    "memory": {"mmu", "ram"},
    "reserved": {"guaranteed", "guarantee"},
    "dynamic threshold": {"dt"},
    "priority group": {"pg"},
    "marking": {"aqm"},
    "scheduler": {"qdisc", "arbiter"},
    "drop rate": {"loss rate", "loss ratio", "drop ratio", "drop fraction"},
    "lossless drop": {"lossless loss"},
    "utilisation": {"utilization", "usage"},
    "completion time": {"latency", "sojourn"},
    "slowdown": {"stretch"},
    "headroom": {"skid"},
    "Xoff": {"high watermark", "pause threshold"},
    "Xon": {"low watermark", "resume threshold"},
    "static independent headroom": {"static headroom", "dedicated headroom"},
    "dynamic shared headroom": {"shared headroom"},
}
#: Names that others gave, and words that mean something else there.
THEIRS = {
    "interface_delay",  # IEEE 802.3: from the pins of a chip to the medium
    "pg_profile_lookup",  # SONiC's file and scripts
    "reserved_pg",
    "shared_headroom_pool",
    "pipeline_latency",  # of a chip, by its maker
    "experiment",  # of a paper
    "repeats",  # of a shipped row: another with the same xoff
}


def words(name: str) -> str:
    """A name as words with one space between them."""
    return " ".join(re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower()))


def keys(schema: Any) -> Iterator[str]:
    """Names of properties, and values of ``kind`` and of enumerations, anywhere in a JSON schema."""
    if isinstance(schema, dict):
        for name, inner in schema.items():
            if name == "properties" and isinstance(inner, dict):
                yield from inner
            if name in ("enum", "const"):
                yield from (one for one in (inner if isinstance(inner, list) else [inner]) if isinstance(one, str))
            yield from keys(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from keys(inner)


def kinds(catalog: Any) -> Iterator[str]:
    """Kinds and parameters of every axis."""
    if isinstance(catalog, dict):
        yield from (catalog[key] for key in ("kind", "name", "path") if isinstance(catalog.get(key), str))
        for inner in catalog.values():
            yield from kinds(inner)
    elif isinstance(catalog, (list, tuple)):
        for inner in catalog:
            yield from kinds(inner)


def options(of: argparse.ArgumentParser) -> Iterator[str]:
    """Options and names of commands."""
    for action in of._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield name
                yield from options(inner)


def other_words(names: set[str]) -> dict[str, set[str]]:
    """Names that have another word than the glossary's, by that word."""
    found: dict[str, set[str]] = {}
    for name in names - THEIRS:
        spaced = f" {words(name)} "
        for word, others in OTHERS.items():
            if any(f" {other} " in spaced for other in others):
                found.setdefault(word, set()).add(name)
    return found


def test_the_api_and_the_commands_have_one_word_for_one_thing() -> None:
    names = {*keys(create_app().openapi()), *options(build_parser()), *kinds(studies.catalog())}
    assert len(names) > 600  # or little was looked at
    assert other_words(names) == {}


def test_another_word_is_found() -> None:
    assert other_words({"loss_rate", "lossRate", "--pg-headroom", "drop_rate"}) == {
        "drop rate": {"loss_rate", "lossRate"},
        "priority group": {"--pg-headroom"},
    }


def test_tables_of_the_engine_are_called_by_what_they_hold() -> None:
    for module in (tables, engine_tables, flow_tables):
        assert not {name for name in vars(module) if name in ("SWITCH", "CLASS", "STACK")}
