"""What policies hold and absorb, against closed forms and arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import footroom as fr
from footroom.base.errors import InvalidInput
from footroom.calculators.emulator import tables as at
from footroom.calculators.emulator.arrivals import Arrivals, places
from footroom.calculators.emulator.question import Question
from footroom.calculators.emulator.replay import run
from footroom.parts.sharing import DynamicThreshold, Smartbuf

PACKET = 1500
#: With 100 Gb/s a packet takes 120 ns.
SLOT = 120_000


def overloaded(ports: int, packets: int) -> Arrivals:
    """``packets`` at each of ``ports`` ports, three times as fast as they leave, in turns."""
    number = np.arange(ports * packets)
    port = number % ports
    none = np.full(len(number), -1)
    time = (number // ports) * (SLOT // 3) + port * (SLOT // 3 // ports)
    return Arrivals(time, port, np.full(len(number), PACKET), port, places(port), none, np.zeros(0, np.int64))


@pytest.mark.parametrize(
    ("alpha", "ports", "share"),
    [
        (1, 1, 0.5),
        (1, 2, 0.3333),
        (1, 4, 0.2),
        (1, 8, 0.1111),
        (8, 1, 0.8889),
        (8, 2, 0.4706),
        (8, 4, 0.2424),
        (8, 8, 0.1231),
        (1 / 16, 1, 0.0588),
        (1 / 16, 2, 0.0556),
        (1 / 16, 4, 0.05),
        (1 / 16, 8, 0.0417),
    ],
)
def test_queues_at_their_threshold_hold_what_choudhury_and_hahne_say(alpha: float, ports: int, share: float) -> None:
    buffer = 6_000_000
    assert alpha / (1 + ports * alpha) == pytest.approx(share, abs=5e-5)
    question = Question.parse({"buffer": buffer, "ports": 8})
    arrivals = overloaded(ports, 9000)
    end = int(arrivals.time[-1])
    outcome = run(DynamicThreshold(alpha=alpha), question, arrivals, steps=100, until=end)
    # At the end of the arrivals every queue is at its threshold, to one packet; so is the first to get there.
    held = outcome.series[:ports, -1, at.HIGHEST]
    fixed = alpha * buffer / (1 + ports * alpha)
    assert (abs(held - fixed) <= PACKET).all(), (held, fixed)


def absorbed(kind: str, **question: Any) -> Any:
    found = fr.emulate(policies=[kind], **question)[kind.partition(":")[0]]["absorbs"]
    assert found is not None
    return found


BASE = {"degree": 40, "size": "64 kB", "ports": 64, "buffer": "3 MB"}  # 40 senders of 100 Gb/s into one port


@pytest.mark.parametrize(
    ("kind", "queue"),
    [
        ("complete", 3_000_000),
        ("static", 3_000_000 / 64),
        ("static:per_queue=600000", 600_000),
        ("dynamic_threshold", 1_500_000),
        ("dynamic_threshold:alpha=8", 8 / 9 * 3_000_000),
        ("edt", 3_000_000),  # 23 net enqueues begin the burst long before 1.5 MB
        ("edt:enqueues=2000", 1_500_000),  # never begun: dynamic threshold
        ("fab:recent=1000000", 1024 / 1025 * 3_000_000),  # all senders are small to the end
        ("fab:recent=1", 1_000_000),  # none is: alpha 0.5
        ("abm:unscheduled=0", 1_000_000),  # alpha 0.5, one congested queue
        ("abm:unscheduled=1000000", 1024 / 1025 * 3_000_000),
        ("smartbuf", 1_500_000),
    ],
)  # a first burst is not known
def test_each_policy_absorbs_what_arithmetic_says(kind: str, queue: float) -> None:
    found = absorbed(kind, **BASE)
    assert abs(found["queue"] - queue) < PACKET
    # 39 of 40 bytes stay; the packet being sent occupies nothing.
    assert abs(found["bytes"] - queue * 40 / 39) <= 2 * PACKET
    if found["closed_form"]:
        assert found["closed_form"]["queue"] == pytest.approx(queue)
        assert found["closed_form"]["bytes"] == pytest.approx(queue * 40 / 39)


def test_fab_counts_fourteen_packets_of_each_sender() -> None:
    """The first 14 of each are admitted whatever the queue, then alpha 0.5 holds it at a third of the memory."""
    found = absorbed("fab", **BASE | {"degree": 60})
    # 60 · 14 packets · 1500 B = 1.26 MB exceed 1 MB, so the first packet beyond them is dropped.
    assert found["bytes"] == 60 * 14 * PACKET


@pytest.mark.parametrize(
    ("policy", "passes"),
    [
        ("complete", True),
        ("static", False),
        ("dynamic_threshold", False),
        ("dynamic_threshold:alpha=8", True),
        ("edt", True),
        ("fab", False),
        ("abm", False),
        ("smartbuf", False),
    ],
)
def test_an_incast_that_each_policy_must_pass_or_drop(policy: str, passes: bool) -> None:
    """2.56 MB arrive at 4 Tb/s: 39/40 of it, 2.496 MB, must wait; alpha 4.95 is the least."""
    answer = fr.emulate(policies=[policy], **BASE)
    assert answer.policies[0]["lossless"] is passes


def test_smartbuf_passes_the_incast_once_it_has_seen_it() -> None:
    for given, lost in (({}, False), ({"faithful": True}, True), ({"ageing": 1e-6}, True)):
        answer = fr.emulate(policies=[{"kind": "smartbuf", **given}], bursts=4, capacity=False, **BASE)
        drops = [burst["dropped_packets"] for burst in answer["smartbuf"]["bursts"]]
        assert drops[0] > 600
        assert all((count > 600) is lost for count in drops[1:]), (given, drops)
        assert lost or drops[1:] == [0, 0, 0]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"reserved": "3 kB"},
        {"ingress_rate": "10G"},  # 400 Gb/s into 100
        {"ports": 32},  # 9 of 31 inputs have two senders
        {"degree": 25, "size": "100 kB"},
    ],
)
def test_the_smallest_alpha_agrees_with_the_closed_form_to_a_packet(given: dict[str, Any]) -> None:
    question = BASE | given
    answer = fr.emulate(policies=["static"], **question)
    found: Any = answer.smallest_alpha
    assert found is not None
    pool = 3e6 - answer.question.ports * answer.question.reserved
    queues = [found[name] / (1 + found[name]) * pool for name in ("emulated", "closed_form")]
    assert abs(queues[0] - queues[1]) <= PACKET
    assert found["queue"] == pytest.approx(queues[1] + answer.question.reserved)
    # A little below it something is lost, at it nothing.
    for factor, lossless in ((1.0, True), (0.999, False)):
        policy = {"kind": "dynamic_threshold", "alpha": found["emulated"] * factor}
        assert fr.emulate(policies=[policy], capacity=False, **question).policies[0]["lossless"] is lossless


@pytest.mark.parametrize("alpha", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("congested", [1, 3])
def test_beside_congested_ports_it_absorbs_what_the_fluid_says(alpha: float, congested: int) -> None:
    found = absorbed(f"dynamic_threshold:alpha={alpha}", **BASE | {"congested": congested, "degree": 10})
    # Congested queues lie a packet under their threshold and fall by whole packets.
    slack = PACKET * (2 + alpha * (1 + congested))
    assert abs(found["bytes"] - found["closed_form"]["bytes"]) <= slack * 10 / 9


def test_a_congested_memory_may_have_no_alpha_that_does() -> None:
    found = fr.emulate(policies=["static"], **BASE | {"congested": 6}).smallest_alpha
    assert found is not None
    assert (found["emulated"], found["closed_form"]) == (None, None)
    assert found["best_dropped"] > 0


def test_an_incast_that_arrives_no_faster_than_it_leaves_never_drops() -> None:
    answer = fr.emulate(policies=["dynamic_threshold"], degree=10, ingress_rate="10G", buffer="100 kB")
    assert answer["dynamic_threshold"]["lossless"]
    absorbs = answer["dynamic_threshold"]["absorbs"]
    assert absorbs is not None
    assert absorbs["unbounded"]
    assert any("no faster" in note for note in answer.notes)


@pytest.mark.parametrize("synchronised", [False, True])
def test_senders_send_what_they_are_asked_to(synchronised: bool) -> None:
    answer = fr.emulate(
        degree=45,
        size="10 kB",
        ports=9,
        bursts=3,
        load=0.3,
        synchronised=synchronised,
        seed=4,
        policies=["complete"],
        capacity=False,
    )
    bursts = answer["complete"]["bursts"]
    assert [burst["bytes"] for burst in bursts] == [450_000] * 3
    assert [burst["packets"] for burst in bursts] == [45 * 7] * 3
    assert answer.arrivals["flows"] == 45 * 3 + 9
    offered = sum(port["offered_bytes"] for port in answer["complete"]["ports"])
    assert offered == answer.arrivals["bytes"] > 3 * 450_000


def test_random_load_is_what_was_asked_and_the_same_for_a_seed() -> None:
    one = fr.emulate(degree=1, size="1 MB", ports=8, load=0.6, policies=["complete"], capacity=False, bursts=20)
    again = fr.emulate(degree=1, size="1 MB", ports=8, load=0.6, policies=["complete"], capacity=False, bursts=20)
    other = fr.emulate(
        degree=1, size="1 MB", ports=8, load=0.6, policies=["complete"], capacity=False, bursts=20, seed=2
    )
    assert one.to_dict() == again.to_dict()
    assert one.arrivals["packets"] != other.arrivals["packets"]
    random = (one.arrivals["bytes"] - 20e6) * 8 / one.arrivals["last"] / 8
    assert random == pytest.approx(0.6 * 100e9, rel=0.02)


def random_incasts(count: int) -> Arrivals:
    """Bursts of 5 to 29 senders of 43 packets each at 10 Gb/s, one at a time: fan-in alone makes them differ."""
    draw = np.random.default_rng(1)
    parts = []
    for number in range(count):
        senders = int(draw.integers(5, 30))
        packet, sender = np.divmod(np.arange(senders * 43), senders)
        time = number * 4_000_000_000 + packet * 1_200_000 + sender * 1_200_000 // senders
        parts.append((time, np.full(len(time), int(draw.integers(30))), number * 30 + sender))
    time, port, flow = (np.concatenate(column).astype(np.int64) for column in zip(*parts, strict=True))
    flow = np.unique(flow, return_inverse=True)[1].astype(np.int64)
    return Arrivals(
        time, port, np.full(len(time), PACKET), flow, places(flow), np.full(len(time), -1), np.zeros(0, np.int64)
    )


def test_smartbuf_predicts_too_much_by_what_steeper_bursts_needed_more() -> None:
    question = Question.parse({"rate": "10G", "ports": 30, "buffer": "4 MB"})
    shown, errors = random_incasts(200), {}
    for name, given in (
        ("K = 3", {"nearest": 3, "or_equal": False}),
        ("K = 1", {"nearest": 1, "or_equal": False}),
        ("equal, K = 3", {"nearest": 3}),
        ("equal, K = 1", {"nearest": 1}),
    ):
        policy = Smartbuf.model_validate({"kind": "smartbuf", "ageing": 10, "learning_time": 0.2, **given})
        outcome = run(policy, question, shown)
        seen = policy.observe(outcome.scratch)
        assert seen["predictions"] == 150
        assert outcome.counts[:, at.DROPPED].sum() == 0
        errors[name] = seen["error_mean"]
    assert errors["equal, K = 1"] < 0.01 < 0.05 < errors["K = 1"] < errors["K = 3"] < 0.25
    assert errors["equal, K = 1"] < errors["equal, K = 3"] < errors["K = 3"]


def test_series_keep_the_peaks_and_account_for_the_drops() -> None:
    answer = fr.emulate(bursts=3, steps=37, congested=1, **BASE)
    for one in answer.policies:
        line = one["series"][0]
        assert line["port"] == 0
        peak = next(port["peak"] for port in one["ports"] if port["port"] == 0)
        assert max(line["queue_max"]) == peak
        assert sum(line["dropped"]) == sum(burst["dropped_bytes"] for burst in one["bursts"])
        assert min(one["memory"]["free_min"]) == 3_000_000 - one["peak_memory"]
        assert line["queue"][-1] == 0
        for low, last, high in zip(line["queue_min"], line["queue"], line["queue_max"], strict=True):
            assert low <= last <= high
        assert all(
            len(line[name]) == len(answer.time) == 37
            for name in ("queue", "queue_min", "queue_max", "threshold_min", "threshold_max", "dropped")
        )
        limits = [limit for limit in line["threshold_min"] if limit is not None]
        assert limits
    static = answer["static"]["series"][0]
    assert {limit for limit in static["threshold_max"] if limit is not None} == {3_000_000 // 64}


def test_a_queue_keeps_its_length_through_steps_without_packets() -> None:
    trace = "time,port,size\n0,0,1500\n0,0,1500\n0,0,1500\n9e-3,1,64\n"
    answer = fr.emulate(trace=trace, rate="1 Mb/s", policies=["complete"], steps=24)
    line, step = answer["complete"]["series"][0], answer.time[1]
    for when, length in zip(answer.time, line["queue"], strict=True):  # packets take 12 ms each
        end = when + step
        assert length == (3000 if end <= 0.012 else 1500 if end <= 0.024 else 0)


def test_the_shortest_frames_leave_at_line_rate() -> None:
    """14.88 million frames a second at 10 Gb/s, so one leaves every 67.2 ns; 46 B of IP fill the shortest."""
    for size in (46, 20):
        number = np.arange(1000)
        shown = Arrivals(
            np.zeros(1000, np.int64),
            np.zeros(1000, np.int64),
            np.full(1000, size),
            0 * number,
            number,
            np.full(1000, -1),
            np.zeros(0, np.int64),
        )
        asked = Question.parse({"rate": "10G", "ports": 2, "buffer": "1 MB", "framing": "ethernet"})
        assert run(DynamicThreshold(alpha=1024), asked, shown).end == 999 * 67_200  # when the last one begins


@pytest.mark.parametrize(("framing", "frame"), [("ip", 1500), ("ethernet", 1518)])
@pytest.mark.parametrize("cell", [None, 64, 208, 254, 1518])
def test_a_memory_in_cells_absorbs_whole_cells(framing: str, frame: int, cell: int | None) -> None:
    found = absorbed("complete", **BASE | {"framing": framing} | ({} if cell is None else {"cell_size": cell}))
    each = cell or 1
    fits = (3_000_000 // each) // -(-frame // each)
    assert found["queue"] == fits * each * -(-frame // each)
    # 40 packets come while one leaves; the bytes absorbed are those of IP packets.
    assert abs(found["bytes"] - fits * PACKET * 40 / 39) <= 2 * PACKET
    assert (found["closed_form"] is None) == (framing == "ethernet" or cell is not None)


def test_a_link_of_frames_carries_fewer_packets() -> None:
    lasted = [
        fr.emulate(policies=["complete"], framing=framing, capacity=False, **BASE).arrivals["last"]
        for framing in ("ip", "ethernet")
    ]
    assert lasted[1] / lasted[0] == pytest.approx(1538 / 1500, rel=2e-3)


def test_a_chip_gives_its_cell_and_an_unknown_one_is_refused() -> None:
    assert Question.parse({"cell_size": "tomahawk2"}).cell == 208
    with pytest.raises(InvalidInput, match="no such ASIC"):
        Question.parse({"cell_size": "tomahawk99"})
