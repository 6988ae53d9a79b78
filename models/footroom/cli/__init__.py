"""The command line: ``footroom run``, ``sweep``, ``size``, ``presets``, ``catalog``, ``bench``, ``serve``."""

from footroom.cli.main import main

__all__ = ["main"]
