"""Policies where they are meant to work: on a leaf whose ports are overloaded by real senders."""

from __future__ import annotations

from typing import Any

import pytest

import footroom as fr

MEMORY, PACKET = 240_000, 1500


def overloaded(ports: int, policy: dict[str, Any], start: str = "300 us") -> Any:
    """``ports`` hosts of a rack each receive from a neighbour and from another rack, 600 packets at once from each."""
    return fr.run(
        fr.Scenario.parse(
            {
                "topology": {"kind": "leaf_spine", "leaves": 2, "spines": 4, "hosts_per_leaf": 8, "watched": "hosts"},
                "switch": {"buffer": MEMORY, "sharing": policy},
                "switches": {"spine": {"buffer": "10 MB", "sharing": {"kind": "complete"}}},
                "traffic": [
                    {
                        "kind": "incast",
                        "degree": 2,
                        "size": "1 MB",
                        "start": "0 s",
                        "destinations": [f"l0h{i}"],
                        "sources": [f"l0h{4 + i}", f"l1h{i}"],
                        "host": {"initial_window": 600, "small_queue": None, "jitter": "0 s"},
                    }
                    for i in range(ports)
                ],
                "run": {
                    "duration": "1 ms",
                    "warmup": "0 s",
                    "memories": "10 us",
                    "timeline": {"start": start, "end": "600 us", "step": "10 us"},
                },
            }
        )
    )


def queues(found: Any, ports: int) -> list[dict[str, Any]]:
    wanted = {f"leaf0>l0h{i}" for i in range(ports)}
    return [queue for queue in found.timeline["queues"] if queue["port"] in wanted]


@pytest.mark.parametrize("alpha", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("ports", [1, 2, 4])
def test_dynamic_threshold_rests_at_its_fixed_point_to_a_packet(ports: int, alpha: float) -> None:
    """With n queues at the threshold each holds α·B/(1 + n·α) (Choudhury and Hahne 1998)."""
    wanted = alpha * MEMORY / (1.0 + ports * alpha)
    found = overloaded(ports, {"kind": "dynamic_threshold", "alpha": alpha})
    rows = queues(found, ports)
    assert len(rows) == ports
    # One packet short frees α packets of threshold for each of the others.
    slack = PACKET * max(1.0, alpha)
    for row in rows:
        assert max(row["dropped"]) > 0
        assert row["queue_max"] == pytest.approx([wanted] * len(row["queue_max"]), abs=slack)
    assert max(memory["most"] for memory in found.memories) <= MEMORY


@pytest.mark.parametrize("policy", ["complete", "static", "edt", "fab", "abm", "smartbuf"])
def test_no_policy_holds_more_than_there_is_or_takes_back_what_it_admitted(policy: str) -> None:
    found = overloaded(4, {"kind": policy})
    leaf = next(memory for memory in found.memories if memory["switch"] == "leaf0")
    assert leaf["most"] <= MEMORY
    # What is dropped is dropped on arrival: the engine's books of packets admitted and sent close after every run.
    assert sum(sum(row["dropped"]) for row in queues(found, 4)) > 0


def test_static_partitions_are_filled_to_the_last_packet_that_fits() -> None:
    (row,) = queues(overloaded(1, {"kind": "static"}), 1)
    share = MEMORY // 12  # 8 ports to hosts, 4 to spines
    assert set(row["queue_max"]) == {share // PACKET * PACKET}


@pytest.mark.parametrize("ports", [1, 2])
def test_a_burst_under_edt_takes_the_memory_until_that_is_full(ports: int) -> None:
    rows = queues(overloaded(ports, {"kind": "edt"}, start="0 s"), ports)
    for row in rows:
        assert MEMORY // ports in row["threshold"]
        assert max(row["queue_max"]) > MEMORY // ports - 2 * PACKET
        # The first drop ends it, and the queue drains to what DT leaves it.
        lost = next(step for step, dropped in enumerate(row["dropped"]) if dropped)
        assert max(row["queue_max"][: lost + 1]) == max(row["queue_max"])
        assert row["queue_max"][-1] == pytest.approx(MEMORY / (1 + ports), abs=PACKET)
