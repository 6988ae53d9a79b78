"""Throughput of a Reno flow at a given loss rate.  Windows in packets, rates in packet/s, times in seconds.

``ack_every`` is b of the papers: segments per window increase step (2 with delayed ACKs that count ACKs,
1 without delayed ACKs or with byte counting).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from footroom.base.errors import InvalidInput
from footroom.formulas.transfer.checks import at_least, between, positive


def mathis(loss: float, rtt: float, ack_every: float = 1.0) -> float:
    """sqrt(3/(2bp))/RTT [packet/s].

    loss: p in (0, 1].  Mathis, Semke, Mahdavi and Ott, CCR 1997.  Periodic loss, no timeouts, no window limit;
    holds for p below about 1 %.
    """
    between("loss", loss, 0.0, 1.0, ends="high")
    at_least("ack_every", ack_every, 1.0)
    return math.sqrt(1.5 / ack_every / loss) / positive("rtt", rtt)


def expected_window(loss: float, ack_every: float = 1.0) -> float:
    """Mean window [packets] when a loss is noticed, without window limit.  Padhye et al. 1998, eq. 13."""
    between("loss", loss, 0.0, 1.0)
    base = (2.0 + ack_every) / (3.0 * at_least("ack_every", ack_every, 1.0))
    return base + math.sqrt(8.0 * (1.0 - loss) / (3.0 * ack_every) / loss + base * base)


def timeout_share(loss: float, window: float) -> float:
    """Q(p, w) [1]: probability that a loss in a window of w packets ends in a timeout.  Padhye et al. 1998, eq. 22.

    Assumes Reno's rule of three duplicate ACKs and that all packets of a round behind a loss are lost too.
    """
    between("loss", loss, 0.0, 1.0, ends="low")
    return float(timeout_shares(loss, np.float64(positive("window", window))))


def timeout_shares(loss: float, windows: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
    """:func:`timeout_share` for many windows [packets]; arguments are taken as valid."""
    wide = np.maximum(windows, 3.0)  # at 3 packets and below every loss ends in a timeout: Q = 1
    if loss == 0.0:
        return np.asarray(3.0 / wide, dtype=np.float64)
    log_kept = math.log1p(-loss)
    three = -math.expm1(3.0 * log_kept)
    rest = -np.expm1((wide - 3.0) * log_kept)
    return np.asarray(np.minimum(1.0, three * (1.0 + (1.0 - three) * rest) / -np.expm1(wide * log_kept)))


def backoff_factor(loss: float) -> float:
    """G(p) [1]: 1 + p + 2p² + 4p³ + 8p⁴ + 16p⁵ + 32p⁶, growth of a timeout sequence by doubling up to 64."""
    return 1.0 + loss * (1.0 + loss * (2.0 + loss * (4.0 + loss * (8.0 + loss * (16.0 + 32.0 * loss)))))


def pftk_approximation(
    loss: float, rtt: float, timeout: float, ack_every: float = 1.0, max_window: float = math.inf
) -> float:
    """min(Wm/RTT, 1/(RTT·sqrt(2bp/3) + T0·min(1, 3·sqrt(3bp/8))·p(1+32p²))) [packet/s].

    Padhye, Firoiu, Towsley and Kurose, SIGCOMM 1998, eq. 30.
    """
    between("loss", loss, 0.0, 1.0)
    at_least("ack_every", ack_every, 1.0)
    positive("rtt", rtt)
    positive("timeout", timeout)
    scaled = ack_every * loss
    pause = timeout * min(1.0, 3.0 * math.sqrt(0.375 * scaled)) * loss * (1.0 + 32.0 * loss * loss)
    return min(max_window / rtt, 1.0 / (rtt * math.sqrt(2.0 * scaled / 3.0) + pause))


def pftk(
    loss: float,
    rtt: float,
    timeout: float,
    ack_every: float = 1.0,
    max_window: float = math.inf,
    *,
    delivered: bool = False,
) -> float:
    """Rate [packet/s] of a Reno flow with timeouts and a window limit.  Padhye et al. 1998, eqs 31 and 32.

    loss: probability p in [0, 1) that a round sees a first loss, per packet; p = 0 needs a finite ``max_window``.
    timeout: first retransmission timeout T0 [s].  delivered: count what arrives, W/2 of the W packets in the
    round of the loss and one packet per timeout; the goodput form Cardwell et al. 2000 use for congestion avoidance.
    Raises InvalidInput.
    """
    between("loss", loss, 0.0, 1.0, ends="low")
    at_least("ack_every", ack_every, 1.0)
    positive("rtt", rtt)
    positive("timeout", timeout)
    if not max_window >= 1.0:
        raise InvalidInput.at("max_window", max_window, "at least 1 packet is needed")
    if loss == 0.0:
        if math.isinf(max_window):
            raise InvalidInput.at("loss", loss, "without loss the rate is unbounded; give max_window or a loss above 0")
        return max_window / rtt
    free = expected_window(loss, ack_every)
    window = min(free, max_window)
    share = timeout_share(loss, window)
    until_loss = (1.0 - loss) / loss
    sent = until_loss + (window / 2.0 + share if delivered else window + share / (1.0 - loss))
    if free < max_window:
        rounds = ack_every * window / 2.0 + 1.0
    else:
        rounds = ack_every * window / 8.0 + until_loss / window + 2.0
    return sent / (rtt * rounds + share * backoff_factor(loss) * timeout / (1.0 - loss))
