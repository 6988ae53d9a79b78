"""The command line, one module a verb: ``parser`` names them all, and ``footroom --help`` lists them."""

from footroom.cli.main import main

__all__ = ["main"]
