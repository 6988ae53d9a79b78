"""``footroom catalog``: every axis with its kinds, and the engines."""

from __future__ import annotations

import argparse

from footroom.cli import show
from footroom.studies import catalog


def command(chosen: argparse.Namespace) -> int:
    """Print it."""
    found = catalog()
    if chosen.json:
        show.print_json(found)
        return 0
    for axis in found["axes"]:
        print(f"{axis['axis']}: {axis['title']}")
        for kind in axis["kinds"]:
            print(f"    {kind['kind']:<20} {kind['summary']}")
        if axis["planned"]:
            print(f"    not yet: {', '.join(axis['planned'])}")
    print("engines")
    for engine in found["engines"]:
        print(f"    {engine['engine']:<20} {engine['title']} ({engine['answers']})")
    return 0
