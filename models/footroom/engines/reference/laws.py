"""Congestion controls in plain Python; their meaning is documented with ``footroom.parts.congestion``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from footroom.base.errors import Unsupported
from footroom.engines.reference.bbr import BbrLaw
from footroom.engines.reference.bbr3 import Bbr3Law
from footroom.engines.reference.hpcc import HpccOverTcp
from footroom.engines.reference.slow_start import Heard, SlowStart
from footroom.parts.congestion import Bbr, Cubic, Dctcp, Hpcc, Ictcp, Law, NewReno


class WindowLaw(Protocol):
    """One flow's congestion window and slow-start threshold [segments], and what moves them.

    cut_end: the segment after those outstanding when a mark last cut the window.  to_answer: whether that cut is still
    to be reported to the receiver.  burst: segments of new data that the host sends together.
    """

    cwnd: float
    ssthresh: float
    cut_end: int
    to_answer: bool
    burst: int

    def on_start(self, window: int) -> None:
        """The flow begins with ``window`` segments."""

    def renumber(self) -> None:
        """All data was acknowledged, and the segments of the next flow on the connection count from 0 again."""

    def on_ack(self, acked: int, flight: int, una: int, undisturbed: bool, now: int, smoothed: int) -> None:
        """Outside recovery ``acked`` segments were acknowledged that had not been before, of ``flight`` outstanding.

        una: now the oldest one outstanding.  undisturbed: no timeout is being repaired.  now, smoothed: time and
        smoothed round trip [ps].
        """

    def on_marks(self, marked: int, acked: int, una: int, nxt: int, undisturbed: bool) -> None:
        """``acked`` segments were acknowledged, ``marked`` of them reported as marked.

        una, nxt: now outstanding are the segments from una up to, not including, nxt.  undisturbed: no loss is being
        repaired.
        """

    def on_loss(self, flight: int, una: int) -> None:
        """Recovery begins with ``flight`` segments outstanding, from ``una`` on."""

    def on_timeout(self, flight: int, una: int) -> None:
        """The retransmission timer expired."""


def unused(window: float, burst: int) -> float:
    """Segments of ``window`` that may be unused while the window still limits a sender of ``burst`` at a time."""
    return max(2.0, min(float(burst), window / 3.0))


class NewRenoLaw:
    """RFC 5681 with byte counting, marks as in RFC 3168; as ``parts.congestion.newreno``, independently written."""

    burst = 1
    byte_counting = True

    def __init__(self, law: NewReno) -> None:
        self.byte_counting = law.byte_counting
        self._reset()

    def _reset(self) -> None:
        self.cwnd = self.ssthresh = 0.0
        self.cut_end = 0
        self.to_answer = False

    def on_start(self, window: int) -> None:
        self.cwnd = float(window)
        self.ssthresh = 1e18

    def renumber(self) -> None:
        self.cut_end = 0

    def on_ack(self, acked: int, flight: int, una: int, undisturbed: bool, now: int, smoothed: int) -> None:
        if undisturbed and una < self.cut_end:  # the round trip in which a mark cut the window does not widen it
            return
        count = float(acked) if self.byte_counting else 1.0
        slow_start = self.cwnd < self.ssthresh
        used = 2.0 * flight >= self.cwnd if slow_start else flight + 1.0 >= self.cwnd - unused(self.cwnd, self.burst)
        if not used:
            return
        if slow_start:
            step = min(count, self.ssthresh - self.cwnd)
            self.cwnd += step
            count -= step
        if count > 0.0:
            self.cwnd += count / self.cwnd

    def on_marks(self, marked: int, acked: int, una: int, nxt: int, undisturbed: bool) -> None:
        if marked > 0 and undisturbed and una > self.cut_end:  # at most once per window of data
            self.cwnd = self.ssthresh = self.reduced()
            self.cut_end = nxt
            self.to_answer = True

    def reduced(self) -> float:
        """The window after marks."""
        return max(self.cwnd / 2.0, 2.0)

    def on_loss(self, flight: int, una: int) -> None:
        if una < self.cut_end:  # one cut per window of data, whether for marks or for losses
            return
        self.ssthresh = max(min(float(flight), self.cwnd) / 2.0, 2.0)

    def on_timeout(self, flight: int, una: int) -> None:
        self.on_loss(flight, una)


class DctcpLaw(NewRenoLaw):
    """RFC 8257: cuts by half of ``alpha``, the moving average over windows of the share of marked segments."""

    def __init__(self, law: Dctcp) -> None:
        self.law = law
        self.alpha = law.initial_alpha
        self._window_end = 0
        self._acked = self._marked = 0
        self._reset()

    def on_marks(self, marked: int, acked: int, una: int, nxt: int, undisturbed: bool) -> None:
        self._acked += acked
        self._marked += marked
        if una >= self._window_end:  # all that was outstanding when the window began is acknowledged
            self.alpha += self.law.g * (self._marked / self._acked - self.alpha)
            self._acked = self._marked = 0
            self._window_end = nxt
        super().on_marks(marked, acked, una, nxt, undisturbed)

    def renumber(self) -> None:
        super().renumber()
        self._window_end = 0

    def reduced(self) -> float:
        return max(self.cwnd * (1.0 - self.alpha / 2.0), self.law.minimum_window)


class CubicLaw:
    """RFC 9438 in segments and seconds; growth counts acknowledged segments, as RFC 3465 does for slow start."""

    burst = 1

    def __init__(self, law: Cubic) -> None:
        self.law = law
        self.cwnd = self.ssthresh = 0.0
        self.cut_end = 0
        self.to_answer = False
        self._w_max = 0.0
        self._prior = 0.0
        self._after_timeout = False
        self._epoch: int | None = None  # when this stage of congestion avoidance began, pauses taken out
        self._heard = 0
        self._k = 0.0
        self._w_est = 0.0
        self._loss_seen = False  # a loss or a mark since the start or the last timeout
        self.slow_start = SlowStart()
        # Of what happens now: time, the round trip of the newest segment acknowledged, the segment to be sent next.
        self.now = self.newest_trip = self.nxt = 0

    def on_start(self, window: int) -> None:
        self.cwnd = float(window)
        self.ssthresh = 1e18

    def renumber(self) -> None:
        self.cut_end = 0
        self._epoch = None
        self.slow_start.renumber()

    def on_ack(self, acked: int, flight: int, una: int, undisturbed: bool, now: int, smoothed: int) -> None:
        if undisturbed and una < self.cut_end:
            return
        silence, self._heard = now - self._heard, now
        segments = float(acked)
        if self.cwnd < self.ssthresh:
            used = flight >= self.cwnd / 2.0
            segments = self.slow_start.hear(
                Heard(now, self.newest_trip, smoothed, una, self.nxt, self.cwnd, self.ssthresh, segments)
            )
            if self.slow_start.over:
                self.ssthresh = self.cwnd
            if not used:
                return
            doubling = min(segments, self.ssthresh - self.cwnd)
            self.cwnd += doubling
            segments -= doubling
            if not segments:
                return
        elif flight < self.cwnd - unused(self.cwnd, self.burst) - 1.0:  # no growth, and no time (section 5.8)
            if self._epoch is not None:
                self._epoch += silence
            return
        if self._epoch is None:
            self._epoch = now
            self._begin_stage()
        self._avoid_congestion(segments, (now - self._epoch) * 1e-12, smoothed * 1e-12)

    def _begin_stage(self) -> None:
        """Section 4.2, and section 4.8 after a timeout."""
        self._w_est = self.cwnd
        if self._after_timeout or self._w_max <= self.cwnd:
            self._w_max, self._k = self.cwnd, 0.0
        else:
            self._k = ((self._w_max - self.cwnd) / self.law.growth) ** (1.0 / 3.0)
        self._after_timeout = False

    def _w_cubic(self, since: float) -> float:
        distance = since - self._k
        return self.law.growth * distance * distance * distance + self._w_max

    def _avoid_congestion(self, segments: float, elapsed: float, rtt: float) -> None:
        """Sections 4.2 to 4.5."""
        beta = self.law.beta
        steep = self.law.friendly_steepens and self._w_est >= self._prior
        slope = 1.0 if steep else 3.0 * (1.0 - beta) / (1.0 + beta)
        self._w_est += slope * segments / self.cwnd
        friendly = self._w_est if self.law.reno_friendly and self._w_cubic(elapsed) < self._w_est else 0.0
        searching = not self._loss_seen and self.law.first_growth > 0.0
        if searching or not friendly:
            target = max(self.cwnd, min(1.5 * self.cwnd, self._w_cubic(elapsed + rtt)))
            if searching:  # Linux: at least so much per round trip until a loss shows where the path is full
                target = max(target, (1.0 + self.law.first_growth) * self.cwnd)
            self.cwnd += (target - self.cwnd) / self.cwnd * segments
        self.cwnd = max(self.cwnd, friendly)

    def on_marks(self, marked: int, acked: int, una: int, nxt: int, undisturbed: bool) -> None:
        if marked > 0 and undisturbed and una > self.cut_end:
            self.cwnd = max(self._reduce(nxt - una + acked), 1.0)
            self.cut_end = nxt
            self.to_answer = True

    def on_loss(self, flight: int, una: int) -> None:
        if una >= self.cut_end:
            self._reduce(flight)

    def on_timeout(self, flight: int, una: int) -> None:
        if una >= self.cut_end:
            self._reduce(flight)
            self._after_timeout = True
            self._loss_seen = False
            self.slow_start.reset(self.now, self.nxt)

    def _reduce(self, flight: int) -> float:
        """Sections 4.6 and 4.7; the window that is left, before its lower bounds."""
        converging = self.law.fast_convergence and self.cwnd < self._w_max
        self._w_max = self.cwnd * (1.0 + self.law.beta) / 2.0 if converging else self.cwnd
        self._prior = self.cwnd
        self._epoch = None
        self._after_timeout = False
        self._loss_seen = True
        left = min(float(flight), self.cwnd) * self.law.beta
        self.ssthresh = max(left, 2.0)
        return left


_LAWS: dict[type[Law], Callable[[Any], WindowLaw]] = {
    NewReno: NewRenoLaw,
    Ictcp: lambda _: NewRenoLaw(NewReno()),
    Dctcp: DctcpLaw,
    Cubic: CubicLaw,
    Bbr: lambda law: Bbr3Law(law) if law.version == 3 else BbrLaw(law),
    Hpcc: HpccOverTcp,
}


def law_of(law: Law) -> WindowLaw:
    """A fresh state of ``law`` for one flow. Raises Unsupported for one this engine does not know."""
    if type(law) not in _LAWS:
        kind = law.model_dump()["kind"]
        raise Unsupported(
            f'the reference engine does not know the congestion control "{kind}"',
            path="traffic.congestion.kind",
            given=kind,
            engines=("packet",),
        )
    return _LAWS[type(law)](law)
