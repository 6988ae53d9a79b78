"""What a value of a SONiC configuration may be: every value is a string, whose content is checked here.

Ranges and patterns are those of SONiC's YANG modules (sonic-net/sonic-buildimage, src/sonic-yang-models/yang-models).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, get_args

from pydantic import AfterValidator
from pydantic.fields import FieldInfo


@dataclass(frozen=True)
class Leaf:
    """What YANG says of a value.

    base: its built-in type, which decides how JSON writes it (RFC 7951, section 6).  refers: the table that must have
    a row of this name.  words: what may stand in place of a reference.  separator: set when the string is a list.
    """

    base: str = "string"
    refers: str = ""
    words: tuple[str, ...] = ()
    separator: str = ""


#: Free text.
PLAIN = Leaf()


def leaf_of(field: FieldInfo) -> Leaf:
    """The leaf that a row's field declares, also behind ``| None``."""
    behind = [mark for part in get_args(field.annotation) for mark in getattr(part, "__metadata__", ())]
    return next((mark for mark in [*field.metadata, *behind] if isinstance(mark, Leaf)), PLAIN)


def whole(low: int, high: int) -> Callable[[str], str]:
    """A check for a decimal whole number from ``low`` to ``high``, written as text."""

    def check(text: str) -> str:
        if not re.fullmatch(r"-?(0|[1-9][0-9]*)", text) or not low <= int(text) <= high:
            raise ValueError(f"expected a whole number from {low} to {high}, written as text")
        return text

    return check


def pattern(expression: str, meaning: str) -> Callable[[str], str]:
    """A check that the whole text matches ``expression``."""

    def check(text: str) -> str:
        if not re.fullmatch(expression, text):
            raise ValueError(f"expected {meaning}")
        return text

    return check


def between(least: int, most: int) -> Callable[[str], str]:
    """A check for a text of ``least`` to ``most`` characters."""

    def check(text: str) -> str:
        if not least <= len(text) <= most:
            raise ValueError(f"expected {least} to {most} characters")
        return text

    return check


Text = Annotated[str, PLAIN, AfterValidator(between(1, 255))]
ShortText = Annotated[str, PLAIN, AfterValidator(between(1, 128))]
Uint64 = Annotated[str, Leaf("uint64"), AfterValidator(whole(0, 2**64 - 1))]
Uint32 = Annotated[str, Leaf("uint32"), AfterValidator(whole(0, 2**32 - 1))]
Uint16 = Annotated[str, Leaf("uint16"), AfterValidator(whole(0, 2**16 - 1))]
Mtu = Annotated[str, Leaf("uint16"), AfterValidator(whole(1, 9216))]
Percent = Annotated[str, Leaf("uint64"), AfterValidator(whole(0, 100))]
SmallPercent = Annotated[str, Leaf("uint8"), AfterValidator(whole(0, 100))]
Alpha = Annotated[str, Leaf("int32"), AfterValidator(whole(-8, 7))]
SmallAlpha = Annotated[str, Leaf("int8"), AfterValidator(whole(-8, 7))]
Boolean = Annotated[str, Leaf("boolean"), AfterValidator(pattern("true|false", "true or false"))]
Priorities = Annotated[
    str, PLAIN, AfterValidator(pattern("([0-7](,[0-7])*)?", "priorities 0 to 7 joined by commas, such as 3,4"))
]

ToPool = Annotated[str, Leaf(refers="BUFFER_POOL")]
ToProfile = Annotated[str, Leaf(refers="BUFFER_PROFILE")]
ToProfileOrNull = Annotated[str, Leaf(refers="BUFFER_PROFILE", words=("NULL",))]
ToProfiles = Annotated[str, Leaf(refers="BUFFER_PROFILE", separator=",")]
ToScheduler = Annotated[str, Leaf(refers="SCHEDULER")]
ToWred = Annotated[str, Leaf(refers="WRED_PROFILE")]
