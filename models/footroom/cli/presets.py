"""``footroom presets``: what there is to start from."""

from __future__ import annotations

import argparse
import json

from footroom.cli import show
from footroom.scenario import presets


def command(chosen: argparse.Namespace) -> int:
    """List all, or show one."""
    if chosen.preset is not None:
        found = presets.load(chosen.preset)
        if chosen.json:
            show.print_json(found.to_dict())
        else:
            # The scenario alone, so that it can be kept in a file and run.
            print(json.dumps(found.scenario, indent=2, ensure_ascii=False))
    elif chosen.json:
        show.print_json({"presets": presets.index()})
    else:
        for preset in presets.PRESETS:
            print(f"{preset.id}{' (heavy)' if preset.heavy else ''}\n    {preset.question}")
    return 0
