"""How far a receiver may still open its window: as long as it may, Linux acknowledges every segment at once."""

from __future__ import annotations

#: Of 256 parts of its memory: the window at first, and what full segments leave to data.
AT_FIRST, DATA, PARTS = 128, 162, 256

#: Bytes of a round trip that count: no window is larger (RFC 7323 §2.3).
LARGEST = 2**30


class ReceiveWindow:
    """The announced window and the memory behind it (Linux tcp_grow_window, tcp_rcv_space_adjust).

    memory: of the connection at first [B].  payload: of a segment [B].  now: when the first one comes [ps].
    """

    def __init__(self, memory: int, payload: int, now: int) -> None:
        self._payload = payload
        self._announced = memory * AT_FIRST // PARTS
        self._bound = memory * DATA // PARTS
        self._best = min(10 * payload, self._announced)  # bytes read in a round trip
        self._counted, self._since = 0, now

    def opens(self) -> bool:
        """A segment has come. Whether the window opens for it, by two segments at most."""
        if self._announced >= self._bound:
            return False
        self._announced = min(self._bound, self._announced + 2 * self._payload)
        return True

    def on_read(self, expected: int, trip: int | None, now: int) -> None:
        """The application has read all before segment ``expected``. trip: smoothed round trip [ps], if known."""
        if not trip or now < self._since + trip:
            return
        brought = min((expected - self._counted) * self._payload, LARGEST)
        if brought > self._best:
            # Twice that for losses, and more if it grew: a sender in slow start doubles it, and this is a trip late.
            twice = 2 * brought
            self._bound = max(self._bound, twice + twice * (brought - self._best) // self._best * 2)
            self._best = brought
        self._counted, self._since = expected, now

    def renumber(self, received: int) -> None:
        """Segments count from 0 again, after ``received`` of them."""
        self._counted -= received
