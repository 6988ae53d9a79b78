"""``footroom voq``: the queue limit that keeps the wait behind several line cards short."""

from __future__ import annotations

import argparse

from footroom.calculators.voq import VoqQuestion, answer
from footroom.cli import fields, show


def options(parser: argparse.ArgumentParser) -> None:
    """One option per field of the question."""
    fields.add(parser, VoqQuestion)


def command(chosen: argparse.Namespace) -> int:
    """Work it out and print it with its formula."""
    found = answer(fields.read(chosen, VoqQuestion))
    if chosen.json:
        show.print_json(found.to_dict())
        return 0
    for one in found.explanations:
        packets = f" ({found.packets} packets)" if one.name == "voq_limit" else ""
        print(f"{one.title}: {show.number(one.value, one.unit)}{packets}, from {one.formula}")
    print(f"holds: {found.explanations[0].holds}")
    return 0
