"""Headroom of one link by the name of a scheme, and the time its far end takes to stop."""

from __future__ import annotations

from dataclasses import dataclass

from footroom.base.errors import InvalidInput
from footroom.base.framing import LEAST_FRAME
from footroom.formulas.headroom.budget import round_up
from footroom.formulas.headroom.link import QUANTUM, USUAL_CELL, Link
from footroom.formulas.headroom.quanta import RESPONSES, response_at

#: Quanta within which the far end stops, by the schemes whose formula has a constant of 3840 B.
PAPER_QUANTA = 60
_BY_CONSTANT = ("sih", "dsh")


@dataclass(frozen=True)
class Kept:
    """size: headroom [B].  response: time from a pause frame's arrival until the far end starts no packet [s].

    line: bytes on the line that in cells take ``size``; None where ``size`` was given, or needed no conversion.
    """

    size: int
    response: float
    line: int | None = None


def evaluate(scheme: str, rate: float, delay: float, mtu: float, cell: float | None) -> tuple[int, int | None]:
    """Headroom [B] of a link by ``scheme`` with its default parameters, and the bytes on the line before conversion.

    rate [bit/s].  delay: propagation one way [s].  mtu [B].  cell: of the memory [B]; None where bytes are counted: a
    scheme that counts cells then takes those of Trident2 and Tomahawk.  Any other scheme counts bytes on the line,
    which ``in_memory`` converts; the second value is None where nothing was converted.  Raises InvalidInput for a rate
    beyond the speeds that the scheme knows.
    """
    from footroom.formulas.headroom.schemes import SCHEMES, Scheme  # loaded only for scenarios that have headroom

    if scheme not in _BY_CONSTANT and rate > RESPONSES[-1].speed:
        raise InvalidInput.at(
            "scheme",
            scheme,
            f"covers speeds up to {RESPONSES[-1].speed / 1e12:g} Tb/s and a link has {rate / 1e12:g} Tb/s: give size "
            "in bytes, or scheme sih",
        )
    made = SCHEMES.get(scheme).model_validate({})
    assert isinstance(made, Scheme)
    headroom = made.budget(Link.of_delay(rate, delay, mtu, cell or USUAL_CELL)).headroom
    return (headroom, None) if cell is None or made.counts_cells else (in_memory(headroom, cell), headroom)


def in_memory(size: float, cell: float | None) -> int:
    """Most memory [B] that ``size`` bytes on the line fill with frames of 64 B and more.

    cell [B], None where bytes are counted.  Cells are filled worst by frames of 64 B, or by frames one byte longer than
    a cell: SONiC's factors, of which it takes the first for cells above 128 B.
    """
    if cell is None:
        return round_up(size, 1)
    return round_up(size * max(cell / LEAST_FRAME, 2 * cell / (cell + 1)), int(cell))


def response_of(scheme: str, rate: float) -> float:
    """The response time [s] that ``scheme`` allows for at ``rate`` [bit/s].

    sih and dsh: 60 quanta, the 3840 B of their formula. Others: IEEE 802.3 31B.3.7, see ``quanta.py``.
    """
    if scheme in _BY_CONSTANT:
        return PAPER_QUANTA * QUANTUM * 8.0 / rate
    limits = response_at(min(rate, RESPONSES[-1].speed))
    return limits.quanta * QUANTUM * 8.0 / min(rate, limits.speed)
