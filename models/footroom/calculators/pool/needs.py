"""From a question to a division: the chip's memory, the ports, and what a scheme says they need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from footroom.base.errors import InvalidInput, Problem, in_words
from footroom.calculators.pool.division import Division, Group, outside_of
from footroom.calculators.pool.memory import Memory, whole
from footroom.calculators.pool.overhead import Extra, overhead_of
from footroom.calculators.pool.ports import PortGroup
from footroom.calculators.pool.question import Question
from footroom.formulas.headroom.link import USUAL_CELL, Link
from footroom.formulas.headroom.schemes import SCHEMES, Scheme, parameters_under
from footroom.parts.asics import Asic, asic_named
from footroom.scenario.problems import problems_of

if TYPE_CHECKING:
    from footroom.calculators.pool.document import SchemeShare

#: Parameters of schemes that this question sets itself: the scheme's name, and ours.
_SAID_HERE = {
    "ports": "ports",
    "queues": "lossless_classes",
    "priority_groups": "lossless_classes",
    "buffer": "buffer",
    "over_subscribe_ratio": "over_subscribe_ratio",
    "shared_headroom_pool": "headroom_pool",
    "private": "reserved_pg",
    "alpha": "alpha_lossless",
}


@dataclass(frozen=True)
class Setting:
    """A question with everything looked up.

    asic: None where the memory is given alone.  memory, memory_source: with where it comes from.  ports: none where
    only pools are checked.  scheme: with what the chip determines.  notes: what a reader must know.
    others: schemes that are only compared, with the parameters given for them.
    """

    asic: Asic | None
    memory: Memory
    memory_source: str
    ports: tuple[PortGroup, ...]
    scheme: Scheme
    notes: tuple[str, ...]
    others: tuple[Scheme, ...] = ()


def settle(question: Question) -> Setting:
    """Look everything up. Raises InvalidInput for what is neither given nor known."""
    asic = None if question.asic is None else asic_named(question.asic)
    notes: list[str] = []
    memory, source = _memory(question, asic, notes)
    ports = _ports(question, asic, notes)
    others = _others(question)
    return Setting(asic, memory, source, ports, _scheme(question, asic, others), tuple(notes), others)


def _memory(question: Question, asic: Asic | None, notes: list[str]) -> tuple[Memory, str]:
    cell = question.cell_size if question.cell_size is not None else (asic.cell if asic else None)
    if cell is None:
        notes.append("the cell is not known: bytes are not rounded up to cells, which makes everything look smaller")
    elif asic and question.cell_size is None and "cell" in asic.unsure:
        notes.append(f"the cell of {asic.id}, {cell:g} B, is inferred or without a source")
    if question.buffer is not None:
        buffer, source = question.buffer, "given"
    else:
        assert asic is not None  # the question insists on one of them
        if asic.buffer is None:
            raise InvalidInput.at("buffer", None, f"no source gives the memory of {asic.id}; give it")
        buffer = float(asic.buffer)
        name = "buffer_nominal" if asic.buffer_usable is None else "buffer_usable"
        source = f"{asic.id}, {name}: {asic.source}"
        if name in asic.unsure:
            notes.append(f"the memory of {asic.id}, {buffer:.0f} B, is inferred or without a source")
        if asic.external_memory not in ("", "none"):
            notes.append(
                f"{asic.id} also has memory outside the chip ({asic.external_memory}); "
                f"{buffer:.4g} B is what is divided here"
            )
    if cell is not None and cell > buffer:
        raise InvalidInput.at("cell_size", cell, "a cell must not be larger than the memory")
    return Memory(buffer, cell), source


def _ports(question: Question, asic: Asic | None, notes: list[str]) -> tuple[PortGroup, ...]:
    if question.ports:
        total = sum(group.count * group.speed for group in question.ports)
        if asic and asic.capacity and total > asic.capacity * (1 + 1e-9):
            notes.append(f"the ports add up to {total / 1e12:g} Tb/s, {asic.id} forwards {asic.capacity / 1e12:g} Tb/s")
        return question.ports
    if question.pools:
        return ()
    if asic and asic.port_count and asic.port_rate:
        return (PortGroup(count=asic.port_count, speed=asic.port_rate),)
    known = f"the ports of {asic.id} are known as {asic.ports or 'nothing'}" if asic else "no asic is named"
    raise InvalidInput.at("ports", None, f"name the ports, such as 32x100G@300m; {known}")


def _others(question: Question) -> tuple[Scheme, ...]:
    """The schemes that are only compared, where parameters are given for them. Raises InvalidInput."""
    found = []
    for name, given in (question.compared or {}).items():
        kind: type[Scheme] = SCHEMES.get(name)  # type: ignore[assignment]
        try:
            found.append(kind.model_validate(given))
        except ValidationError as error:
            raise InvalidInput(
                [
                    replace(problem, path=f"compared.{name}.{problem.path}")
                    for problem in problems_of(error, given, kind)
                ]
            ) from None
    return tuple(found)


def _scheme(question: Question, asic: Asic | None, others: tuple[Scheme, ...]) -> Scheme:
    for place, scheme in (("scheme", question.scheme), *((f"compared.{one.kind}", one) for one in others)):
        for theirs, ours in _SAID_HERE.items():
            if theirs in scheme.model_fields_set:
                raise InvalidInput.at(f"{place}.{theirs}", getattr(scheme, theirs), f"give it as {ours} instead")
    return _on_chip(question.scheme, question, asic)


def _key(question: Question, scheme: Scheme) -> str:
    """Where the question keeps the parameters of ``scheme``."""
    return "scheme" if type(scheme) is type(question.scheme) else f"compared.{scheme.kind}"


def _on_chip(scheme: Scheme, question: Question, asic: Asic | None) -> Scheme:
    """``scheme`` with what the chip determines, and with the shared pool where it has such a parameter."""
    given = {name: getattr(scheme, name) for name in scheme.model_fields_set}
    with parameters_under(_key(question, scheme), type(scheme)):
        of_chip = {} if asic is None else scheme.of_chip(asic.id, given)
    found = {name: value for name, value in of_chip.items() if name not in given}
    fields = type(scheme).model_fields
    if "over_subscribe_ratio" in fields:
        found["over_subscribe_ratio"] = question.over_subscribe_ratio or 0.0
    if "shared_headroom_pool" in fields:
        found["shared_headroom_pool"] = question.shared_headroom
    try:  # validated anew: a copy with changes would not be
        return type(scheme).model_validate({**given, **found, "kind": scheme.kind})
    except ValidationError as error:
        raise InvalidInput(
            [
                Problem(
                    _SAID_HERE.get(str(item["loc"][0]), f"scheme.{item['loc'][0]}"),
                    item["input"],
                    f"{in_words(item['msg'])} (scheme {scheme.kind})",
                )
                for item in error.errors()
            ]
        ) from None


def needs_of(
    question: Question, setting: Setting, group: PortGroup, cable: float | None = None, scheme: Scheme | None = None
) -> Group:
    """What ports need: by ``scheme`` (the question's by default) with ``cable`` (theirs by default), or as given."""
    length = cable if cable is not None else group.cable if group.cable is not None else question.cable
    lossless = group.lossless_classes if group.lossless_classes is not None else question.lossless_classes
    made = Group(group.count, group.speed, length, lossless, 0.0)
    given = group.headroom if group.headroom is not None else question.headroom
    if given is not None and scheme is None:
        return replace(made, headroom=given, source="given")
    scheme = scheme or setting.scheme
    cell = setting.memory.cell or USUAL_CELL
    with parameters_under(_key(question, scheme), type(scheme)):
        budget = scheme.budget(Link.of_cable(group.speed, length, question.mtu, cell))
    per_port = budget.extra.get("per") == "port"
    # What is set aside per priority group may hold the headroom as well; the lines say so.
    inside = any(line.name == "xoff" for line in budget.size_lines)
    reserved = 0.0 if budget.size is None else float(budget.size - (budget.headroom if inside else 0))
    chip = scheme.chip_notes(None if setting.asic is None else setting.asic.id)
    return replace(
        made,
        headroom=0.0 if per_port else float(budget.headroom),
        reserved=reserved,
        insurance=float(budget.headroom) if per_port else 0.0,
        source=f"scheme {scheme.kind}",
        notes=(*budget.notes, *chip),
        outside=budget.outside,
    )


def divide(question: Question, setting: Setting) -> Division:
    """The division that is asked for. Raises InvalidInput where parameters do not go together."""
    overhead = overhead_of(setting.scheme, setting.asic.id if setting.asic else "")
    extras = [extra for extra in overhead.extras if getattr(question, extra.name, None) is None]
    extras += [
        Extra(name, title, size, per_port, "given")
        for name, title, per_port in (
            ("management", "Management", False),
            ("mirror", "Mirrored packets of each port", True),
        )
        if (size := getattr(question, name))
    ]
    division = Division(
        setting.memory,
        tuple(
            replace(needs_of(question, setting, group), wide=overhead.is_wide(group.speed)) for group in setting.ports
        ),
        question.classes,
        reserved_pg=question.reserved_pg,
        reserved_queue=question.reserved_queue,
        extras=tuple(extras),
        ratio=question.over_subscribe_ratio,
        pool=question.shared_headroom,
        private=overhead.private if question.private_headroom is None else question.private_headroom,
    )
    if division.pooled and any(group.insurance for group in division.groups):
        path = "over_subscribe_ratio" if division.pool is None else "headroom_pool"
        raise InvalidInput.at(
            path,
            getattr(question, path),
            f"{setting.scheme.kind} keeps headroom per port and has no shared headroom pool",
        )
    return division


def _compared(question: Question, setting: Setting) -> list[Scheme]:
    """Every scheme: the question's own, the others with the parameters given for the comparison."""
    given: dict[type, Scheme] = {type(scheme): scheme for scheme in setting.others}
    found = []
    for kind in SCHEMES:
        made = given.get(kind) or kind.model_validate({})
        assert isinstance(made, Scheme)
        found.append(setting.scheme if type(setting.scheme) is kind else _on_chip(made, question, setting.asic))
    return found


def pooling_notes(question: Question, setting: Setting) -> tuple[str, ...]:
    """Notes on schemes whose headroom changes when it is pooled, so that it differs from numbers without a pool."""
    if question.over_subscribe_ratio is None and not question.shared_headroom:
        return ()
    notes = []
    for scheme in _compared(question, setting):
        unpooled: dict[str, Any] = {"over_subscribe_ratio": 0.0, "shared_headroom_pool": None}
        off = {name: value for name, value in unpooled.items() if name in type(scheme).model_fields}
        alone = scheme.model_copy(update=off)
        for group in setting.ports if off else ():
            pair = [needs_of(question, setting, group, scheme=one).headroom for one in (scheme, alone)]
            if pair[0] != pair[1]:
                notes.append(
                    f"{scheme.kind}, {group.speed / 1e9:g} Gb/s: {pair[0]:.0f} B beside a shared headroom "
                    f"pool, {pair[1]:.0f} B without one"
                )
    return tuple(notes)


def compare(question: Question, setting: Setting, division: Division) -> dict[str, SchemeShare]:
    """Headroom by every scheme, before any of it is pooled, and what would be left to share [B].

    share: of the memory, from bytes as the scheme says them, before they are rounded up to cells.
    """
    found: dict[str, SchemeShare] = {}
    others = sum(line.size for line in division.lines() if line.name in ("reserved_pg", "reserved_queue"))
    for scheme in _compared(question, setting):
        groups = [needs_of(question, setting, group, scheme=scheme) for group in setting.ports]
        total = sum(
            group.priority_groups * group.headroom + (group.count * group.insurance if group.lossless else 0.0)
            for group in groups
        )
        found[scheme.kind] = {
            "each": [whole(group.headroom or group.insurance) for group in groups],
            "per": "port" if any(group.insurance for group in groups) else "priority group",
            "bytes": whole(total),
            "share": total / setting.memory.buffer,
            "left": whole(setting.memory.buffer - total - others),
            "outside": outside_of(groups),
        }
    return found
