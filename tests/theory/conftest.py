"""Repeatable examples, and no time limit per example: the first call pays for lazy imports."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
