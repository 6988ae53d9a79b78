"""Returning memory that a study has freed to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return free pages. glibc keeps those of a thread's heap that something small above them holds back, for good.

    Other C libraries have no such call, and return pages by themselves.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(ctypes.c_size_t(0))
