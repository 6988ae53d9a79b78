"""Memory that is charged until a packet's last byte has left, in both packet engines."""

from __future__ import annotations

from typing import Any

import pytest
from tests.packet.scenarios import dumbbell
from tests.packet.test_framing import one_burst
from tests.reference.agreement import agree, plain
from tests.reference.test_agreement_switch import scenario as random_scenario

import footroom as fr
from footroom.base.errors import Unsupported
from footroom.engines.packet import Environment, Simulation
from footroom.engines.plan import build_plan
from footroom.scenario import Scenario


@pytest.mark.parametrize(("release", "sending"), [("start", 1), ("end", 0)])
def test_the_packet_being_sent_is_one_of_those_that_fit(release: str, sending: int) -> None:
    found = agree(one_burst("1 Gb/s", 200, "ip", buffer=100_000, release=release))
    fits = 100_000 // 1500
    assert found["queue_max"] == fits * 1500
    assert found["drop_rate"] == pytest.approx((200 - fits - sending) / 200)


def test_a_packet_that_finds_its_port_idle_is_charged_until_its_last_byte_has_left() -> None:
    plan = one_burst("24 Mb/s", 1, "ip", release="end")
    port = plan.watched[0]
    begins, ends = (
        next(line[0] for line in plain(plan)[0] if line[1] == what and line[2] == port)
        for what in ("arrival", "departure")
    )
    assert abs(ends - begins - 500_000_000) <= 1  # 1500 B at 24 Mb/s
    simulation = Simulation(plan)
    used = []
    for moment in (begins - 1, begins, ends - 1, ends):
        simulation.run_until(moment)
        simulation.check_conservation()
        used.append(int(simulation.tables.switches["used"].sum()))
    assert used == [0, 1500, 1500, 0]


def test_a_full_memory_turns_packets_for_idle_ports_away() -> None:
    """One port fills the memory; a packet for another, which is idle, needs memory only where it is kept."""

    def lost(release: str) -> set[int]:
        raw = {
            "topology": {"kind": "star", "hosts": 6, "rate": "1 Gb/s", "rtt": "20 us"},
            "switch": {"buffer": 15_000, "release": release},
            "traffic": [
                {
                    "kind": "incast",
                    "degree": 3,
                    "size": "100 kB",
                    "start": 0,
                    "sources": ["h0", "h1", "h2"],
                    "destinations": ["h3"],
                    "host": {"initial_window": 70, "small_queue": None, "jitter": 0},
                },
                {
                    "kind": "incast",
                    "degree": 1,
                    "size": "1 kB",
                    "start": "0.2 ms",
                    "sources": ["h4"],
                    "destinations": ["h5"],
                    "host": {"jitter": 0},
                },
            ],
            "run": {"duration": "0.4 ms", "warmup": 0},
        }
        env = Environment(Scenario.parse(raw), trace=True)
        env.run()
        env.result()
        trace = env.simulation.trace()
        return set(trace["flow"][trace["what"] == 2].tolist())

    assert 3 in lost("end")
    assert 3 not in lost("start")


@pytest.mark.parametrize("number", range(20))
def test_both_engines_agree(number: int) -> None:
    raw = random_scenario(number).to_dict()
    raw["switch"]["release"] = "end"
    raw["run"]["framing"] = ("ip", "ethernet")[number % 2]
    raw["switch"]["cell_size"] = (None, 208)[number // 2 % 2]
    agree(build_plan(Scenario.parse(raw)))


def test_whose_packets_the_memory_holds_adds_up_to_what_is_used() -> None:
    raw = dumbbell(
        switch={"buffer": "40 packets", "release": "end", "cell_size": 208},
        run={"duration": "0.2 s", "warmup": "0.1 s", "memories": "1 ms"},
    )
    env = Environment(Scenario.parse(raw))
    used: list[int] = []

    def sampler() -> Any:
        yield env.timeout(0.1)
        while True:
            used.append(env.switch("left").used)
            yield env.timeout(1e-3)

    env.process(sampler())
    env.run()
    memories = env.result().memories
    assert memories is not None
    left = next(memory for memory in memories if memory["switch"] == "left")
    used.append(env.switch("left").used)
    assert sum(left["held"]) == pytest.approx(sum(used) / len(used))
    assert min(used) < max(used)


@pytest.mark.parametrize("engine", ["theory", "fluid"])
def test_engines_that_cannot_keep_it_say_so(engine: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        fr.run(Scenario.parse(dumbbell(switch={"release": "end"})), engine=engine)
    assert refusal.value.path == "switch.release"
