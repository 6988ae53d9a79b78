"""Emulator: sharing policies alone, on a trace of arrivals or a synthetic burst, without a network.

One memory, output ports of one rate, and every packet through the same code as in the packet engine. The quickest way
to find which alpha an incast needs, and what the other policies lose.
"""

from footroom.calculators.emulator.answer import EmulateAnswer
from footroom.calculators.emulator.compute import emulate
from footroom.calculators.emulator.question import Question

__all__ = ["EmulateAnswer", "Question", "emulate"]
