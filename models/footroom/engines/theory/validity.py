"""Where the closed forms were found to hold, beside the packet engine.

Long-lived flows: 2 to 128 of them, 2 to 200 packets of path each, buffers of 0.1 to 1 bandwidth-delay product. Drop
rates were 0.6 to 1.5 times those of packets, but up to twice with mean windows below ``LEAST_WINDOW``, where timeouts
take over.

Arriving flows: loads of 0.2, 0.5 and 0.8, buffers of 20 to 600 packets, flows of 10 kB to 1 MB and round trips of 0.1
and 10 ms at 1 Gb/s, senders' links ten times as fast (docs/theory.md). Two things are missing in the formulas: a flow's
own slow start overshoots path and buffer, whatever the load, and these losses hit one flow in a row, not all flows at
random.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from footroom.base.written import count
from footroom.engines.theory.inputs import ShortFlows, TheoryInputs
from footroom.formulas.transfer.completion import pipelined_times

#: Mean window of long-lived flows [packets] below which timeouts, absent from the closed form, matter.
LEAST_WINDOW = 7.0
#: Flows of equal round trips stay in step after losing together: fewer than so many in buffers below this share of the
#: product, or any number in buffers of fewer packets than flows.
MANY_IN_STEP, IN_STEP = 20, 0.15
#: Many flows over different round trips: so many, below so many packets of buffer per flow, or paced below such a share
#: of the product, and utilisation up to which they may be further off than theory is elsewhere.
MANY, ROOM_OF_MANY, PACED_OF_MANY, NEARLY_ALL = 100, 2.0, 0.05, 0.95
#: Paced flows up to which small buffers lose their bursts, and packets of buffer below which that was found.
FEW_PACED, ROOM_OF_FEW_PACED = 2, 24.0
#: Packets of buffer per flow below which packets of flows whose windows fit the path still overflow it.
MEETING = 0.25
#: Flows of CUBIC below which an overflow drops one to a few packets, as its bursts fall; unpaced, with different round
#: trips.
FEWEST_CUBIC, FEWEST_UNEVEN_CUBIC = 4, 8
#: Flows longer than this share of the buffer overflow it in their own slow start, or a few of them together.
LONGEST = 0.25
#: Share of all bytes in such flows from which they decide the loss.
FEW = 0.01
#: Completion times beyond so many times the idle path's are dominated by queue, shares and loss, and were found up to a
#: hundred times too long.
MOST_WAITING = 2.0

_QUEUE = ("drop_rate", "queue_mean")
_TIMES = ("fct_mean", "fct_p50", "slowdown_p50")


def outside(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    """Metric to reason, for what lies outside. Where there are long-lived flows they set queue and loss."""
    if inputs.groups:
        return _long(inputs, metrics)
    short = inputs.short
    if short is None:
        return {}
    long_share = share_in_long_flows(inputs, short)
    if long_share > FEW:
        reason = (
            f"{100 * long_share:.0f} % of the bytes are in flows longer than a quarter of the buffer, which overflow "
            "it in slow start; drops are then many times those of this formula, and completion times were found "
            "between a hundredth and three times as long: use the packet simulation"
        )
        return {name: reason for name in (*_QUEUE, *_TIMES) if name in metrics}
    idle = idle_mean(inputs, short)
    if metrics.get("fct_mean", 0.0) > MOST_WAITING * idle:
        reason = (
            f"completion takes more than {MOST_WAITING:g} times that of an idle path ({idle:.3g} s), where the "
            "formula was found 1.3 to 6 times too long: use the packet simulation"
        )
        return {name: reason for name in _TIMES if name in metrics}
    return {}


def mean_window(inputs: TheoryInputs, metrics: Mapping[str, float]) -> float:
    """Mean window of the long-lived flows [packets]."""
    packets = metrics["utilisation"] * inputs.bdp * (1.0 - inputs.background) + metrics["queue_mean"]
    return packets / inputs.mtu / inputs.flows


def _long(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    burst = max(group.burst for group in inputs.groups)
    if burst > 1.0 and inputs.buffer / inputs.mtu < burst + 2.0:
        reason = (
            f"a buffer of {count(inputs.buffer / inputs.mtu)} packets has no room for what an acknowledgement of "
            f"{burst:g} packets releases at once: windows stay so small that they wait for the timer of "
            "acknowledgements, and the packet simulation used as little as a tenth of the link"
        )
        return dict.fromkeys(metrics, reason)
    return _losses(inputs, metrics)


def _losses(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    if inputs.flows == 1 and not inputs.groups[0].cubic and metrics["drop_rate"] > 0.0:
        return _few_paced(inputs, metrics) | {
            "drop_rate": "a lone flow loses one to three packets per cycle, which depends on how its bursts fall; the "
            "formula counts one, and the packet simulation had up to 2.6 times its drop rate"
        }
    window = mean_window(inputs, metrics)
    found = _in_step(inputs, metrics)
    if metrics["drop_rate"] == 0.0:
        return found | (_held(inputs, metrics) or _chance(inputs))
    found |= _many(inputs, metrics) | _few_paced(inputs, metrics)
    fewest = FEWEST_UNEVEN_CUBIC if inputs.out_of_step else FEWEST_CUBIC
    if inputs.flows < fewest and all(group.beta > 0.5 for group in inputs.groups):
        return found | {
            "drop_rate": f"fewer than {fewest} CUBIC flows drop one to a few packets in an overflow, as their bursts "
            "fall: drop rates were 0.4 to 1.4 times those of the packet simulation"
        }
    if window >= LEAST_WINDOW:
        return found
    return found | {
        "drop_rate": f"mean windows are {window:.2g} packets; below {LEAST_WINDOW:g} timeouts take over, which the "
        "closed form leaves out, and its drop rate was up to twice that of the packet simulation"
    }


def _in_step(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    few = inputs.buffer < IN_STEP * inputs.bdp and inputs.flows < MANY_IN_STEP
    small = few or inputs.buffer / inputs.mtu < inputs.flows
    if inputs.out_of_step or inputs.flows == 1 or not small or inputs.paced or metrics["drop_rate"] == 0.0:
        return {}
    reason = (
        f"round trips are equal, and {inputs.flows} flows share a buffer of {count(inputs.buffer / inputs.mtu)} "
        "packets: those that lost together stay in step, which the closed form leaves to chance, and utilisation was "
        "up to 6 points off"
    )
    found = {name: reason for name in ("utilisation", "throughput") if name in metrics}
    if inputs.buffer / inputs.mtu < inputs.flows:
        found["drop_rate"] = (
            f"round trips are equal, and {inputs.flows} flows share a buffer of {count(inputs.buffer / inputs.mtu)} "
            "packets: those that lost together stay in step, which the closed form leaves to chance, and this drop "
            "rate was 0.7 to 1.8 times that of the packet simulation"
        )
    return found


def _many(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    """Overflows of the closed form hit many flows at one moment; those of packets are spread over time."""
    few = PACED_OF_MANY * inputs.bdp if inputs.paced else ROOM_OF_MANY * inputs.flows * inputs.mtu
    if inputs.flows < MANY or inputs.spread == 0.0 or inputs.buffer >= few or metrics["utilisation"] >= NEARLY_ALL:
        return {}
    reason = (
        f"{inputs.flows} flows over different round trips share a buffer of {count(inputs.buffer / inputs.mtu)} "
        "packets: it overflows by chance, a few packets at a time, where the closed form cuts many flows at one "
        "moment. Utilisation in the packet simulation was up to 8 points higher"
    )
    found = {name: reason for name in ("utilisation", "throughput") if name in metrics}
    if inputs.paced:
        found["drop_rate"] = reason + ", and this drop rate up to 1.7 times that of the packet simulation"
    return found


def _few_paced(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    """One or two paced flows, which lose several packets at once in a buffer of a few."""
    packets = inputs.buffer / inputs.mtu
    if not inputs.paced or inputs.flows > FEW_PACED or packets >= ROOM_OF_FEW_PACED:
        return {}
    reason = (
        f"{inputs.flows} paced flow{'s' if inputs.flows > 1 else ''} over a buffer of {count(packets)} packets. Below "
        f"{ROOM_OF_FEW_PACED:g} packets such flows lose several packets of one window, and some cycles end in a second "
        "cut: utilisation was up to 13 points above that of the packet simulation, with three flows up to 5"
    )
    return {name: reason for name in ("utilisation", "throughput") if name in metrics}


def _held(inputs: TheoryInputs, metrics: Mapping[str, float]) -> dict[str, str]:
    """Receive windows whose queue ends just below the buffer: it is longer while no acknowledgement is held back."""
    standing = metrics["queue_mean"] / inputs.mtu
    if standing == 0.0 or standing + inputs.held + 1.0 <= inputs.buffer / inputs.mtu:
        return {}
    reason = (
        f"receive windows keep a queue of {standing:.3g} packets on average in a buffer of "
        f"{count(inputs.buffer / inputs.mtu)}. Receivers hold back acknowledgements for {inputs.held:.3g} packets on "
        "average; while they hold none, the queue is longer by as many and overflows, which this model leaves out"
    )
    return {name: reason for name in ("drop_rate", "utilisation", "throughput", "queue_mean") if name in metrics}


def _chance(inputs: TheoryInputs) -> dict[str, str]:
    """Receive windows keep the queue empty on average, and packets of many flows still meet."""
    if inputs.buffer / inputs.mtu >= MEETING * inputs.flows:
        return {}
    reason = (
        f"receive windows leave no standing queue, but packets of {inputs.flows} flows collide by chance in a buffer "
        f"of {inputs.buffer / inputs.mtu:.3g}: packets lost up to 0.2 %, and up to 22 points of utilisation where "
        "windows of a few packets wait for timeouts"
    )
    return dict.fromkeys(("drop_rate", "utilisation", "throughput"), reason)


def share_in_long_flows(inputs: TheoryInputs, short: ShortFlows) -> float:
    """Share of the bytes in flows of more packets than a quarter of the buffer."""
    sizes = np.array(short.sizes)
    carried = sizes * np.array(short.shares)
    long = np.ceil(sizes / inputs.mss) > LONGEST * inputs.buffer / inputs.mtu
    return float(carried[long].sum() / carried.sum())


def idle_mean(inputs: TheoryInputs, short: ShortFlows) -> float:
    """Mean completion time over an idle path [s]."""
    rate = min(short.access, inputs.capacity) / 8.0 / inputs.mtu
    segments = np.maximum(1.0, np.ceil(np.array(short.sizes) / inputs.mss))
    times = pipelined_times(
        segments, inputs.rtt, rate, short.initial_window, 1.0 + 1.0 / short.ack_every, short.max_window
    )
    return float(np.array(short.shares) @ times)
