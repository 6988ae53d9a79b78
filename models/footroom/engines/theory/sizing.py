"""Sizing rules for long-lived flows: how much buffer keeps the link busy.

Capacities are bit/s, times seconds, buffers bytes, unless a docstring says packets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from footroom.base.errors import Infeasible, InvalidInput
from footroom.formulas.transfer.checks import at_least, between, not_negative, positive

#: 3*sqrt(3)/(2*sqrt(2)): half the buffer over sqrt(2) standard deviations of a sum of uniform sawtooths.
ROOT_N_FACTOR = 3.0 * math.sqrt(3.0) / (2.0 * math.sqrt(2.0))

#: Flows below which the sum of sawtooths is not close to Gaussian (the paper asks for 500 and sees 250 work).
ROOT_N_LEAST_FLOWS = 250

#: Window in packets at loss rate p is this over sqrt(p), for one ACK per two segments (sqrt(3/4), Mathis 1997).
DELAYED_ACK_WINDOW_FACTOR = 0.87


def bandwidth_delay_product(capacity: float, rtt: float) -> float:
    """Bytes in flight on a full path without queue, C·RTT/8 [B].

    capacity [bit/s], rtt [s].  Villamizar and Song, CCR 1994: a buffer of this size keeps one Reno flow's link busy.
    """
    return positive("capacity", capacity) * positive("rtt", rtt) / 8.0


def root_n_buffer(capacity: float, rtt: float, flows: float) -> float:
    """C·RTT/sqrt(n) [B] for n unsynchronised long-lived flows.

    Appenzeller, Keslassy and McKeown, SIGCOMM 2004.  Holds for n of some hundreds and windows above about 4 packets.
    """
    return bandwidth_delay_product(capacity, rtt) / math.sqrt(at_least("flows", flows, 1))


def root_n_utilisation(buffer: float, bdp: float, flows: float) -> float:
    """Lower bound on utilisation [1] of n unsynchronised Reno flows.

    erf(1.8371·B·sqrt(n)/(BDP+B)), buffer and bdp in the same unit.  Appenzeller et al. 2004, section 3.
    The constant follows from the variance of a uniform sawtooth between 2/3 and 4/3 of its mean.
    """
    not_negative("buffer", buffer)
    positive("bdp", bdp)
    at_least("flows", flows, 1)
    # Divide through by the larger of the two so that neither can overflow the sum.
    share = buffer / bdp / (1.0 + buffer / bdp) if buffer < bdp else 1.0 / (1.0 + bdp / buffer)
    return math.erf(ROOT_N_FACTOR * math.sqrt(flows) * share)


def root_n_buffer_for(utilisation: float, bdp: float, flows: float) -> float:
    """Smallest buffer, in bdp's unit, whose :func:`root_n_utilisation` reaches the target in [0, 1).

    Raises Infeasible when even an unlimited buffer leaves the bound short (possible for very few flows).
    """
    from scipy.special import erfinv

    between("utilisation", utilisation, 0.0, 1.0, ends="low")
    positive("bdp", bdp)
    at_least("flows", flows, 1)
    share = float(erfinv(utilisation)) / (ROOT_N_FACTOR * math.sqrt(flows))
    if share >= 1.0:
        raise Infeasible(f"the bound for {flows:g} flows stays below a utilisation of {utilisation:g} at any buffer")
    return bdp * share / (1.0 - share)


def loss_bounded_buffer(capacity: float, rtt: float, flows: float, loss: float, packet: float) -> float:
    """Buffer [B] at which n flows see at most the given loss rate: n·W(p) - C·RTT with W = 0.87/sqrt(p) packets.

    rtt: effective (harmonic mean) round-trip time without queue [s].  loss in (0, 1).  packet [B].
    Dhamdhere, Jiang and Dovrolis, INFOCOM 2005 (BSCL, the loss constraint; one ACK per two segments).
    0 when the path alone holds the windows.
    """
    between("loss", loss, 0.0, 1.0)
    at_least("flows", flows, 1)
    window = DELAYED_ACK_WINDOW_FACTOR / math.sqrt(loss) * positive("packet", packet)
    return max(0.0, flows * window - bandwidth_delay_product(capacity, rtt))


@dataclass(frozen=True)
class SingleFlowLaw:
    """How one flow of a congestion control fills a link with a buffer of b BDP: min(floor + slope·b, 1).

    A law that multiplies its window by β has slope = floor = β; BBR keeps slope 1 above a floor of 3/4.
    floor: utilisation without buffer.  slope: gain per BDP of buffer.
    """

    floor: float
    slope: float


#: Spang, Arslan and McKeown 2021; decrease factors as implemented in Linux.
SINGLE_FLOW_LAWS: dict[str, SingleFlowLaw] = {
    "reno": SingleFlowLaw(0.5, 0.5),
    "cubic": SingleFlowLaw(717.0 / 1024.0, 717.0 / 1024.0),
    "scalable": SingleFlowLaw(7.0 / 8.0, 7.0 / 8.0),
    "bbr": SingleFlowLaw(0.75, 1.0),
}


def single_flow_law(name: str) -> SingleFlowLaw:
    """The law of that name; raises InvalidInput listing the known ones."""
    if name not in SINGLE_FLOW_LAWS:
        raise InvalidInput.at("law", name, f"one of {', '.join(SINGLE_FLOW_LAWS)} is needed")
    return SINGLE_FLOW_LAWS[name]


def decrease_law(beta: float) -> SingleFlowLaw:
    """A law whose window is multiplied by ``beta`` in (0, 1) on loss."""
    between("beta", beta, 0.0, 1.0)
    return SingleFlowLaw(beta, beta)


def single_flow_utilisation(law: SingleFlowLaw, buffer_ratio: float) -> float:
    """Lower bound on the utilisation [1] of one flow with a buffer of ``buffer_ratio`` BDP.

    Spang, Arslan and McKeown, "Updating the theory of buffer sizing", Performance 2021.  Recovery must not pause
    sending (PRR); the bound is the rate just after the cut.
    """
    return min(law.floor + law.slope * not_negative("buffer_ratio", buffer_ratio), 1.0)


def single_flow_buffer_ratio(law: SingleFlowLaw, utilisation: float = 1.0) -> float:
    """Smallest buffer in BDP whose :func:`single_flow_utilisation` reaches the target in [0, 1]."""
    between("utilisation", utilisation, 0.0, 1.0, ends="closed")
    return max(0.0, (utilisation - law.floor) / law.slope)
