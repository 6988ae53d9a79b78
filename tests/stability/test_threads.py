"""Roots sought in several threads at once."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_info

from footroom.engines.fluid import roots


def limits() -> set[int]:
    """Threads that the linear-algebra libraries may use."""
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_the_limit_on_threads_is_lifted_by_the_last_who_needed_it() -> None:
    with roots._pools().limit(limits=2, user_api="blas"):
        if limits() != {2}:
            pytest.skip("the linear-algebra library here cannot be told how many threads to use")
        roots._ALONE.__enter__()
        roots._ALONE.__enter__()  # as from another thread, which came later and stays longer
        assert limits() == {1}
        roots._ALONE.__exit__()
        assert limits() == {1}
        roots._ALONE.__exit__()
        assert limits() == {2}
