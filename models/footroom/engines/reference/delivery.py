"""How fast data is delivered, as a sender sees it (Linux tcp_rate.c), for laws that use it. Times in ps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """What was known when a segment was sent last."""

    sent: int
    arrived: int
    arrived_at: int
    first_sent: int
    limited: bool
    flight: int
    losses: int
    marked: int


@dataclass(frozen=True)
class Loss:
    """One segment that is found lost. flight: in flight once it had been sent.  lost: lost since, itself included, or 0
    where only the probe of a lost tail shows that one was.  limited: whether its sender was short of data.  arrived:
    segments known to have arrived by ``now``.
    """

    flight: int
    lost: int
    limited: bool
    arrived: int
    now: int


@dataclass
class Sample:
    """What one acknowledgement tells a law.

    now: time.  delivered, lost: segments newly known to have arrived, or to be lost.  before, flight: segments in
    flight before and after.  arrivals, interval: of the delivery rate; the interval is None where there is no valid
    one, the arrivals are None where nothing is new.  prior: segments that had arrived when the newest of them left.
    rtt: its round trip.  limited: whether its sender was short of data.  state: 0 open, 1 recovery, 2 after a timeout.
    leaves: when the next burst may.  smoothed: round trip, 0 for none.  sent_flight: segments in flight once the newest
    of those had been sent.  since_losses, since_marked: segments lost, and arrivals reported as marked, since then.
    echo: whether this acknowledgement reports a mark.  window_full: whether the window was when it last sent.
    una, nxt: oldest segment outstanding, and next one to send.
    """

    now: int
    before: int
    delivered: int = 0
    lost: int = 0
    flight: int = 0
    arrivals: int | None = None
    interval: int | None = None
    prior: int = 0
    rtt: int | None = None
    limited: bool = False
    state: int = 0
    leaves: int = 0
    smoothed: int = 0
    sent_flight: int = 0
    since_losses: int = 0
    since_marked: int = 0
    echo: bool = False
    window_full: bool = False
    una: int = 0
    nxt: int = 0


class Delivery:
    """A connection's count of arrivals, and the notes on its outstanding segments.

    arrived: segments known to have arrived, of which ``marked`` were reported as marked.  losses: those marked as lost,
    again and again.  limited_until: arrivals up
    to which samples are those of a sender short of data, None for none.
    """

    def __init__(self) -> None:
        self.arrived = self.losses = self.marked = 0
        self.arrived_at = 0
        self._first_sent = 0
        self.limited_until: int | None = 1
        self._notes: dict[int, Note] = {}
        self._newest: Note | None = None

    def renumber(self) -> None:
        """The next flow on the connection begins, after a pause."""
        self._notes.clear()
        self.limited_until = max(self.arrived, 1)

    def on_sent(self, seq: int, idle: bool, flight: int, now: int) -> None:
        """Segment ``seq`` leaves, the last of ``flight`` in flight; ``idle``: nothing else was outstanding."""
        if idle:
            self._first_sent = self.arrived_at = now
        self._notes[seq] = Note(
            now,
            self.arrived,
            self.arrived_at,
            self._first_sent,
            self.limited_until is not None,
            flight,
            self.losses,
            self.marked,
        )

    def loss_of(self, seq: int, count: int, delivered: int, now: int) -> Loss:
        """Segment ``seq`` is found lost, the ``count``-th now; ``delivered``: arrivals that were not counted yet."""
        note = self._notes[seq]
        return Loss(note.flight, self.losses + count - note.losses, note.limited, self.arrived + delivered, now)

    def begin(self, news: Iterable[int], clear: Iterable[int], stamp: int | None, now: int, flight: int) -> Sample:
        """The sample of an acknowledgement that newly reports the segments ``news``.

        clear: segments sent only once.  stamp: when the copy left that the acknowledgement's time stamp speaks of.
        """
        sample = Sample(now, flight)
        latest = max(news, key=lambda seq: (self._notes[seq].sent, seq), default=None)
        self._newest = None if latest is None else self._notes[latest]
        if latest is not None and self._newest is not None:
            if latest in set(clear):
                sample.rtt = now - self._newest.sent
            elif stamp is not None:
                sample.rtt = now - stamp
            self._first_sent = self._newest.sent
        return sample

    def complete(self, sample: Sample, delivered: int, lost: int) -> None:
        """Count what has arrived, and what is lost."""
        self.losses += lost
        self.arrived += delivered
        if self.limited_until is not None and self.arrived > self.limited_until:
            self.limited_until = None
        if delivered:
            self.arrived_at = sample.now
        if sample.echo:
            self.marked += delivered
        sample.delivered, sample.lost = delivered, lost
        note = self._newest
        if note is not None:
            sample.arrivals, sample.prior, sample.limited = self.arrived - note.arrived, note.arrived, note.limited
            sample.interval = max(note.sent - note.first_sent, sample.now - note.arrived_at)
            sample.sent_flight = note.flight
            sample.since_losses, sample.since_marked = self.losses - note.losses, self.marked - note.marked


class SampledLaw:
    """Base of the laws that use delivery rates: they have these calls in place of those of ``WindowLaw``, and alone set
    the window.

    cwnd, ssthresh: as of a ``WindowLaw``.  pace_rate: segments per second that it lets out.  draws: random numbers of
    its own.
    """

    def __init__(self) -> None:
        self.cwnd = self.ssthresh = self.pace_rate = 0.0
        self.cut_end = 0
        self.to_answer = False
        self.burst = 1
        self.draws: Iterator[float] = iter(())

    def begin(self, delivery: Delivery, window: int, handshake: int, burst: int, payload: int, now: int) -> None:
        """A connection begins. handshake: its round trip, 0 for unknown; burst: segments of one, 0 for as many as the
        law finds right; payload: of a segment.
        """
        raise NotImplementedError

    def go_on(self, now: int) -> None:
        """The connection carries another flow."""
        raise NotImplementedError

    def on_loss(self, flight: int, una: int) -> None:
        """Recovery begins."""

    def on_expiry(self, fresh: bool) -> None:
        """The retransmission timer expired; ``fresh``: outside recovery, and not for the same segment once more."""

    def on_lost(self, loss: Loss) -> None:
        """A segment is found lost."""

    def on_sample(self, sample: Sample) -> None:
        """An acknowledgement."""
        raise NotImplementedError

    # What it does not ask for.

    def on_start(self, window: int) -> None:
        """Nothing: see ``begin``."""

    def renumber(self) -> None:
        """Nothing: see ``go_on``."""

    def on_ack(self, acked: int, flight: int, una: int, undisturbed: bool, now: int, smoothed: int) -> None:
        """Nothing: see ``on_sample``."""

    def on_marks(self, marked: int, acked: int, una: int, nxt: int, undisturbed: bool) -> None:
        """Nothing."""

    def on_timeout(self, flight: int, una: int) -> None:
        """Nothing: see ``on_expiry``."""
