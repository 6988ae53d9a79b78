"""Targets: vendors in whose format a configuration can be written. A new one is a file and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from footroom.base.errors import InvalidInput
from footroom.calculators.export.answer import Written
from footroom.calculators.export.configuration import Configuration
from footroom.calculators.export.eos import eos
from footroom.calculators.export.junos import junos
from footroom.calculators.export.nxos import nxos
from footroom.calculators.export.sonic.target import sonic


@dataclass(frozen=True)
class Target:
    """name: as it is asked for.  title: a reader's name.  write: its files; may raise Infeasible."""

    name: str
    title: str
    write: Callable[[Configuration], Written]


TARGETS = (
    Target("sonic", "SONiC: config_db.json and pg_profile_lookup.ini", sonic),
    Target("nxos", "Cisco NX-OS, Nexus 9000", nxos),
    Target("eos", "Arista EOS, platforms with Trident and Tomahawk chips", eos),
    Target("junos", "Juniper Junos, QFX5000", junos),
)


def target_named(name: str, path: str = "target") -> Target:
    """The target of that name. Raises InvalidInput at ``path``."""
    for target in TARGETS:
        if target.name == name:
            return target
    raise InvalidInput.at(path, name, f"known are {', '.join(target.name for target in TARGETS)}")
