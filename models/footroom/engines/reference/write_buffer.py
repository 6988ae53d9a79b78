"""A sender's memory for what the application has written: how much of it there is, and when the application writes."""

from __future__ import annotations

from footroom.engines.plan import Stack

#: Linux counts a segment of a write buffer as its payload and 524 bytes of headers and fragments, rounded up to a power
#: of two, and a descriptor (tcp_sndbuf_expand).
AROUND, DESCRIPTOR = 524, 256
INITIAL_WINDOW = 10


class WriteBuffer:
    """Holds what is written until all before it, and itself, is acknowledged.

    It grows to ``law.provision`` windows whenever the window has room, and the application, which waits for space,
    fills it once what it holds is at most two thirds of it (Linux sk_stream_is_writeable).
    """

    def __init__(self, stack: Stack) -> None:
        segment = 1 << (stack.payload + AROUND - 1).bit_length()
        self._limit = max(1, int(stack.write_buffer) // (segment + DESCRIPTOR))
        self._windows = int(stack.law.provision)
        self.size = min(self._windows * INITIAL_WINDOW, self._limit)
        self.written = 0

    @staticmethod
    def of(stack: Stack) -> WriteBuffer | None:
        """The one of a connection of ``stack``, None where nothing bounds what the application writes."""
        if not stack.write_buffer or stack.rdma or stack.query or stack.recovery == "newreno":
            return None
        return WriteBuffer(stack)

    def begin(self, segments: int) -> None:
        """A flow of ``segments`` begins: the application fills the buffer."""
        self.written = min(self.size, segments)

    def write(self, segments: int, una: int, flight: int, window: float) -> bool:
        """Whether the application, which has ``segments`` in all, writes now.

        una: the oldest segment that is held.  flight: segments in flight under a ``window``.
        """
        if self.written >= segments:
            return False
        if flight < window:
            wanted = int(max(window, float(INITIAL_WINDOW))) * self._windows
            self.size = max(self.size, min(wanted, self._limit))
        held = self.written - una
        if held > self.size - held / 2:
            return False
        self.written = min(una + self.size, segments)
        return True
