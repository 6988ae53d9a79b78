"""An emulation as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from footroom.cli import show

if TYPE_CHECKING:
    from footroom.calculators.emulator.document import AbsorbedBurst, EmulateDocument, PolicyOutcome, SmallestAlpha


def text_of(found: EmulateDocument) -> str:
    """What arrived, what each policy lost and can absorb, and the smallest alpha."""
    parts = [
        _arrivals(found),
        _policies(found["policies"]),
        _observed(found["policies"]),
        _alpha(found["smallest_alpha"]),
        show.notes(found["notes"]),
    ]
    return "\n\n".join(part for part in parts if part)


def _arrivals(found: EmulateDocument) -> str:
    arrivals, question = found["arrivals"], found["question"]
    memory = (
        f"{show.number(question['buffer'], 'B')} for {question['ports']} ports of "
        f"{show.number(question['rate'], 'bit/s')}"
    )
    total = f"{arrivals['packets']} packets, {show.number(arrivals['bytes'], 'B')}"
    burst_bytes, arrival_rate = arrivals["burst_bytes"], arrivals["rate"]
    if burst_bytes is None or arrival_rate is None:
        return f"{total} of a trace; {memory}"
    times = "" if arrivals["bursts"] == 1 else f", {arrivals['bursts']} times"
    size, rate = show.number(burst_bytes, "B"), show.number(arrival_rate, "bit/s")
    return (
        f"{question['degree']} senders of {show.number(question['size'], 'B')}, {size} at {rate}{times}; {memory}\n"
        f"{total} in all"
    )


def _policies(policies: list[PolicyOutcome]) -> str:
    rows = []
    for one in policies:
        bursts = one["bursts"]
        lost = ", ".join(str(burst["dropped_packets"]) for burst in bursts[:4]) + (", …" if len(bursts) > 4 else "")
        rows.append(
            [
                one["label"],
                str(one["dropped"]["packets"]),
                show.number(one["dropped"]["bytes"], "B"),
                f"{100 * one['drop_rate']:.3g} %",
                lost,
                show.number(one["peak_queue"], "B"),
                show.number(one["peak_memory"], "B"),
                *_absorbs(one["absorbs"]),
            ]
        )
    return show.table(
        rows,
        [
            "policy",
            "dropped",
            "bytes",
            "of all",
            "by burst",
            "longest queue",
            "memory",
            "absorbs",
            "closed form",
            "repeated",
        ],
    )


def _absorbs(absorbs: AbsorbedBurst | None) -> list[str]:
    if absorbs is None:
        return ["", "", ""]
    if absorbs["unbounded"]:
        return ["any", "any", ""]
    closed, repeated = absorbs["closed_form"], absorbs["repeated"]
    sizes = (absorbs["bytes"], closed and closed["bytes"], repeated and repeated["bytes"])
    return ["" if size is None else show.number(size, "B") for size in sizes]


def _observed(policies: list[PolicyOutcome]) -> str:
    return "\n".join(
        f"{one['label']}: "
        + ", ".join(
            f"{one['counts'][name]['title']} {show.number(value, one['counts'][name]['unit'])}"
            for name, value in one["observed"].items()
        )
        for one in policies
        if one["observed"]
    )


def _alpha(alpha: SmallestAlpha | None) -> str:
    if alpha is None:
        return ""
    if alpha["emulated"] is None:
        return (
            f"no alpha of dynamic threshold avoids loss; {alpha['best_alpha']:.4g} loses least, "
            f"{show.number(alpha['best_dropped'], 'B')}"
        )
    closed = "" if alpha["closed_form"] is None else f", {alpha['closed_form']:.4g} in closed form"
    power = "more than a switch takes" if alpha["dynamic_th"] is None else f"dynamic_th {alpha['dynamic_th']}"
    return f"smallest alpha that loses nothing: {alpha['emulated']:.4g}{closed} ({power})"
