"""The answer to a headroom question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from footroom.base.notebook import pandas

if TYPE_CHECKING:
    from footroom.calculators.headroom.document import HeadroomDocument, SchemeDocument


class HeadroomAnswer:
    """Headroom by each scheme, line by line, beside what ships and what was measured."""

    def __init__(self, document: HeadroomDocument) -> None:
        self._document = document

    @property
    def schemes(self) -> dict[str, SchemeDocument]:
        """Each scheme's answer by its name: ``answer.schemes["sih"]["headroom"]`` [B]."""
        return self._document["schemes"]

    def to_dict(self) -> HeadroomDocument:
        """Plain data, bare numbers in SI base units, as the command line and the API give it."""
        return self._document

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per line: scheme, name, bytes, part, formula, source."""
        rows = [{"scheme": name, **line} for name, found in self.schemes.items() for line in found["lines"]]
        return pandas().DataFrame(rows, columns=["scheme", "name", "bytes", "part", "formula", "source"])

    def figure(self) -> Any:
        """A Plotly figure: one bar per scheme, stacked from its lines, with the watermark where one was given."""
        from footroom.calculators.headroom.figure import draw

        return draw(self._document)

    def __repr__(self) -> str:
        found = ", ".join(f"{name}: {scheme['headroom']} B" for name, scheme in self.schemes.items())
        return f"HeadroomAnswer({found})"
