"""The sizing rules as explanations: formula, numbers put in, source, and whether they hold here.

Every function takes SI units (bit/s, s, B) and returns an :class:`Explanation` whose value is a buffer in bytes unless
its docstring says otherwise.  Outside its range a rule still returns its number, with ``valid=False`` and the reason.
"""

from __future__ import annotations

import math

from footroom.engines.theory import incast, short_flows, sizing, tiny
from footroom.result.explanation import Explanation, Term

#: Window below which a flow has too few packets to recover from a loss by duplicate ACKs.
LEAST_WINDOW = 4.0

_CAPACITY = "bottleneck capacity"
_RTT = "mean round-trip time without queue"


def _holds(where: str, *troubles: str) -> tuple[str, bool]:
    """Range in words with the reasons why it is left, and whether it holds."""
    reasons = [trouble for trouble in troubles if trouble]
    return (where if not reasons else f"{where} Not here: {'; '.join(reasons)}."), not reasons


def _window_trouble(capacity: float, rtt: float, flows: float, packet: float) -> str:
    window = sizing.bandwidth_delay_product(capacity, rtt) / packet / flows
    return f"a flow's window is {window:.2g} packets" if window < LEAST_WINDOW else ""


def _too_few(flows: float) -> str:
    least = sizing.ROOT_N_LEAST_FLOWS
    are = "there is 1 flow" if flows == 1 else f"there are {flows:g} flows"
    return f"{are}, and it needs at least {least}" if flows < least else ""


def _too_many(capacity: float, rtt: float, flows: float, packet: float) -> str:
    """Why a rule for one flow does not hold for ``flows``: they need less, or more at windows of a few packets."""
    if flows <= 1:
        return ""
    window = _window_trouble(capacity, rtt, flows, packet)
    if window:
        return f"there are {flows:g} flows, and {window}: a larger buffer keeps them from timeouts"
    return f"there are {flows:g} flows, which keep the link busy with less unless they are synchronised"


def bdp(capacity: float, rtt: float, flows: float = 1.0, packet: float = 1500.0) -> Explanation:
    """One bandwidth-delay product."""
    many = _too_many(capacity, rtt, flows, packet)
    holds, valid = _holds("One Reno flow, or flows that all cut at the same moment.", many)
    return Explanation(
        name="bdp",
        title="Bandwidth-delay product",
        formula="B = C·RTT/8",
        value=sizing.bandwidth_delay_product(capacity, rtt),
        unit="B",
        terms=(Term("C", _CAPACITY, capacity, "bit/s"), Term("RTT", _RTT, rtt, "s")),
        source="Villamizar and Song, CCR 1994",
        holds=holds,
        valid=valid,
    )


def bdp_over_root_n(capacity: float, rtt: float, flows: float, packet: float = 1500.0) -> Explanation:
    """C·RTT/sqrt(n)."""
    few = _too_few(flows)
    holds, valid = _holds(
        f"At least {sizing.ROOT_N_LEAST_FLOWS} unsynchronised long-lived flows with windows above {LEAST_WINDOW:g} "
        "packets. It does not bound the loss.",
        few,
        _window_trouble(capacity, rtt, flows, packet),
    )
    return Explanation(
        name="bdp_over_root_n",
        title="BDP/√n",
        formula="B = C·RTT/(8·√n)",
        value=sizing.root_n_buffer(capacity, rtt, flows),
        unit="B",
        terms=(
            Term("C", _CAPACITY, capacity, "bit/s"),
            Term("RTT", _RTT, rtt, "s"),
            Term("n", "long-lived flows", float(flows), "1"),
        ),
        source="Appenzeller, Keslassy and McKeown, SIGCOMM 2004, section 3",
        holds=holds,
        valid=valid,
    )


def root_n_for_utilisation(
    capacity: float, rtt: float, flows: float, utilisation: float = 0.99, packet: float = 1500.0
) -> Explanation:
    """Smallest buffer whose Gaussian bound reaches the utilisation.  Raises Infeasible when none does."""
    product = sizing.bandwidth_delay_product(capacity, rtt)
    few = _too_few(flows)
    holds, valid = _holds(
        "As BDP/√n; the bound counts every moment with an empty queue as wholly lost.",
        few,
        _window_trouble(capacity, rtt, flows, packet),
    )
    return Explanation(
        name="root_n_for_utilisation",
        title=f"Gaussian bound for {100 * utilisation:.4g} % utilisation",
        formula="smallest B with erf(1.8371·B·√n/(BDP + B)) ≥ U",
        value=sizing.root_n_buffer_for(utilisation, product, flows),
        unit="B",
        terms=(
            Term("BDP", "bandwidth-delay product", product, "B"),
            Term("n", "long-lived flows", float(flows), "1"),
            Term("U", "utilisation asked for", utilisation, "1"),
        ),
        source="Appenzeller, Keslassy and McKeown, SIGCOMM 2004, section 3",
        holds=holds,
        valid=valid,
    )


def tiny_buffer(
    load: float, window: float, packet: float = 1500.0, goodput: float = 0.9, *, smooth: bool = True
) -> Explanation:
    """log_{1/ρ}(W²/(2(1-θ))) packets.

    load: ρ in (0, 1).  window: largest window [packets].  goodput: θ.  smooth: senders are paced or have slow access.
    """
    packets = tiny.tiny_buffer(load, window, goodput)
    bursts = "" if smooth else "senders are neither paced nor on slow access links"
    holds, valid = _holds("Paced senders or access links much slower than the bottleneck; gives up 1-ρ of it.", bursts)
    return Explanation(
        name="tiny_buffer",
        title="Tiny buffer",
        formula="B = P·ln(W²/(2·(1-θ)))/ln(1/ρ)",
        value=packets * packet,
        unit="B",
        terms=(
            Term("ρ", "load", load, "1"),
            Term("W", "largest window", window, "packet"),
            Term("θ", "fraction of the load kept as goodput", goodput, "1"),
            Term("P", "packet", packet, "B"),
        ),
        source="Enachescu, Ganjali, Goel, McKeown and Roughgarden, INFOCOM 2006, theorem 1",
        holds=holds,
        valid=valid,
    )


def short_flow_bound(
    load: float,
    moments: short_flows.BurstMoments,
    packet: float = 1500.0,
    probability: float = 0.01,
    *,
    burst_ratio: float = math.inf,
) -> Explanation:
    """Buffer whose overflow probability is bounded for flows that end in slow start.

    load: in (0, 1).  moments: of the bursts [packets].  burst_ratio: access rate over capacity.
    """
    slow = "" if burst_ratio > 1.0 else f"access at {burst_ratio:.2g} times the bottleneck's rate spreads bursts"
    holds, valid = _holds(
        "Flows short enough to stay in slow start, arriving at random, bursts arriving as one. "
        "Independent of capacity, RTT and number of flows.",
        slow,
    )
    return Explanation(
        name="short_flow_bound",
        title=f"Short flows, overflow below {probability:g}",
        formula="B = P·ln(1/p)·ρ/(2·(1-ρ))·E[X²]/E[X]",
        value=short_flows.buffer_for_overflow(probability, load, moments) * packet,
        unit="B",
        terms=(
            Term("p", "probability of overflow", probability, "1"),
            Term("ρ", "load", load, "1"),
            Term("E[X]", "mean burst", moments.mean, "packet"),
            Term("E[X²]", "mean square of a burst, in packets squared", moments.square, "1"),
            Term("P", "packet", packet, "B"),
        ),
        source="Appenzeller, Keslassy and McKeown, SIGCOMM 2004, section 4",
        holds=holds,
        valid=valid,
    )


def law_dependent(
    capacity: float, rtt: float, law: str, flows: float = 1.0, utilisation: float = 1.0, packet: float = 1500.0
) -> Explanation:
    """Buffer for one flow of ``reno``, ``cubic``, ``scalable`` or ``bbr`` to keep the utilisation."""
    many = _too_many(capacity, rtt, flows, packet)
    return _single_flow(capacity, rtt, sizing.single_flow_law(law), law, many, utilisation)


def decrease_dependent(
    capacity: float, rtt: float, beta: float, flows: float = 1.0, utilisation: float = 1.0, packet: float = 1500.0
) -> Explanation:
    """Buffer for one flow that multiplies its window by ``beta`` on loss."""
    many = _too_many(capacity, rtt, flows, packet)
    return _single_flow(capacity, rtt, sizing.decrease_law(beta), f"β = {beta:.3g}", many, utilisation)


def _single_flow(
    capacity: float, rtt: float, law: sizing.SingleFlowLaw, label: str, many: str, utilisation: float
) -> Explanation:
    product = sizing.bandwidth_delay_product(capacity, rtt)
    ratio = sizing.single_flow_buffer_ratio(law, utilisation)
    holds, valid = _holds("One flow whose recovery keeps sending (PRR); a lower bound on utilisation.", many)
    return Explanation(
        name="law_dependent",
        title=f"One flow, {label}",
        formula="B = BDP·(U - u0)/s",
        value=product * ratio,
        unit="B",
        terms=(
            Term("BDP", "bandwidth-delay product", product, "B"),
            Term("U", "utilisation asked for", utilisation, "1"),
            Term("u0", "utilisation without buffer", law.floor, "1"),
            Term("s", "utilisation gained per BDP of buffer", law.slope, "1"),
        ),
        source="Spang, Arslan and McKeown, Performance 2021",
        holds=holds,
        valid=valid,
    )


def bscl(capacity: float, rtt: float, flows: float, loss: float = 0.01, packet: float = 1500.0) -> Explanation:
    """Buffer that keeps the loss rate of n flows at or below ``loss``."""
    value = sizing.loss_bounded_buffer(capacity, rtt, flows, loss, packet)
    window = sizing.DELAYED_ACK_WINDOW_FACTOR / math.sqrt(loss)
    high = f"a loss of {loss:g} leaves the square-root law" if loss > 0.05 else ""
    holds, valid = _holds(
        "Flows limited by this bottleneck, loss below 5 %, one ACK per two segments. "
        "0 means that the path alone holds the windows.",
        high,
    )
    return Explanation(
        name="bscl",
        title=f"Loss bound, at most {loss:g}",
        formula="B = max(0, n·P·0.87/√p - C·RTT/8)",
        value=value,
        unit="B",
        terms=(
            Term("n", "long-lived flows", float(flows), "1"),
            Term("P", "packet", packet, "B"),
            Term("p", "loss rate allowed", loss, "1"),
            Term("0.87/√p", "window a flow keeps at that loss", window, "packet"),
            Term("C", _CAPACITY, capacity, "bit/s"),
            Term("RTT", _RTT, rtt, "s"),
        ),
        source="Dhamdhere, Jiang and Dovrolis, INFOCOM 2005 (loss constraint)",
        holds=holds,
        valid=valid,
    )


def incast_first_window(
    capacity: float,
    rtt: float,
    senders: float,
    segment: float,
    initial_window: float = 10.0,
    response: float = math.inf,
    packet: float | None = None,
) -> Explanation:
    """Buffer that takes the first windows of synchronised senders.

    segment: MSS [B].  response: bytes each sends.  packet: size on the wire [B], the segment itself when absent.
    """
    wire = segment if packet is None else packet
    burst = min(initial_window * segment, response) * wire / segment
    value = incast.first_window_buffer(senders, capacity, rtt, wire, initial_window, response * wire / segment)
    holds, valid = _holds(
        "Senders answering within one round trip of each other; the first round only. "
        "0 means that the path takes the windows."
    )
    return Explanation(
        name="incast_first_window",
        title=f"First windows of {senders:g} senders",
        formula="B = max(0, N·w - C·RTT/8), w = min(IW·MSS, S) on the wire",
        value=value,
        unit="B",
        terms=(
            Term("N", "senders answering at once", float(senders), "1"),
            Term("w", "first window of a sender", burst, "B"),
            Term("C", _CAPACITY, capacity, "bit/s"),
            Term("RTT", _RTT, rtt, "s"),
        ),
        source="Derived; compare Phanishayee et al., FAST 2008",
        holds=holds,
        valid=valid,
    )
