"""The answer of a comparison in words."""

from __future__ import annotations

from collections.abc import Sequence

from footroom.studies.controls.answer import Row

#: The sentence is about the first of these engines that answers for two controls.
_PREFERRED = ("packet", "reference", "fluid", "theory")
#: Buffers closer than this by ratio are called alike.
_ALIKE = 1.2
_MODELS = {"theory": "the closed forms", "fluid": "the fluid model", "packet": "packets", "reference": "packets"}


def size(value: float) -> str:
    """A buffer in words: "1.66 MB"."""
    factor, prefix = next(((f, p) for f, p in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if value >= f), (1.0, ""))
    return f"{value / factor:.3g} {prefix}B"


def headline(rows: Sequence[Row], require: Sequence[str], flows: int | None) -> str:
    """Whether the control changes the smallest buffer, between which sizes, by which engine."""
    here = [row for row in rows if row.flows == flows and "+" not in row.control]
    where = "" if flows is None else f" with {flows} {'flow' if flows == 1 else 'flows'}"
    by = {name: [row for row in here if row.engine == name] for name in _PREFERRED}
    engine = next((name for name in _PREFERRED if sum(row.trusted for row in by[name]) > 1), None)
    if engine is None:
        return f"No engine asked has an answer for two controls{where}."
    told = sorted((row for row in by[engine] if row.trusted), key=lambda row: row.value or 0.0)
    least, most = told[0], told[-1]
    assert least.value is not None
    assert most.value is not None  # trusted ones have a value
    target = f"For {' and '.join(require)}{where}"
    if most.value <= _ALIKE * least.value:
        text = (
            f"No. {target}, {len(told)} controls need about the same buffer by {_MODELS[engine]}: "
            f"{size(least.value)} to {size(most.value)}."
        )
    else:
        text = (
            f"Yes. {target}, {least.title} needs {size(least.value)} and {most.title} {size(most.value)}, "
            f"{float(f'{most.value / least.value:.2g}'):g} times as much, by {_MODELS[engine]}."
        )
    missed = [row.title for row in by[engine] if row.status == "missed"]
    unsure = [row.title for row in by[engine] if row.value is not None and row.outside]
    if missed:
        text += f" No buffer is found for {_list(missed)}."
    if unsure:
        text += f" Outside the model's validity: {_list(unsure)}."
    return text


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
