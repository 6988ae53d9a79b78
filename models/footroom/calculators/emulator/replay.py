"""One policy applied to one stream of arrivals, and the outcome."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footroom.base import deadline
from footroom.calculators.emulator import tables as at
from footroom.calculators.emulator.arrivals import Arrivals, Ints
from footroom.calculators.emulator.pattern import in_frames
from footroom.calculators.emulator.question import Question
from footroom.kernel.flow_tables import FLOW
from footroom.kernel.tables import MEMORY, NEVER, PACKET, QUEUE
from footroom.parts.sharing import Policy
from footroom.parts.sharing.force import put_in_force


@dataclass(frozen=True)
class Outcome:
    """What a policy did with every packet.

    counts, bursts, series, memory: columns as in footroom.calculators.emulator.tables.
    end: last departure or arrival [ps].  peak: most bytes of memory in use.  first:
    the first packet of a burst (of all, without bursts) that was dropped, -1 for none.  scratch: the policy's own
    memory at the end.
    """

    counts: Ints
    bursts: Ints
    series: Ints
    memory: Ints
    end: int
    peak: int
    first: int
    scratch: npt.NDArray[np.float64]


def rate_of(question: Question) -> int:
    """Picoseconds that a byte takes at an output port, times 2^16."""
    return round(8e12 / question.rate * 65536.0)


def step_of(steps: int, until: int) -> int:
    """Length of one of ``steps`` steps up to ``until`` [ps]; 0 without steps."""
    return until // steps + 1 if steps else 0


def run(
    policy: Policy, question: Question, arrivals: Arrivals, steps: int = 0, until: int = 0, stop: bool = False
) -> Outcome:
    """Run ``arrivals`` through ``policy``. stop: end at the first packet of a burst that is lost.

    steps, until: points of the time series and their end [ps].

    Raises RuntimeError when packets or bytes do not add up.
    """
    from footroom.calculators.emulator.loop import replay

    deadline.check()
    ports, count, flows = question.ports, len(arrivals.time), arrivals.flows
    switch = np.zeros(1, MEMORY)
    switch["buffer"], switch["queues"] = int(question.buffer), ports
    switch["pool"] = int(question.buffer) - ports * int(question.reserved)
    switch["cell"], switch["gap"] = question.cell, question.frames.gap
    frames = in_frames(question, arrivals.size)
    taken = -(-frames // question.cell) * question.cell
    kept: list[np.ndarray] = []
    scratch = put_in_force(policy, switch, kept, flows)[0]
    queues = np.zeros(ports, QUEUE)
    queues["head"] = queues["tail"] = -1
    rate = np.array([rate_of(question)])
    queues["reserved"], queues["rate_at"], queues["index"] = int(question.reserved), rate.ctypes.data, np.arange(ports)
    queues["limit_packets"] = queues["limit_bytes"] = NEVER
    flow_row, packet_row = np.zeros(1, FLOW), np.zeros(1, PACKET)
    step = step_of(steps, until)
    view = at.Replay(
        scalars=np.array([step, int(stop), -1, 0, 0]),
        bases=np.array([table.ctypes.data for table in (switch, queues, flow_row, packet_row)]),
        time=arrivals.time,
        port=arrivals.port,
        size=arrivals.size,
        taken=taken,
        wire=frames + question.frames.gap,
        flow=arrivals.flow,
        seq=arrivals.seq,
        burst=arrivals.burst,
        following=np.full(count, -1),
        switch=switch,
        queues=queues,
        rate=rate,
        packet_row=packet_row,
        busy=np.zeros(ports, np.int64),
        due=np.full(ports, NEVER),
        waiting=np.zeros(ports, np.int64),
        counts=np.zeros((ports, 7), np.int64),
        bursts=np.zeros((len(arrivals.starts), 5), np.int64),
        series=np.zeros((ports, max(1, steps), 8), np.int64),
        memory=np.zeros((max(1, steps), 4), np.int64),
    )
    replay(view)
    if not stop:
        _check(view, count)
    return Outcome(
        view.counts,
        view.bursts,
        view.series,
        view.memory,
        max(int(view.scalars[at.END]), int(arrivals.time[-1])),
        int(switch["largest"][0]),
        int(view.scalars[at.FIRST_DROP]),
        scratch,
    )


def _check(view: at.Replay, count: int) -> None:
    """Check that every packet and byte was sent or dropped, and that the memory is empty and was never overfull."""
    counts, switch = view.counts, view.switch[0]
    for offered, dropped, sent in (
        (at.OFFERED, at.DROPPED, at.SENT),
        (at.OFFERED_BYTES, at.DROPPED_BYTES, at.SENT_BYTES),
    ):
        if (counts[:, offered] != counts[:, dropped] + counts[:, sent]).any():
            raise RuntimeError("packets appeared or vanished in the emulator")
    if counts[:, at.OFFERED].sum() != count or switch["used"] or switch["shared"] or view.queues["bytes"].any():
        raise RuntimeError("the emulator's memory is not accounted for")
    if switch["largest"] > switch["buffer"]:
        raise RuntimeError("more than the memory was in use")
