"""Every error Footroom raises on purpose.

FootroomError
├── InvalidInput      the caller gave something wrong; carries one Problem per field
├── Unsupported       the input is fine, this engine (or this version) cannot answer it
├── Infeasible        no value meets the requirement
├── NotConverged      a numerical method did not reach its tolerance
├── TimeLimit         the answer takes longer than the caller is ready to wait
├── Unreachable       the workers cannot be reached now
└── Cancelled         the caller asked to stop
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: What a validator says, as a pattern, and as one would say it.
_SAID = (
    (r"^Value error, ", ""),
    (r"^Input should be a valid integer.*$", "must be a whole number"),
    (r"^Input should be a finite number$", "must be a finite number"),
    (r"^Input should be a valid number.*$", "must be a number"),
    (r"^Input should be a valid string.*$", "must be a text"),
    (r"^Input should be a valid (list|tuple).*$", "must be a list"),
    (r"^Input should be a valid dictionary.*$", "must be an object"),
    (r"^Input should be an object.*$", "must be an object"),
    (r"^Input should be a valid boolean.*$", "must be true or false"),
    (r"^Input should be less than or equal to ", "must be at most "),
    (r"^Input should be greater than or equal to ", "must be at least "),
    (r"^Input should be less than ", "must be below "),
    (r"^Input should be greater than ", "must be above "),
    (r"^(?:List|Tuple) should have at least (\d+) items?.*$", r"needs \1 entries or more"),
    (r"^(?:List|Tuple) should have at most (\d+) items?.*$", r"takes \1 entries at most"),
    (r"^String should have at least (\d+) characters?$", r"must have at least \1 characters"),
    (r"^String should have at most (\d+) characters?$", r"must have at most \1 characters"),
    (r"^String should match pattern .*$", "has letters that are not accepted here"),
    (r"Input should be", "must be"),
)


#: A bound such as 1e-15, which a validator writes with all its zeros.
_MANY_ZEROS = re.compile(r"\b0\.0000\d+\b")


def in_words(message: str) -> str:
    """A validator's message in plain words: "Input should be less than or equal to 1" becomes "must be at most 1"."""
    for pattern, said in _SAID:
        message = re.sub(pattern, said, message)
    return _MANY_ZEROS.sub(lambda found: f"{float(found[0]):g}", message)


@dataclass(frozen=True)
class Problem:
    """One thing wrong with one field.

    path: dotted path of the field, empty for the document as a whole.
    given: what the caller wrote.  message: what is accepted instead.
    """

    path: str
    given: Any
    message: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        given = "nothing" if self.given is None else repr(self.given)
        return f"{where}given {given}; {self.message}"


class FootroomError(Exception):
    """Root of all errors raised on purpose."""


class InvalidInput(FootroomError):
    """The caller's input is wrong; ``problems`` lists every field at fault."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    @classmethod
    def at(cls, path: str, given: Any, message: str) -> InvalidInput:
        """A single problem."""
        return cls([Problem(path, given, message)])


class Unsupported(FootroomError):
    """The question is well formed but this engine cannot answer it.

    path: the field that asks for it.  reason: why not, by itself.  engines: names of the engines that can answer.
    """

    def __init__(self, message: str, *, path: str = "", given: Any = None, engines: Sequence[str] = ()) -> None:
        self.path, self.given, self.engines, self.reason = path, given, tuple(engines), message
        answer = f". Engines that can answer: {', '.join(self.engines)}" if self.engines else ""
        super().__init__(f"{path}: {message}{answer}" if path else f"{message}{answer}")


class Infeasible(FootroomError):
    """Nothing within reach meets the requirement.

    problems: fields at fault, each with what could be reached if it alone changed.  answer: the whole answer as plain
    data, where there is more to say than a sentence.
    """

    def __init__(
        self, message: str, *, problems: Sequence[Problem] = (), answer: Mapping[str, Any] | None = None
    ) -> None:
        self.problems, self.answer = tuple(problems), answer
        super().__init__(message)


class NotConverged(FootroomError):
    """A numerical method stopped before its tolerance."""


class TimeLimit(FootroomError):
    """An answer was not ready in the time it may take. seconds: that time.  done: how far it was, in words."""

    def __init__(self, seconds: float, done: str = "") -> None:
        self.seconds = seconds
        so_far = f", and {done}" if done else ""
        super().__init__(
            f"this takes longer than the {seconds:g} s that an answer may take here{so_far}: ask for less "
            "at a time, or use the command line or Python, which have no such limit"
        )


class Unreachable(FootroomError):
    """The workers that make the runs cannot be reached; the same study can be submitted again."""


class Cancelled(FootroomError):
    """The caller asked to stop."""
