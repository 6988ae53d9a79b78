"""Registries: explicit, ordered lists of the kinds an axis knows, and of those still to come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from footroom.base.component import Component


@dataclass(frozen=True)
class Registry:
    """One axis of the scenario.

    axis: the JSON key.  kinds: a component class or a union of them.  planned: kinds of the public vocabulary that
    no engine supports yet.  title: what the axis decides.
    """

    axis: str
    title: str
    kinds: Any
    planned: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[type[Component]]:
        return iter(get_args(self.kinds) or (self.kinds,))

    @property
    def names(self) -> tuple[str, ...]:
        """Supported kinds, in the order they are offered."""
        return tuple(str(cls.model_fields["kind"].default) for cls in self)

    def get(self, kind: str) -> type[Component]:
        """The class of one kind. Raises KeyError."""
        return dict(zip(self.names, self, strict=True))[kind]

    def check(self) -> BeforeValidator:
        """A validator that refuses an unknown or planned kind with one clear sentence."""
        return BeforeValidator(self._check)

    def _check(self, value: Any) -> Any:
        if isinstance(value, Component):
            return value
        accepted = ", ".join(self.names)
        if not isinstance(value, dict):
            raise PydanticCustomError("kind", f'expected an object with a "kind", one of: {accepted}')
        kind = value.get("kind")
        if kind in self.planned:
            raise PydanticCustomError(
                "not_yet_supported",
                f'{self.axis} kind "{kind}" is not yet supported by any engine; accepted now: {accepted}',
            )
        if kind not in self.names:
            raise PydanticCustomError("kind", f'"kind" must be one of: {accepted}')
        return value
