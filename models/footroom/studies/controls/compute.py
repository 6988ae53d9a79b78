"""Comparing congestion controls: one search for the smallest buffer per control, number of flows and engine."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any

from footroom.base.errors import Cancelled, InvalidInput, NotConverged, Unsupported
from footroom.parts.congestion import RDMA
from footroom.scenario import Scenario, presets
from footroom.scenario.axes import parse_axis
from footroom.scenario.bottleneck import congested_queue
from footroom.scenario.kinds import set_field
from footroom.scenario.one_more import leave_out
from footroom.studies.controls.answer import ControlsAnswer, Row
from footroom.studies.controls.kinds import Control, available, control_named, pairs
from footroom.studies.controls.rules import rules_of_thumb
from footroom.studies.controls.under import Under, asks_for_probes, own_flows, under
from footroom.studies.controls.words import headline
from footroom.studies.cost import Cost, added, cores
from footroom.studies.engines import Stop, engine_named, engine_names
from footroom.studies.fingerprint import fingerprint, sources
from footroom.studies.requirements import Requirement
from footroom.studies.runner import Cache
from footroom.studies.sampled import expected
from footroom.studies.size_search import KNOWN
from footroom.studies.sizing import SizeAnswer, bounds, search
from footroom.studies.study import Admission

#: Numbers of flows by default, and the largest taken.
DEFAULT_FLOWS, MOST_FLOWS = "1:1000:log7", 100_000
#: The most searches that one comparison makes.
MOST_ROWS = 2000
#: Packets of buffer below which models without bursts were not found to hold: 8 for paced flows, which need least
#: (docs/theory.md).
LEAST_PACKETS = 8.0
_TOO_SMALL = (
    "models without bursts are valid from a buffer of {least:g} packets on, even where hosts pace, and this one "
    "holds {packets:.3g}: use the packet simulation"
)

_EDGE = (
    "smaller buffers meet the targets by this model too, but it is not valid for them: this is the smallest buffer "
    "for which it is valid, and less may do; use the packet simulation"
)

OnRow = Callable[[Row], None]
OnProgress = Callable[[float, float | None], None]


class Comparison:
    """A comparison as asked, checked but not yet answered.

    Raises InvalidInput, and Unsupported for a network without a single bottleneck.
    """

    def __init__(
        self,
        scenario: Scenario | Mapping[str, Any],
        require: Sequence[str],
        *,
        engines: Sequence[str] | str = ("theory", "fluid"),
        controls: Sequence[str] | None = None,
        mixtures: bool = False,
        flows: Any = None,
        source: str = "",
    ) -> None:
        self.raw = scenario.to_dict() if isinstance(scenario, Scenario) else dict(scenario)
        self.base = scenario if isinstance(scenario, Scenario) else Scenario.parse(self.raw)
        if isinstance(require, str) or not require:
            raise InvalidInput.at("require", require, 'name at least one requirement, such as "utilisation>=0.99"')
        self.requirements = [Requirement.parse(text) for text in dict.fromkeys(require)]
        self.require = tuple(one.text for one in self.requirements)
        self.engines = engine_names(engines)
        chosen = _controls(controls)
        self.controls = chosen + (pairs(_alike(chosen, self.base)) if mixtures else ())
        if congested_queue(self.base) is None:
            able = ", ".join(_with_bottleneck()[:5])
            raise Unsupported(
                "controls are compared by the buffer of one bottleneck that all flows share, and this "
                f"network has none; presets that have one are {able} and others",
                path="topology.kind",
                given=self.base.topology.kind,
            )
        self.own = own_flows(self.base)
        self.flows = _flows(flows, self.base, self.own)
        self.source = source or "scenario.json"
        self.cells = self._cells()
        if len(self.cells) > MOST_ROWS:
            raise InvalidInput.at(
                "flows",
                len(self.cells),
                f"controls, numbers of flows and engines make more than {MOST_ROWS} searches; ask for fewer",
            )

    def _cells(self) -> list[tuple[Control, int | None, str, Under]]:
        """What is searched, engine by engine; a mixture has no row where a flow cannot be divided."""
        probes = asks_for_probes(self.require)
        found = []
        for engine in self.engines:
            probed = probes and engine_named(engine).random
            for control in self.controls:
                for count in self.flows:
                    one = under(self.raw, self.base, control, count, probed=probed)
                    if one is not None:
                        found.append((control, count, engine, one))
        return found

    @property
    def id(self) -> str:
        """Hash of what is asked and of the code that answers; the buffer that the search replaces does not count."""
        low = self.base.run.mtu
        documents = [
            Scenario.parse(set_field(one.document, "switch.buffer", low)).digest for _, _, _, one in self._possible()
        ]
        asked = [
            documents,
            [(c.name, n, e) for c, n, e, _ in self.cells],
            sorted(self.require),
            self.source,
            [fingerprint(name) for name in self.engines],
            sources(Path(__file__).parent.parent),
        ]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:32]

    def cost(self, workers: int | None = None) -> Cost:
        """What all searches by simulations are expected to take; longer where the first range does not reach."""
        parts = []
        for _, _, engine, one in self._possible():
            if engine_named(engine).random:
                base = Scenario.parse(one.document)
                low, high, *_ = bounds(base, "switch.buffer", None, engine)
                largest = Scenario.parse(set_field(one.document, "switch.buffer", high))
                parts.append(expected(largest, engine, None, high / low, workers or cores()))
        return added(parts, workers or cores())

    def _possible(self) -> list[tuple[Control, int | None, str, Under]]:
        """The searches that the engine can answer."""
        found = []
        for cell in self.cells:
            control, _, engine, one = cell
            if engine not in control.engines:
                continue
            try:
                engine_named(engine).check(Scenario.parse(one.document))
            except (Unsupported, InvalidInput, NotConverged):
                continue
            found.append(cell)
        return found

    def answer(
        self,
        *,
        workers: int | None = None,
        stop: Stop | None = None,
        cache: Cache | None = None,
        on_row: OnRow | None = None,
        on_progress: OnProgress | None = None,
        admission: Admission | None = None,
        on_stop: Callable[[ControlsAnswer], None] | None = None,
    ) -> ControlsAnswer:
        """Search row by row. on_row: called with every finished row.  on_stop: called with the finished rows, if any,
        when the comparison ends early, before the error is raised.  Raises Cancelled.
        """
        began = time.monotonic()
        rows: list[Row] = []
        try:
            self._search(rows, workers, stop, cache, on_row, on_progress, admission)
        except BaseException:
            if on_stop is not None and rows:
                on_stop(self._answer(rows, began))
            raise
        return self._answer(rows, began)

    def _search(
        self,
        rows: list[Row],
        workers: int | None,
        stop: Stop | None,
        cache: Cache | None,
        on_row: OnRow | None,
        on_progress: OnProgress | None,
        admission: Admission | None,
    ) -> None:
        on_progress = None if on_progress is None else _of_all(on_progress)
        options: dict[str, Any] = {"workers": workers, "stop": stop, "cache": cache, "admission": admission}
        with self._ahead(options) as ahead:
            for i, cell in enumerate(self.cells):
                if stop is not None and stop.is_set():
                    raise Cancelled("the comparison was stopped")
                if i in ahead:
                    row = ahead[i].result()
                else:
                    row = self._row(*cell, **options, on_progress=_part(on_progress, i, len(self.cells)))
                rows.append(row)
                if on_row is not None:
                    on_row(row)
                if on_progress is not None:
                    on_progress((i + 1) / len(self.cells), None)

    @contextmanager
    def _ahead(self, options: Mapping[str, Any]) -> Iterator[dict[int, Future[Row]]]:
        """Searches by engines without random numbers, by number of their cell: in threads, since compiled code runs
        side by side. Simulations use all workers for one search.
        """
        pool = ThreadPoolExecutor(options["workers"] or cores())
        try:
            yield {
                i: pool.submit(copy_context().run, partial(self._row, *cell, **options))
                for i, cell in enumerate(self.cells)
                if not engine_named(cell[2]).random
            }
        finally:
            pool.shutdown(cancel_futures=True)

    def _answer(self, rows: list[Row], began: float) -> ControlsAnswer:
        return ControlsAnswer(
            self.require,
            self.own,
            headline(rows, self.require, self.own),
            tuple(rows),
            rules_of_thumb(self.base, self.flows, self.requirements),
            self._notes(),
            time.monotonic() - began,
        )

    def _row(self, control: Control, flows: int | None, engine: str, asked: Under, **options: Any) -> Row:
        row = Row(
            control.name,
            control.title,
            flows,
            engine,
            "unanswered",
            changes=asked.changes,
            settings=asked.settings,
            command=asked.command(self.source, self.require, engine),
        )
        if engine not in control.engines:
            able = f"; engines that model it: {', '.join(control.engines)}" if control.engines else ""
            return _with(row, reason=f"the {engine} engine does not model {control.title}{able}")
        random = engine_named(engine).random
        if not random:  # one batch after the other, in this thread
            options = {**options, "workers": 1}
        try:
            scenario = Scenario.parse(asked.document)
            with leave_out(not asks_for_probes(self.require)):
                found = search(scenario, self.require, engine=engine, **options)
        except (Unsupported, NotConverged) as error:
            return _with(row, reason=error.reason if isinstance(error, Unsupported) else str(error))
        except InvalidInput as error:
            return _with(row, reason=str(error))
        notes = tuple(note for note in found.notes if note)
        if found.value is None:
            return _with(row, status="missed", reason=found.reason, notes=notes)
        packets = found.value / scenario.run.mtu
        outside = "" if random else self._edge(found)
        if not random and packets < LEAST_PACKETS:
            outside = _TOO_SMALL.format(packets=packets, least=LEAST_PACKETS)
        return _with(
            row,
            status="found",
            value=found.value,
            interval=found.interval,
            binding=found.binding,
            notes=notes,
            outside=outside,
        )

    def _edge(self, found: SizeAnswer) -> str:
        """Why the figure is the model's limit of validity, not the buffer needed; empty where it is the latter."""
        low, high = found.interval or (0.0, 0.0)
        below = dict(found.tried).get(low, {})
        met = all(one.metric in below and one.met(below[one.metric]) for one in self.requirements)
        return _EDGE if low < high and met else ""

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if self.own is None:
            notes.append("The scenario has no long-lived flows: every entry of its traffic runs the control, as it is.")
        elif any(not entry.lasting() for entry in self.base.traffic):
            notes.append("Only the long-lived flows change their control and number; the other traffic stays as it is.")
        return tuple(notes)


def compare(
    scenario: Scenario | Mapping[str, Any],
    require: Sequence[str],
    *,
    engines: Sequence[str] | str = ("theory", "fluid"),
    controls: Sequence[str] | None = None,
    mixtures: bool = False,
    flows: Any = None,
    source: str = "",
    **options: Any,
) -> ControlsAnswer:
    """The smallest buffer that meets every requirement, per congestion control and number of long-lived flows.

    engines: those asked; simulations take a search each.  controls: names, a mixture of two as "cubic+bbr1"; every
    kind of the registry by default.  mixtures: also of every two of these that run on hosts as the scenario has.
    flows: numbers of flows, a list or a range; by default 1 to 1000 evenly by ratio, and the scenario's own.  source:
    how the user wrote the scenario, for the commands in the rows.  options: of ``Comparison.answer``.

    Each figure is that of ``search`` for the scenario under the control, with its tolerance or interval.
    Raises InvalidInput, Unsupported for a network without a single bottleneck, Cancelled.
    """
    asked = Comparison(
        scenario, require, engines=engines, controls=controls, mixtures=mixtures, flows=flows, source=source
    )
    return asked.answer(**options)


def _with(row: Row, **changes: Any) -> Row:
    return Row(**{**vars(row), **changes})


def _controls(names: Sequence[str] | None) -> tuple[Control, ...]:
    if names is None:
        return available()
    if isinstance(names, str):
        names = names.split(",")
    if not names:
        raise InvalidInput.at("controls", list(names), "name at least one control")
    return tuple({(control := control_named(name)).name: control for name in names}.values())


def _alike(controls: Sequence[Control], base: Scenario) -> tuple[Control, ...]:
    """Single controls that run on the hosts of the scenario."""
    hosts = {"rdma" if entry.congestion.recoveries == RDMA else "tcp" for entry in base.traffic}
    return tuple(one for one in controls if len(one.documents) == 1 and one.hosts in hosts)


def _flows(written: Any, base: Scenario, own: int | None) -> tuple[int | None, ...]:
    """Numbers of flows, ascending. Raises InvalidInput."""
    if own is None:
        if written is not None:
            raise InvalidInput.at(
                "flows",
                written,
                "the scenario has no long-lived flows, so there is no number of them to change: leave it out",
            )
        return (None,)
    index = next(i for i, entry in enumerate(base.traffic) if entry.lasting())
    path = f"traffic.{index}.flows"
    if isinstance(written, int) and not isinstance(written, bool):
        written = [written]
    values = parse_axis(path, DEFAULT_FLOWS if written is None else written, base)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_FLOWS:
            raise InvalidInput.at("flows", value, f"a number of flows is a whole number from 1 to {MOST_FLOWS}")
    return tuple(sorted({*values, *([own] if written is None else [])}))


def _with_bottleneck() -> list[str]:
    """Presets in which all flows share one bottleneck."""
    return [one.id for one in presets.PRESETS if congested_queue(Scenario.parse(one.to_dict()["scenario"])) is not None]


def _of_all(report: OnProgress) -> OnProgress:
    """Report the time left for all searches: each search only knows its own."""
    began = time.monotonic()

    def tell(fraction: float, _: float | None) -> None:
        spent = time.monotonic() - began
        report(fraction, spent * (1.0 - fraction) / fraction if fraction > KNOWN else None)

    return tell


def _part(report: OnProgress | None, index: int, count: int) -> OnProgress | None:
    """Progress of one search as that of all."""
    return None if report is None else lambda fraction, left: report((index + fraction) / count, left)
