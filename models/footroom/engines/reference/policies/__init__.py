"""Sharing policies in plain Python; their meaning is documented with ``footroom.parts.sharing``.

A new one is a file with a subclass of ``Rule`` and a line in RULES.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from footroom.base.errors import Unsupported
from footroom.engines.reference.policies.abm import AbmRule
from footroom.engines.reference.policies.edt import EdtRule
from footroom.engines.reference.policies.fab import FabRule
from footroom.engines.reference.policies.plain import CompleteRule, DynamicThresholdRule, StaticRule
from footroom.engines.reference.policies.rule import Pool, Rule
from footroom.engines.reference.policies.smartbuf import SmartbufRule
from footroom.parts.sharing import Abm, Complete, DynamicThreshold, Edt, Fab, Policy, Smartbuf, Static

RULES: dict[type[Policy], Callable[[Any, Pool], Rule]] = {
    Complete: CompleteRule,
    Static: StaticRule,
    DynamicThreshold: DynamicThresholdRule,
    Edt: EdtRule,
    Fab: FabRule,
    Abm: AbmRule,
    Smartbuf: SmartbufRule,
}


def rule_of(policy: Policy, memory: Pool) -> Rule:
    """``policy`` at work in ``memory``, in its initial state. Raises Unsupported for one this engine does not know."""
    if type(policy) not in RULES:
        kind = policy.model_dump()["kind"]
        raise Unsupported(
            f'the reference engine does not know the sharing policy "{kind}"',
            path="switch.sharing.kind",
            given=kind,
            engines=("packet",),
        )
    return RULES[type(policy)](policy, memory)


__all__ = ["RULES", "Pool", "Rule", "rule_of"]
