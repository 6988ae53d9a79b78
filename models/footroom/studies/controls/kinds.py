"""The congestion controls that can be compared, read off the registry, and mixtures of two of them."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from footroom.base.component import Component
from footroom.base.errors import InvalidInput
from footroom.parts.congestion import RDMA, REGISTRY, Law

if TYPE_CHECKING:
    from footroom.studies.controls.document import ControlDocument, Hosts

#: Joins the names of the two controls of a mixture.
_PLUS = "+"


@dataclass(frozen=True)
class Control:
    """One control, or two that share the link with half of the flows each.

    name: "cubic", "bbr1", "cubic+bbr1".  title: for a reader.  documents: of every control in it, as a scenario writes
    it.  hosts: "tcp", "rdma", or "mixed" for one of each.  engines: those that know all controls in it.
    """

    name: str
    title: str
    documents: tuple[dict[str, Any], ...]
    hosts: Hosts
    engines: tuple[str, ...]

    @property
    def laws(self) -> tuple[Law, ...]:
        """The controls with their parameters."""
        return tuple(_law(document) for document in self.documents)

    def to_dict(self) -> ControlDocument:
        """Plain data."""
        return {
            "control": self.name,
            "title": self.title,
            "mixture": len(self.documents) > 1,
            "hosts": self.hosts,
            "engines": list(self.engines),
        }


@functools.cache
def available() -> tuple[Control, ...]:
    """Every kind of the registry in its order; a kind that has versions is there once for each."""
    return tuple(control for kind in REGISTRY for control in _versions(kind))


def pairs(controls: tuple[Control, ...]) -> tuple[Control, ...]:
    """Mixtures of every two of ``controls`` that run on the same hosts."""
    return tuple(_mixture(a, b) for a, b in itertools.combinations(controls, 2) if a.hosts == b.hosts)


def control_named(name: Any, path: str = "controls") -> Control:
    """The control, or mixture, of that name; a kind that has versions means its usual one. Raises InvalidInput."""
    parts = [part.strip() for part in name.split(_PLUS)] if isinstance(name, str) else []
    known = {control.name: control for control in available()}
    known |= {kind: _usual(kind) for kind in REGISTRY.names if kind not in known}
    wrong = [part for part in parts if part not in known]
    if wrong or len(parts) not in (1, 2):
        names = ", ".join(control.name for control in available())
        raise InvalidInput.at(path, name, f'controls are {names}; a mixture of two is written "cubic+bbr1"')
    one, *other = (known[part] for part in parts)
    if not other:
        return one
    if one == other[0]:
        raise InvalidInput.at(path, name, "a mixture needs two different controls")
    return _mixture(one, other[0])


def _usual(kind: str) -> Control:
    """Of a kind with versions, the default version."""
    usual = REGISTRY.get(kind).model_fields["version"].default
    return next(control for control in available() if control.documents[0] == {"kind": kind, "version": usual})


def _versions(kind: type[Component]) -> tuple[Control, ...]:
    name = str(kind.model_fields["kind"].default)
    written = {"kind": name, **kind.example}
    field = kind.model_fields.get("version")
    if field is None or get_origin(field.annotation) is not Literal:
        return (_single(name, kind.about.title, written),)
    return tuple(
        _single(f"{name}{version}", f"{kind.about.title} {version}", {**written, "version": version})
        for version in get_args(field.annotation)
    )


def _single(name: str, title: str, document: dict[str, Any]) -> Control:
    law = _law(document)
    return Control(name, title, (document,), "rdma" if law.recoveries == RDMA else "tcp", tuple(law.known_to()))


def _mixture(one: Control, other: Control) -> Control:
    engines = tuple(name for name in one.engines if name in other.engines)
    hosts = one.hosts if one.hosts == other.hosts else "mixed"
    return Control(
        f"{one.name}{_PLUS}{other.name}",
        f"{one.title} + {other.title}",
        one.documents + other.documents,
        hosts,
        engines,
    )


def _law(document: dict[str, Any]) -> Law:
    fields = {key: value for key, value in document.items() if key != "kind"}
    law = REGISTRY.get(document["kind"])(kind=document["kind"], **fields)
    assert isinstance(law, Law)  # the registry holds nothing else
    return law
