"""What is wrong or odd about a configuration, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from footroom.calculators.export.document import FindingDocument

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing to know about a configuration.

    severity: ``error`` (a switch would refuse it or lose packets), ``warning`` (works, not as intended) or ``note``.
    code: stable name of the kind of finding.  path: where, as the configuration writes it, such as
    ``BUFFER_PG|Ethernet0|3-4.profile``.  message: what was found and what would be right.
    """

    severity: Severity
    code: str
    path: str
    message: str

    def to_dict(self) -> FindingDocument:
        """Plain data."""
        return {"severity": self.severity, "code": self.code, "path": self.path, "message": self.message}

    def __str__(self) -> str:
        return f"{self.severity}: {self.path}: {self.message}" if self.path else f"{self.severity}: {self.message}"
