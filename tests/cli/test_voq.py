from __future__ import annotations

import json
from typing import Any


def test_voq_prints_the_limit_its_formula_and_where_it_holds(footroom: Any) -> None:
    status, out, _ = footroom("voq", "--rate", "100G", "--line-cards", 4, "--delay", "50ms")
    assert status == 0
    for text in ("156.2 MB (104166 packets), from V = D·C/(8·N)", "Memory behind one output: 625 MB", "in turn"):
        assert text in out
    assert "Wait behind" not in out


def test_voq_json_has_the_wait_of_the_limit_given(footroom: Any) -> None:
    status, out, err = footroom("voq", "--line-cards", 1, "--limit", "500 MB", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["delay"] == 0.04  # 500 MB at the 100 Gb/s that holds unless told otherwise


def test_voq_says_which_option_is_wrong(footroom: Any) -> None:
    status, _, err = footroom("voq", "--delay", "5 m")
    assert status == 2
    assert "--delay: given '5 m'; \"m\" is a unit of length" in err


def test_voq_refuses_a_wait_that_no_queue_keeps(footroom: Any) -> None:
    status, _, err = footroom("voq", "--delay", "10 ns")
    assert status == 3
    assert "480 ns" in err
