"""A study: a scenario, the axes it is swept over, the engines that answer and the number of replicas."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from footroom.base import deadline, rng
from footroom.base.errors import InvalidInput
from footroom.scenario import Scenario, lookup
from footroom.scenario.axes import MOST_POINTS, parse_axis, scalar
from footroom.scenario.kinds import set_field
from footroom.scenario.scaling import ScalingReport
from footroom.scenario.scaling import scale as scale_scenario
from footroom.studies.choice import AUTO, BUDGET, Choice, checked_budget, choose
from footroom.studies.engines import engine_named, engine_names
from footroom.studies.fingerprint import fingerprint

T = TypeVar("T")


class Admission(Protocol):
    """May refuse a study while it is read, by raising: before its points are read, and at every one of them."""

    def begin(self, points: int, engines: tuple[str, ...], replicas: int) -> None: ...

    def add(self, scenario: Scenario) -> None: ...


#: More axes than this cannot be shown.
MOST_AXES = 8
#: What a request may name.  chosen: why "auto" picked the engine, as ``Study.request`` tells.
_KEYS = ("scenario", "over", "engines", "replicas", "scale", "budget", "chosen")


@dataclass(frozen=True)
class Point:
    """One combination of axis values. at: path to bare value in SI base units, read back from the scenario.

    scaling: what scaling did to that scenario; ``at`` is as it was before, ``scenario`` as it is after.
    """

    index: int
    at: dict[str, Any]
    scenario: Scenario
    scaling: ScalingReport | None = None


@dataclass(frozen=True)
class Cell:
    """One run: a point, an engine, a replica. seed: what the engine gets; key: address of its result by content."""

    point: Point
    engine: str
    replica: int
    seed: int
    key: str

    def task(self) -> dict[str, Any]:
        """What ``footroom.studies.cell.run_cell`` needs, as plain data: for another process, which parses it."""
        return {**self.task_here(), "scenario": self.point.scenario.to_dict()}

    def task_here(self) -> dict[str, Any]:
        """The same for a thread of this process, with the scenario as the study has parsed it."""
        return {"engine": self.engine, "scenario": self.point.scenario, "seed": self.seed}


def replica_seed(seed: int, replica: int) -> int:
    """Seed of a replica: the scenario's own for the first, then words derived from it, so that any can be run alone."""
    return seed if replica == 0 else rng.word(seed, "replica", replica) >> 10  # 53 bits, as run.seed takes


@dataclass(frozen=True)
class Study:
    """Build it with ``Study.of``. Axes are ordered by their path, the values of an axis as written.

    Two studies that ask the same have the same ``id``, whatever units or order of keys they were written in.
    scale: by what every point is scaled, none for as it is; ``base`` and ``axes`` are unscaled.  auto: what was picked
    where the engine was "auto"; no part of what is asked.
    """

    base: Scenario
    axes: tuple[tuple[str, tuple[Any, ...]], ...]
    engines: tuple[str, ...]
    replicas: int
    points: tuple[Point, ...] = field(repr=False)
    scale: float | None = None
    auto: Choice | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls,
        scenario: Scenario | Mapping[str, Any],
        over: Mapping[str, Any] | None = None,
        engines: Sequence[str] | str = ("packet",),
        replicas: int | None = None,
        scale: float | None = None,
        admission: Admission | None = None,
        budget: float = BUDGET,
    ) -> Study:
        """A study of ``scenario`` (parsed or plain data).

        over: path to a list or a range such as "25kB:2.5MB:log9".  replicas: runs per point of engines that draw random
        numbers, that of ``run`` by default.  scale: S of ``scenario.scaling``, for every point.  admission: may
        refuse the study before all of its points are read.  budget: seconds of one core beyond which "auto" does not
        pick the packet engine where another engine answers.  Raises InvalidInput, and Unsupported for what cannot be
        scaled.
        """
        raw = scenario.to_dict() if isinstance(scenario, Scenario) else dict(scenario)
        if over is not None and not isinstance(over, Mapping):
            raise InvalidInput.at("over", over, 'expected an object such as {"switch.buffer": "25kB:2.5MB:log9"}')
        # Where an axis replaces a field, the base need not have it: the axis's first value is used.
        base = scenario if isinstance(scenario, Scenario) else _base(raw, over or {})
        if replicas is None:
            replicas = base.run.replicas
        if type(replicas) is not int or not 1 <= replicas <= 1000:
            raise InvalidInput.at("replicas", replicas, "a whole number from 1 to 1000 is needed")
        raw = set_field(raw, "run.replicas", replicas)
        written = {path: parse_axis(path, values, base) for path, values in sorted((over or {}).items())}
        allowed = checked_budget(budget)
        auto = choose(base, budget=allowed) if AUTO in _words(engines) else None
        named = [name if name != AUTO or auto is None else auto.engine for name in _words(engines)]
        names, count = engine_names(named), _number_of_points(written)
        if admission is not None:
            admission.begin(count, names, replicas)
        points, ran = [], []
        for point in _points(raw, written, base):
            points.append(point)
            ran.append(point if scale is None else _scaled(point, scale))
            if admission is not None:
                admission.add(ran[-1].scenario)
        axes = _canonical_axes(written, points)
        first = [point.index for point in _distinct(points, lambda point: point.at)]
        asked = _canonical_base(raw, base, axes, points)
        unique = tuple(replace(ran[index], index=i) for i, index in enumerate(first))
        return cls(asked, axes, names, replicas, unique, scale, auto)

    @classmethod
    def from_request(cls, request: Mapping[str, Any], admission: Admission | None = None) -> Study:
        """The study behind ``request``, as written by a user or as ``Study.request`` gives it. Raises InvalidInput."""
        if not isinstance(request, Mapping):
            raise InvalidInput.at("", request, "a study is an object with scenario, over, engines and replicas")
        for key in request:
            if key not in _KEYS:
                raise InvalidInput.at(str(key), request[key], f"unknown key; a study has {', '.join(_KEYS)}")
        scenario, engines = request.get("scenario"), request.get("engines")
        if not isinstance(scenario, Mapping):
            raise InvalidInput.at("scenario", scenario, "expected an object with topology, switch, traffic and run")
        engines = ("packet",) if engines is None else engines
        study = cls.of(
            scenario,
            request.get("over"),
            engines,
            request.get("replicas"),
            request.get("scale"),
            admission,
            request.get("budget", BUDGET),
        )
        chosen = request.get("chosen")
        if study.auto is None and isinstance(chosen, str) and len(study.engines) == 1:
            return replace(study, auto=Choice(study.engines[0], chosen))
        return study

    @property
    def request(self) -> dict[str, Any]:
        """The canonical request as plain data in SI base units; building a study from it gives this study again."""
        scaled = {} if self.scale is None else {"scale": self.scale}
        return {
            "scenario": self.base.to_dict(),
            "over": {path: list(values) for path, values in self.axes},
            "engines": list(self.engines),
            "replicas": self.replicas,
            **scaled,
            **({} if self.auto is None else {"chosen": self.auto.reason}),
        }

    @functools.cached_property
    def id(self) -> str:
        """Hash of the canonical request; the scenario's name does not count, nor who picked the engine."""
        request = {**self.request, "scenario": self.base.digest}
        request.pop("chosen", None)
        return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:32]

    def cells(self, engine: str) -> Iterator[Cell]:
        """All runs of one engine, replicas of a point side by side; an engine without random numbers runs once."""
        random = engine_named(engine).random
        code = fingerprint(engine)
        for point in self.points:
            seed = point.scenario.run.seed
            for replica in range(self.replicas if random else 1):
                own = replica_seed(seed, replica)
                yield Cell(point, engine, replica, own, _key(point.scenario, engine, own if random else None, code))


def _words(engines: Sequence[str] | str) -> list[str]:
    return [part.strip() for part in engines.split(",")] if isinstance(engines, str) else list(engines)


def _base(raw: dict[str, Any], over: Mapping[str, Any]) -> Scenario:
    try:
        return Scenario.parse(raw)
    except InvalidInput:
        for path, values in over.items():
            written = re.split("[:,]", values) if isinstance(values, str) else values
            if isinstance(written, Sequence) and written:
                raw = set_field(raw, path, scalar(written[0]) if isinstance(values, str) else written[0])
        return Scenario.parse(raw)


def _number_of_points(axes: dict[str, list[Any]]) -> int:
    """How many combinations there are. Raises InvalidInput where these are no axes, or too many."""
    if len(axes) > MOST_AXES:
        raise InvalidInput.at("over", f"{len(axes)} axes", f"a study has at most {MOST_AXES} axes")
    if "run.replicas" in axes:
        raise InvalidInput.at("over", "run.replicas", "replicas are not an axis; set replicas of the study")
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > MOST_POINTS:
        raise InvalidInput.at("over", f"{count} points", f"a study has at most {MOST_POINTS} points")
    return count


def _points(raw: dict[str, Any], axes: dict[str, list[Any]], base: Scenario) -> Iterator[Point]:
    if not axes and raw["run"]["replicas"] == base.run.replicas:
        yield Point(0, {}, base)  # the document that was parsed already
        return
    # Kinds first: a value of another axis may belong to the component that the kind brings in.
    order = sorted(axes, key=lambda path: not path.endswith(".kind"))
    for index, combination in enumerate(itertools.product(*axes.values())):
        chosen = dict(zip(axes, combination, strict=True))
        document = raw
        for path in order:
            document = set_field(document, path, chosen[path])
        deadline.check(f"{index} of its points were read")
        scenario = Scenario.parse(document)
        canonical = scenario.to_dict()
        yield Point(index, {path: lookup(canonical, path) for path in axes}, scenario)


def _scaled(point: Point, factor: float) -> Point:
    document, report = scale_scenario(point.scenario, factor)
    return Point(point.index, point.at, Scenario.parse(document), report)


def _canonical_axes(written: dict[str, list[Any]], points: list[Point]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Axis values as read back in SI units, each once; as written where they mean different things at different points.

    The latter is a buffer in packets while the MTU is swept as well.
    """
    sizes = [len(values) for values in written.values()]
    axes = []
    for position, (path, values) in enumerate(written.items()):
        stride = 1
        for size in sizes[position + 1 :]:
            stride *= size
        found: list[list[Any]] = [[] for _ in values]
        for point in points:
            seen, value = found[point.index // stride % len(values)], point.at[path]
            if value not in seen:
                seen.append(value)
        canonical = [seen[0] if len(seen) == 1 else values[i] for i, seen in enumerate(found)]
        axes.append((path, tuple(_distinct(canonical, lambda value: value))))
    return tuple(axes)


def _distinct(items: Iterable[T], content: Callable[[T], Any]) -> list[T]:
    """Items whose content differs, the first of each."""
    found: dict[str, T] = {}
    for item in items:
        found.setdefault(json.dumps(content(item), sort_keys=True), item)
    return list(found.values())


def _canonical_base(
    raw: dict[str, Any], base: Scenario, axes: tuple[tuple[str, tuple[Any, ...]], ...], points: Sequence[Point]
) -> Scenario:
    """The scenario behind the points; the values that an axis replaces should not count.

    The first point's when only plain numbers change; else the given one, because a kind brings parameters of its own.
    """
    plain = all(isinstance(value, (int, float)) for _, values in axes for value in values)
    if plain:
        return points[0].scenario
    try:
        return Scenario.parse(raw)
    except InvalidInput:
        return base


def _key(scenario: Scenario, engine: str, seed: int | None, code: str) -> str:
    run = scenario.run.model_copy(update={"seed": 0 if seed is None else seed, "replicas": 1})
    digest = scenario.model_copy(update={"run": run}).digest
    return hashlib.sha256(json.dumps([digest, engine, seed, code]).encode()).hexdigest()
