"""One more BBR transfer among BBR flows at a drop-tail queue: the inputs of its model, and where it was found to hold.

Compared with probes in packets over 1 to 20 flows of version 1 and 0.1 to 4 bandwidth-delay products
(``python -m tests.validation.tools.compare_transfer bbr``).
"""

from __future__ import annotations

import numpy as np

from footroom.formulas.transfer.growth import Additive
from footroom.formulas.transfer.startup import Load, completion_times
from footroom.parts.congestion import Bbr
from footroom.parts.marking import NoMarking
from footroom.result.transfer import named
from footroom.scenario.bottleneck import Bottleneck
from footroom.scenario.document import Scenario
from footroom.scenario.one_more import PROBES, STUCK, OneMore, sender_of

MODEL = (
    "The completion time of one more transfer ({size}) is that of a BBR flow in start-up and after it, followed "
    "window by window beside flows that keep sending at the rates they believe in."
)
LOST = (
    "The load loses packets all the time. Each loss in the transfer's last packets costs a timeout, and a little "
    "more or less loss moves the completion time from a round trip to a second: it was between a fifth of that of "
    "the packet simulation and 1.7 times it."
)
ALONE = (
    "Beside a single flow, which takes what is left at once, a transfer of several windows took up to 1.8 times as "
    "long in the packet simulation."
)
RARE = (
    "One transfer in a hundred may meet what another flow drops while it starts or probes, and then waits for a "
    "timeout: the 99th percentile in the packet simulation was up to 50 times this one."
)


def unanswered(scenario: Scenario, seen: Bottleneck) -> str:
    """Why this model does not know the completion time; empty where it does."""
    laws = [entry.congestion for entry in (*seen.long_lived, scenario.traffic[0])]
    reason = ""
    if not isinstance(seen.switch.marking, NoMarking):
        reason = "the model of BBR knows no marking"
    elif seen.poisson or any(not isinstance(law, Bbr) or law.version != 1 for law in laws):
        reason = "the model knows long-lived BBR flows of version 1 among themselves only"
    elif any(entry.rtt is not None for entry in seen.long_lived):
        reason = "the model knows the topology's round trip only"
    return f"No completion time of one more transfer: {reason}; {PROBES}." if reason else ""


def of(scenario: Scenario, seen: Bottleneck, queues: tuple[float, ...], loss: float, outside: str) -> OneMore:
    """transfer_p50 and transfer_p99. queues: equally likely [B].  loss: of the load [1].  outside: why the load's own
    numbers do not hold, empty where they do.
    """
    sender = sender_of(scenario, seen, Additive())
    load = Load(seen.capacity / 8.0 / seen.mtu, seen.buffer / seen.mtu, seen.rtt, np.array(queues) / seen.mtu, loss)
    found = completion_times(load, sender, scenario.run.seed)
    half, most = (float(value) for value in np.quantile(found, (0.5, 0.99), method="inverted_cdf"))
    if not np.isfinite(most):
        return OneMore(notes=(f"No completion time of one more transfer: beside this load {STUCK}; {PROBES}.",))
    metrics = {"transfer_p50": half, "transfer_p99": most}
    reason = outside or (LOST if loss > 0.0 else "")
    several = sender.segments > sender.initial_window
    if not reason and several and seen.flows == 1:
        reason = ALONE
    beyond = {"transfer_p50": reason} if reason else {}
    beyond["transfer_p99"] = reason or RARE
    return OneMore(metrics, beyond, (MODEL.format(size=named(scenario.run.transfer)),))
