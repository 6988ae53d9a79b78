"""How pauses spread: a case of two switches worked out by hand, and sums over random fabrics."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.generator import random_fabric
from tests.lossless.small import fabric, star

from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.result import Result
from footroom.result.pauses import Propagation
from footroom.scenario import Scenario

#: The engines round the 5 µs of a packet at 2.4 Gb/s down by one picosecond.
NEAR = 5e-11


def two_switches(duration: str) -> dict[str, Any]:
    """a sends to x over a slow link, v to y over a fast one at 1 Gb/s; both cross the link from s1 to s2."""
    links = [
        (["a", "s1"], "10 Gb/s", "1 us"),
        (["v", "s1"], "10 Gb/s", "1 us"),
        (["s1", "s2"], "10 Gb/s", "1 us"),
        (["s2", "x"], "2.4 Gb/s", "100 us"),
        (["s2", "y"], "10 Gb/s", "100 us"),
    ]
    host = {"initial_window": 1000, "jitter": 0}
    return {
        "topology": {
            "kind": "graph",
            "hosts": ["a", "v", "x", "y"],
            "switches": ["s1", "s2"],
            "links": [{"ends": ends, "rate": rate, "delay": delay} for ends, rate, delay in links],
        },
        "switch": {
            "buffer": 80_000,
            "headroom": {
                "kind": "static_independent",
                "size": 12_000,
                "alpha": 1,
                "allowance": 0,
                "response": "2 us",
                "xon_offset": 12_000,
            },
        },
        "traffic": [
            {
                "kind": "long_lived",
                "flows": 1,
                "start_jitter": 0,
                "sources": [source],
                "destinations": [to],
                "host": host | more,
            }
            for source, to, more in (("a", "x", {}), ("v", "y", {"rate_limit": "1 Gb/s"}))
        ],
        "run": {"duration": duration, "warmup": "0 s", "mtu": "1500 B", "fabric": "2 us"},
    }


def run(raw: dict[str, Any]) -> Result:
    return simulate(build_plan(Scenario.parse(raw)))


def pauses_of(result: Result) -> Propagation:
    assert result.fabric is not None
    assert result.fabric["pauses"] is not None
    return result.fabric["pauses"]


def test_two_switches_by_hand() -> None:
    """Shared memory is 80 kB - 3 x 12 kB = 44 kB at both switches, and α = 1.

    Packet k of a reaches s1 at 1 + 1.2 k µs, those of v every 12 µs from 2.2 µs. The link to s2 is full from 2.2 µs:
    its packet j reaches s2 at 3.2 + 1.2 j µs. At 30.8 µs 23 have come, two of v; of the 21 of a one passed and five
    have begun to leave (9.4 to 29.4 µs), so 15 wait: 22.5 kB >= 44 kB - 22.5 kB, Xoff. 67.2 ns of frame, 1 µs of cable
    and 2 µs of response: s1>s2 stops at 33.8672 µs. Packet 27 had begun; 3 more of a arrive after Xoff, one
    leaves at 34.4 µs, and 7 after that until 10 are left (15 kB <= 44 kB - 15 kB - 12 kB): Xon at 69.4 µs, at s1 at
    70.4672 µs.

    At 33.8672 µs 27 packets of a and 3 of v have come to s1 and 27 have left: 3 of a wait. The fourth of v comes at
    38.2 µs and stands still until 70.4672 µs. At 47.8 µs 15 of a wait, 22.5 kB >= 44 kB - 24 kB: s1 pauses a, which
    stops at 50.8672 µs, until after the end of the run.
    """
    result = run(two_switches("72 us"))
    found = pauses_of(result)
    assert [(row["port"], row["root"], row["parent"], row["pauses"]) for row in found["tree"]] == [
        ("s1>s2", "s2>x", None, 1),
        ("a>s1", "s2>x", 0, 1),
    ]
    near, far = found["pauses"]
    assert [near["asked"], near["ended"]] == pytest.approx([30.8e-6, 69.4e-6], abs=NEAR)
    assert list(near["held"][0]) == pytest.approx([33.8672e-6, 70.4672e-6], abs=NEAR)
    assert (near["outlet"], near["waiting"], near["cause"]) == ("s2>x", 14 * 1500, None)  # before packet 15 joins
    assert far["asked"] == pytest.approx(47.8e-6, abs=NEAR)
    assert far["ended"] is None
    assert list(far["held"][0]) == [pytest.approx(50.8672e-6, abs=NEAR), 72e-6]
    assert (far["outlet"], far["cause"], far["root"]) == ("s1>s2", 0, "s2>x")
    (root,) = found["roots"]
    assert (root["port"], root["victims"], root["flows"], root["depth"]) == ("s2>x", 1, 2, 2)
    assert root["time"] == pytest.approx(36.6e-6 + 21.1328e-6, abs=2 * NEAR)
    assert root["lost"] == pytest.approx(32.2672e-6, abs=NEAR)
    # a waits at s1 from 33.8672 to 70.4672 µs, and at its own host from 50.8672 to 72 µs.
    assert root["stalled"] - root["lost"] == pytest.approx(38.1328e-6, abs=NEAR)
    (victim,) = found["victims"]
    assert (victim["source"], victim["destination"], victim["port"]) == ("v", "y", "s1>s2")
    assert victim["lost"] == pytest.approx(32.2672e-6, abs=NEAR)
    assert result.headroom is not None
    assert [(one["switch"], one["reserved"], one["never_used"]) for one in result.headroom] == [
        ("s1", 36_000, 2),
        ("s2", 36_000, 2),
    ]


def test_what_lies_before_the_end_of_the_warmup_is_left_out() -> None:
    raw = two_switches("72 us")
    raw["run"]["warmup"] = "60 us"
    found = pauses_of(run(raw))
    assert found["roots"][0]["lost"] == pytest.approx(10.4672e-6, abs=NEAR)
    assert found["roots"][0]["time"] == pytest.approx(10.4672e-6 + 12e-6, abs=2 * NEAR)


@pytest.mark.parametrize("seed", range(12))
def test_intervals_add_up_to_the_counters(seed: int) -> None:
    """Intervals and counters are kept apart; recording changes no metric."""
    raw = random_fabric(seed)
    plain = run(raw)
    raw["run"]["fabric"] = raw["run"]["duration"] / 50
    result = run(raw)
    assert result.metrics == plain.metrics
    found = pauses_of(result)
    counted = {(row["port"], row["class"]): row["pause_time"] for row in result.priority_groups or ()}
    listed = {(row["port"], row["class"]): row["time"] for row in found["by_port"]}
    assert all(counted[key] == pytest.approx(time, abs=1e-12) for key, time in listed.items())
    assert sum(listed.values()) == pytest.approx(sum(counted.values()), abs=1e-10)
    assert sum(row["time"] for row in found["roots"]) == pytest.approx(sum(listed.values()), abs=1e-10)
    assert sum(row["time"] for row in found["tree"]) == pytest.approx(sum(listed.values()), abs=1e-10)
    assert sum(row["pauses"] for row in found["tree"]) == found["count"]
    assert all(row["parent"] is None or row["parent"] < row["id"] for row in found["tree"])
    for row in found["pauses"]:
        if row["cause"] is not None:
            cause = found["pauses"][row["cause"]]
            assert cause["port"] == row["outlet"]
            assert cause["root"] == row["root"]
            assert cause["asked"] < row["asked"]
    assert result.fabric is not None
    frames = result.fabric
    assert all(len(queue["queue_max"]) == len(frames["time"]) for queue in frames["queues"])


@pytest.mark.parametrize("kind", ["static_independent", "dynamic_shared"])
def test_every_pause_around_one_switch_comes_from_the_port_to_the_receiver(kind: str) -> None:
    raw = star(5, buffer="3 MB", headroom={"kind": kind})
    raw["traffic"] = [{"kind": "incast", "degree": 4, "size": "500 kB", "priority": 3, "congestion": {"kind": "dcqcn"}}]
    raw["run"]["fabric"] = "10 us"
    result = run(raw)
    found = pauses_of(result)
    assert {row["port"] for row in found["roots"]} == {"switch>h0"}
    assert found["roots"][0]["depth"] == 1
    assert found["victims"] == []
    assert result.metrics["pause_time"] > 0
    assert result.fabric is not None
    paused = {queue["port"]: queue["paused"] for queue in result.fabric["queues"] if queue["class"] == 3}
    step = result.fabric["step"]
    for row in result.priority_groups or ():
        if row["class"] == 3 and kind == "static_independent":
            assert sum(paused[row["port"]]) * step == pytest.approx(row["pause_time"], rel=0.01)


def test_frames_keep_the_longest_queue_also_beside_a_timeline() -> None:
    raw = fabric()
    raw["run"] |= {"fabric": "1 us", "timeline": {"end": "500 us", "step": "700 ns"}}
    both = run(raw)
    del raw["run"]["timeline"]
    alone = run(raw)
    assert both.fabric == alone.fabric
    assert both.fabric is not None
    assert len(both.fabric["time"]) <= 200
    assert both.fabric["step"] == pytest.approx(4e-6)  # 450 looks, joined twice


def test_a_log_that_is_full_says_up_to_when_it_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("footroom.engines.packet.simulation.MOST_PAUSE_LINES", 20)
    monkeypatch.setattr("footroom.engines.packet.setup.PAUSE_LINES", 16)
    found = pauses_of(run(two_switches("300 us")))
    assert found["until"] < 300e-6
    assert found["count"] > 0
