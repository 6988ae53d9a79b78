"""What delays the next segment although the window has room: bursts, pacing, and the host's own queue."""

from __future__ import annotations

from footroom.engines.reference.connection import Connection, Mode

#: Pacing rate over cwnd/SRTT: below half of ssthresh, and from there on (Linux: tcp_update_pacing_rate).
FAST, STEADY = 2.0, 1.2

#: For how long a burst that sizes itself waits [ps] (Linux: NSEC_PER_MSEC in tcp_tso_should_defer).
PATIENCE = 10**9

#: Fewest bursts of a flow in its host's queue that keep it from sending (Linux: tcp_small_queue_check).
FEWEST_AT_HOST = 2

#: A burst never waits for more than the window divided by this (Linux: tcp_tso_win_divisor).
WINDOW_PARTS = 3

#: Bursts that size themselves: most bytes, fewest segments, and how many of them a second holds.
LONGEST_BURST, SHORTEST_BURST, BURSTS_PER_SECOND = 65215, 2, 1024


class PacedConnection(Connection):
    """A connection that decides when its next segment may leave."""

    def _waits_for_burst(self) -> bool:
        """Whether new data waits until more of it may leave together (Linux: tcp_tso_should_defer).

        It does not where a third of the window has room, nor while losses are repaired, nor when no acknowledgement is
        to be expected soon: nothing is outstanding, or the oldest segment left less than half a round trip ago. Bursts
        that size themselves do not wait for an acknowledgement that is more than PATIENCE away, nor PATIENCE after the
        last one left, or was to leave where a law paces.
        """
        now, own = self.clock.time, bool(self.stack.autosize)
        if self.stack.pacing or self.burst_size() == 1 or self.mode is not Mode.OPEN or self.nxt == self.una:
            return False
        part = int(min(self.law.cwnd, float(self.stack.receive_window)) / WINDOW_PARTS)
        if self._room() >= min(self.burst_size(), part, self._written() - self.nxt):
            return False
        smoothed = self.rtt.smoothed
        if smoothed is None:
            return False
        if own and now - (self._last_sent if self.sampled is None else self.pace_at) > PATIENCE:
            return False
        due_in = self.sent_at[self.una] + smoothed - now
        return due_in <= (min(smoothed // 2, PATIENCE) if own else smoothed // 2)

    def _per_round_trip(self) -> float:
        """Segments per round trip that the stack's own pacing lets out."""
        factor = FAST if self.law.cwnd < self.law.ssthresh / 2.0 else STEADY
        return factor * max(self.law.cwnd, float(self.nxt - self.una))

    def burst_size(self) -> int:
        """Segments that may leave back to back: given, or what the pacing rate puts into 1/1024 s."""
        stack = self.stack
        if not stack.autosize:
            return int(stack.burst)
        most = max(LONGEST_BURST // stack.payload, SHORTEST_BURST)
        if self.sampled is not None:
            rate = self.sampled.pace_rate * 1e-12
        elif self.rtt.smoothed:
            rate = self._per_round_trip() / float(self.rtt.smoothed)
        else:
            return min(most, int(stack.burst_limit))
        if stack.spacing:
            rate = min(rate, 1.0 / float(stack.spacing))
        return min(max(min(int(rate * (1e12 / BURSTS_PER_SECOND)), most), SHORTEST_BURST), int(stack.burst_limit))

    def _waits_for_law(self) -> bool:
        """Whether the law's pacing rate delays the next segment: a burst leaves at once, then its time is waited."""
        now = self.clock.time
        if self._burst > 0 and self._burst_at == now:
            return False
        if now < self.pace_at:
            return True
        self._burst, self._burst_at, self.pace_at = self.burst_size(), now, now
        return False

    def _fills_host_queue(self) -> bool:
        """Whether as much of the flow waits in its host's queue as may: ``small_queue`` at the steady pacing rate."""
        if self.stack.small_queue == 0 or self.rtt.smoothed is None:
            return False
        if self.at_host < FEWEST_AT_HOST * self.burst_size():
            return False
        if self.sampled is not None:
            return bool(self.at_host >= self.sampled.pace_rate * self.stack.small_queue * 1e-12)
        return bool(self.at_host >= STEADY * self.law.cwnd * self.stack.small_queue / self.rtt.smoothed)

    def _waits_for_pace(self) -> bool:
        """Whether the next segment must wait; if not and it is the first of a burst, the next burst's time is set.

        The interval counts from the first segment of a burst, so that the rate is that of the window over the round
        trip however the burst is stretched by acknowledgements. It is never less than the stack's spacing.
        """
        if self.sampled is not None:
            return self._waits_for_law()
        smoothed = self.rtt.smoothed if self.stack.pacing else None
        if (smoothed is None and self.stack.spacing == 0) or self._burst > 0:
            return False
        now = self.clock.time
        if now < self.pace_at:
            return True
        size = self.burst_size()
        interval = self.stack.spacing * size if self.stack.autosize else self.stack.spacing
        if smoothed is not None:
            interval = max(interval, int(size * smoothed / self._per_round_trip()))
        self._burst = size
        self.pace_at = now + interval
        return False
