"""Order of alarms due at one instant: by kind, then by the number of the port or flow."""

from __future__ import annotations

from enum import IntEnum, auto, unique

from footroom.kernel.answers import WHOLE

#: More than there are alarms of any one kind.
_NUMBERS = 2**40


@unique
class Kind(IntEnum):
    """Kinds of alarms, in the order in which they ring at one instant."""

    TRANSMITTER = auto()
    WIRE = auto()
    FLOW = auto()
    START = auto()
    PAUSE = auto()
    REPETITION = auto()
    LAW = auto()

    def of(self, number: int) -> int:
        """Rank of this kind's alarm of port or flow ``number``."""
        return self * _NUMBERS + number

    def of_pause(self, port: int, klass: int | None) -> int:
        """The same where a port has one for each class, and after those one for all together: None."""
        return self.of(port * (WHOLE + 1) + (WHOLE if klass is None else klass))
