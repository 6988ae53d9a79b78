"""The PFC watchdog by hand: when it would act by either rule, what it would drop, and whether that was right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.lossless.test_deadlock import ring

from footroom.base.errors import InvalidInput
from footroom.engines.packet import simulate
from footroom.engines.plan import build_plan
from footroom.result import Result
from footroom.scenario import Scenario


def run(raw: dict[str, Any], **watchdog: Any) -> Result:
    raw["switch"]["watchdog"] = watchdog
    return simulate(build_plan(Scenario.parse(raw)))


def locked() -> dict[str, Any]:
    """Ports of the ring are paused for ever after 121 µs; 2000 quanta are 102.4 µs, repeated every 51.2 µs."""
    raw = ring(flows=4)
    raw["switch"]["headroom"]["quanta"] = 2000
    return raw


@pytest.mark.parametrize(
    ("rule", "detection", "detected"),
    [
        ("paused", "100 us", 300e-6),
        ("paused", "200 us", 400e-6),
        ("paused", "250 us", 500e-6),
        ("paused", "101 us", 300e-6),
        ("paused", "101.1 us", 400e-6),
        ("frames", "101 us", 400e-6),
        ("frames", "200 us", 400e-6),
    ],
)
def test_a_deadlock_is_detected_after_so_many_whole_intervals(rule: str, detection: str, detected: float) -> None:
    """Looks every 100 µs. The first whole interval of pause ends at 300 µs; a detection of 250 µs takes three.

    One interval is more than 99 % of 101 µs, and less of 101.1 µs (sonic-swss, pull request 4784).
    """
    found = run(locked(), rule=rule, detection=detection, poll="100 us", restoration="100 us")
    assert found.watchdog is not None
    assert found.deadlock is not None
    alarms = {row["port"]: row for row in found.watchdog}
    assert sorted(alarms) == [f"s{i}>s{(i + 1) % 5}" for i in range(5)]
    assert found.metrics["watchdog_alarms"] == 5
    for row in alarms.values():
        assert row["detected"] == pytest.approx(detected)
        assert (row["class"], row["restored"], row["false_alarm"]) == (0, None, False)
        assert row["waiting"] * 1500 == row["waiting_bytes"] > 0
        assert row["arrived"] == 0
    assert any("would have raised 5 alarms" in note and "0 of them were false" in note for note in found.notes)


def test_a_pause_without_repetition_is_seen_by_the_time_it_takes_and_not_by_its_frames() -> None:
    """Each port hears one frame, at 121 µs at the latest, and is paused from then on.

    With looks every 100 µs no frame comes after the second look, and all of 200 to 300 µs is paused. The old rule
    counts frames, the code of pull request 3036 (pfc_detect_mellanox.lua) only the time of pause.
    """
    raw = locked()
    raw["switch"]["headroom"] |= {"pause": "on_off"}
    found = {
        rule: run(raw, rule=rule, detection="200 us", poll="100 us", restoration="100 us").watchdog
        for rule in ("frames", "paused")
    }
    assert found["frames"] == []
    assert found["paused"] is not None
    for i in range(5):
        rows = [row for row in found["paused"] if row["port"] == f"s{i}>s{(i + 1) % 5}"]
        # The look after an alarm only reads the counters (pfc_detect_mellanox.lua deletes them), the one after that
        # restores the queue, which is still paused; then again one look only reads, and two make an alarm.
        assert [row["detected"] for row in rows[:3]] == pytest.approx([400e-6, 900e-6, 1400e-6])
        assert [row["restored"] for row in rows[:2]] == pytest.approx([600e-6, 1100e-6])


def test_watching_changes_nothing() -> None:
    raw = ring(flows=1)
    raw["traffic"] = raw["traffic"][:3]
    alone = simulate(build_plan(Scenario.parse(raw)))
    watched = run(raw, poll="20 us", detection="20 us", restoration="20 us")
    for name, value in alone.metrics.items():
        assert watched.metrics[name] == value
    assert alone.priority_groups == watched.priority_groups


def late_pause(response: str) -> dict[str, Any]:
    """Two switches; 25 packets pass the first one from 6.2 µs on, at 36.2 µs the last. The second one sends one packet
    in 1.2 ms, so that it pauses the first at 8 packets, 20.8 µs; the frame takes 5.0672 µs. At 60 µs more packets come.
    """
    host = {"initial_window": 1000, "jitter": 0, "ack_every": 64, "ack_delay": 1}
    return {
        "topology": {
            "kind": "graph",
            "hosts": ["a", "b"],
            "switches": ["s", "t"],
            "links": [
                {"ends": ["a", "s"], "rate": "10 Gb/s", "delay": "5 us"},
                {"ends": ["s", "t"], "rate": "10 Gb/s", "delay": "5 us"},
                {"ends": ["t", "b"], "rate": "10 Mb/s", "delay": "1 us"},
            ],
        },
        "switch": {
            "buffer": 24_000 + 2 * 60_000,
            "headroom": {
                "kind": "static_independent",
                "alpha": 1,
                "size": 60_000,
                "response": response,
                "quanta": 1000,
            },
        },
        "traffic": [
            {
                "kind": "incast",
                "degree": 1,
                "size": size * 1448,
                "start": start,
                "sources": ["a"],
                "destinations": ["b"],
                "host": host,
            }
            for size, start in ((25, 0), (3, "50 us"))
        ],
        "run": {"duration": "480 us", "warmup": 0, "mtu": "1500 B"},
    }


def test_a_pause_at_the_end_of_an_interval_is_an_alarm_by_one_rule_only() -> None:
    """Looks every 40 µs. The pause holds from 45.9 µs, 85 % of the second interval, in which nothing was sent.

    So the old rule has its alarm at 80 µs with the 3 packets that have come, the new one at 120 µs.
    """
    alarms = {
        rule: run(late_pause("20 us"), rule=rule, poll="40 us", detection="40 us", restoration="40 us").watchdog
        for rule in ("frames", "paused")
    }
    assert alarms["frames"] is not None
    assert alarms["paused"] is not None
    first = {rule: rows[0] for rule, rows in alarms.items() if rows}
    assert first["frames"]["detected"] == pytest.approx(80e-6)
    assert first["paused"]["detected"] == pytest.approx(120e-6)
    for row in first.values():
        assert (row["switch"], row["port"], row["waiting"]) == ("s", "s>t", 3)
        assert row["false_alarm"] is None  # the run ends before it shows


def test_it_is_restored_when_no_frame_has_come_and_the_alarm_was_false() -> None:
    raw = late_pause("20 us")
    raw["run"]["duration"] = "40 ms"
    rows = run(raw, rule="paused", poll="1 ms", detection="2 ms", restoration="1 ms").watchdog
    assert rows
    assert rows[0]["detected"] == pytest.approx(3e-3)
    assert rows[0]["restored"] is not None
    assert rows[0]["restored"] > rows[0]["detected"]
    assert rows[0]["false_alarm"] is True


def test_a_watchdog_needs_lossless_classes() -> None:
    raw = ring()
    raw["switch"] |= {"headroom": {"kind": "none"}, "watchdog": {}}
    with pytest.raises(InvalidInput, match=r"switch.watchdog.*no class is lossless"):
        Scenario.parse(raw)


@pytest.mark.parametrize("short", ["detection", "restoration"])
def test_a_watchdog_does_not_poll_more_slowly_than_it_is_to_answer(short: str) -> None:
    """pfcwd refuses a polling interval above the detection or restoration time (sonic-utilities, pfcwd/main.py)."""
    raw = ring()
    times = {"poll": "100 us", "detection": "300 us", "restoration": "300 us"}
    raw["switch"]["watchdog"] = times | {short: "50 us"}
    with pytest.raises(InvalidInput) as refused:
        Scenario.parse(raw)
    (problem,) = refused.value.problems
    assert problem.path == "switch.watchdog.poll"
    assert problem.given == "100 us"
    assert f"at most {short}, which is 5e-05 s" in problem.message
    raw["switch"]["watchdog"] = times | {short: "100 us"}
    Scenario.parse(raw)
