"""Congestion controls of RDMA, and HPCC over TCP, with parameters drawn from all that their fields allow."""

from __future__ import annotations

import math
import random
import typing
from typing import Any

import numpy as np
import pytest
from annotated_types import Ge, Gt, Le, Lt
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from footroom.engines.packet import Simulation
from footroom.engines.plan import Plan, build_plan
from footroom.kernel.tables import NEVER
from footroom.parts.congestion import Dcqcn, Hpcc, Law, PowerTcp, Swift, Timely
from footroom.scenario import Scenario

LAWS: tuple[type[Law], ...] = (Dcqcn, Hpcc, PowerTcp, Swift, Timely)
#: Runs of every control.
DRAWS = 12
#: Events of a run: 1 ms of 10 Gb/s in packets of 1000 B over three links and back takes some 20 000.
MOST_EVENTS = 2_000_000


def bound(field: FieldInfo, inclusive: type, exclusive: type) -> tuple[float | None, bool]:
    """A bound of a field, and whether the field may have that value."""
    for rule in field.metadata:
        for kind in (inclusive, exclusive):
            if isinstance(rule, kind):
                return float(getattr(rule, kind.__name__.lower())), kind is inclusive
    return None, False


def drawn(field: FieldInfo, draw: random.Random) -> Any:
    """A value that ``field`` allows: often a bound, else as likely in every power of ten."""
    kind = str(field.annotation)
    if "Literal" in kind:
        return draw.choice([choice for choice in typing.get_args(field.annotation) if isinstance(choice, str)])
    if "bool" in kind:
        return draw.random() < 0.5
    if "None" in kind and draw.random() < 0.3:
        return None
    least, with_least = bound(field, Ge, Gt)
    most, with_most = bound(field, Le, Lt)
    assert least is not None
    assert most is not None
    lowest = least if least > 0.0 else most * 1e-12
    value = 10.0 ** draw.uniform(math.log10(lowest), math.log10(most))
    choices = [value, value, *([least] if with_least else []), *([most] if with_most else [])]
    found = min(max(draw.choice(choices), least), most)
    return round(found) if "int" in kind else found


def law_of(kind: type[Law], draw: random.Random) -> Law:
    """One to four fields of ``kind`` drawn; those that contradict one another are drawn again."""
    while True:
        fields = {name: field for name, field in kind.model_fields.items() if name != "kind"}
        chosen = {name: drawn(fields[name], draw) for name in draw.sample(sorted(fields), draw.choice([1, 2, 4]))}
        if isinstance(header := chosen.get("telemetry_header"), float):
            chosen["telemetry_header"] = float(round(header))
        try:
            return kind(**chosen)
        except ValidationError:
            continue


def plan_of(law: Law, draw: random.Random, *recoveries: str) -> Plan:
    marking = (
        {"kind": "red", "kmin": "5 kB", "kmax": "200 kB", "pmax": 0.01} if isinstance(law, Dcqcn) else {"kind": "none"}
    )
    return build_plan(
        Scenario.parse(
            {
                "topology": {"kind": "star", "hosts": 5, "rate": "10 Gb/s", "rtt": "8 us"},
                "switch": {"buffer": "1 GB", "marking": marking},
                "traffic": [
                    {
                        "kind": "long_lived",
                        "flows": 4,
                        "start_jitter": "20 us",
                        "congestion": law.model_dump(),
                        "host": {
                            "recovery": draw.choice(recoveries),
                            "ack_delay": "10 us",
                            "min_rto": "60 s",
                            "high_rto": "60 s",
                            "low_rto": "60 s",
                            "ack_every": draw.choice([1, 2, 8]),
                        },
                    }
                ],
                "run": {"duration": "1 ms", "warmup": "0 s", "mtu": "1100 B", "seed": draw.randrange(1, 1000)},
            }
        )
    )


def check(plan: Plan) -> None:
    """Run it: every number is one, nothing is lost, and a flow sends what its window and rate let out."""
    simulation = Simulation(plan)

    def stuck(now: int) -> None:
        raise AssertionError(f"{MOST_EVENTS} events by {now} ps")

    simulation.pause_between(MOST_EVENTS, stuck)
    flows = simulation.tables.flows
    windows, rates = np.full(plan.flows, np.inf), np.full(plan.flows, np.inf)
    half, sent = plan.duration // 2, np.zeros(plan.flows)
    for step in range(1, 21):
        simulation.run_until(plan.duration * step // 20)
        flows = simulation.tables.flows
        for name in ("cwnd", "rate"):
            assert np.isfinite(flows[name]).all(), name
            assert (flows[name] >= 0.0).all(), name
        assert all(np.isfinite(simulation.law_words(flow)).all() for flow in range(plan.flows))
        if step == 10:
            sent = flows["delivered"].copy()
        if step >= 10:
            windows = np.minimum(windows, np.maximum(np.floor(flows["cwnd"]), 1.0))
            rates = np.minimum(rates, flows["rate"])
    simulation.check_conservation()
    assert simulation.tables.state["dropped"][0] == 0
    assert not ((flows["nxt"] == flows["una"]) & (flows["wake_at"] >= NEVER) & (flows["law_at"] >= NEVER)).any()
    stack = plan.stacks[0]
    bits, line, span = 8.0 * stack.segment, float(plan.port_rate.min()), (plan.duration - half) * 1e-12
    queues = 8.0 * float(simulation.tables.ports["largest"].max()) / line
    trip = float(plan.flow_rtt.max()) * 1e-12 + 4e-6 + queues + 6.0 * bits / line + 10e-6
    let_out = np.minimum(np.minimum(windows, stack.receive_window) * bits / trip, line / plan.flows)
    if stack.rdma:
        let_out = np.minimum(let_out, rates)
    assert (flows["delivered"] - sent >= 0.6 * let_out * span / bits - 3.0).all()


@pytest.mark.parametrize("kind", LAWS, ids=lambda kind: str(kind.model_fields["kind"].default))
def test_any_parameters_over_rdma(kind: type[Law]) -> None:
    draw = random.Random(kind.__name__)
    for _ in range(DRAWS):
        check(plan_of(law_of(kind, draw), draw, "go_back_n", "selective"))


def test_any_parameters_of_hpcc_over_tcp() -> None:
    draw = random.Random("tcp")
    for _ in range(DRAWS):
        check(plan_of(law_of(Hpcc, draw), draw, "prr", "sack", "newreno"))


def test_timers_that_are_no_whole_picoseconds_expire_once() -> None:
    law = Dcqcn(rate_timer=6.633768428109201e-08, g=0.0153)
    check(plan_of(law, random.Random(0), "go_back_n"))


@pytest.mark.parametrize(
    "field",
    [
        {"rate_timer": 1e-13},
        {"alpha_timer": 1e-13},
        {"cnp_interval": 1e-13},
        {"byte_counter": 1e-9},
        {"minimum_rate": 1e-9},
    ],
)
def test_parameters_that_would_stop_time_or_a_flow_are_refused(field: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match=next(iter(field))):
        Dcqcn(**field)
