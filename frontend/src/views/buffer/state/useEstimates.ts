import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { estimatesQuery, type Estimates } from "@/api/queries";
import { readDerived } from "@/lib/derived";
import { setPath, type JsonObject } from "@/lib/path";
import type { Point } from "@/lib/points";
import { bends, spread } from "@/views/buffer/lib/refine";
import { BUFFER, formatSweep, type Sweep } from "@/lib/sweep";
import { useLast } from "@/state/useLast";

/** Points of a closed form's curve, which cost nothing. */
const CURVE = 41;
/**
 * Fluid takes some milliseconds to fractions of a second per point: so few are there at once, and more follow where
 * the curve bends.
 */
const SKETCH = 9;
/** Pause in typing before the server is asked [ms]. */
const PAUSE = 150;
const NONE: Point[] = [];
const NO_SIZES: number[] = [];

/**
 * The curves of theory and fluid over the swept buffer. Each is asked by itself, so that none waits for a slower one.
 */
export function useCurves(scenario: JsonObject | undefined, { low, high }: Sweep) {
  const theory = useLast(
    useQuery(estimatesQuery(request(scenario, low, formatSweep({ low, high, points: CURVE }), "theory"))),
  );
  const fluid = useBends(scenario, low, high);
  const points = useMemo(() => [...(theory.data?.points ?? NONE), ...fluid.points], [theory.data, fluid.points]);
  // Not answered yet at all.
  const first = scenario !== undefined && theory.data === undefined && theory.error === null;
  const second = scenario !== undefined && !fluid.known && fluid.error === null;
  const late = useMemo(
    () => [...(theory.stale || first ? ["theory"] : []), ...(fluid.stale || second ? ["fluid"] : [])],
    [theory.stale, first, fluid.stale, second],
  );
  return {
    points,
    unsupported: [...(theory.data?.unsupported ?? []), ...fluid.unsupported],
    /** Engines whose curve still belongs to an earlier scenario, or is not there yet. */
    late,
    ready: theory.data !== undefined || fluid.known,
    /** Every engine has answered, or refused, this very question. */
    settled: (theory.data !== undefined && !theory.stale) || theory.error !== null ? fluid.settled : false,
    errors: [theory.error, fluid.error],
  };
}

/** Fluid at a few sizes, then between those where the curve bends, then between these. */
function useBends(scenario: JsonObject | undefined, low: number, high: number) {
  const key = scenario === undefined ? undefined : JSON.stringify([setPath(scenario, BUFFER, low), low, high]);
  const [debounced] = useDebouncedValue(key, PAUSE);
  const settledKey = debounced ?? key; // the first question does not wait
  const waiting = settledKey !== key;
  const [base, from, to] = useMemo(
    () =>
      settledKey === undefined ? [undefined, low, high] : (JSON.parse(settledKey) as [JsonObject, number, number]),
    [settledKey, low, high],
  );
  const ask = (sizes: number[]) => estimatesQuery(sizes.length === 0 ? undefined : request(base, from, sizes, "fluid"));
  const sketch = useLast(useQuery(ask(spread(from, to, SKETCH))));
  const drawn = sketch.stale || sketch.error !== null ? undefined : sketch.data;
  const between = useMemo(() => (drawn === undefined ? NO_SIZES : bends(drawn.points)), [drawn]);
  const second = useQuery(ask(between));
  const more = between.length === 0 || second.isPlaceholderData ? undefined : second.data;
  const closer = useMemo(
    () => (drawn === undefined || more === undefined ? NO_SIZES : bends([...drawn.points, ...more.points])),
    [drawn, more],
  );
  const third = useQuery(ask(closer));
  const most = closer.length === 0 || third.isPlaceholderData ? undefined : third.data;
  const own = useMemo(() => [drawn, more, most].flatMap((part) => part?.points ?? NONE), [drawn, more, most]);
  // Until the first points of a new question are there, the whole curve of the last one stays.
  const [last, setLast] = useState<{ points: Point[] }>({ points: NONE });
  if (drawn !== undefined && last.points !== own) setLast({ points: own });
  const done =
    drawn !== undefined &&
    (between.length === 0 ||
      second.error !== null ||
      (more !== undefined && (closer.length === 0 || most !== undefined || third.error !== null)));
  return {
    points: drawn !== undefined ? own : sketch.data === undefined ? NONE : last.points,
    unsupported: sketch.data?.unsupported ?? [],
    known: sketch.data !== undefined,
    stale: sketch.stale || (waiting && sketch.data !== undefined),
    settled: !waiting && (done || sketch.error !== null),
    error: sketch.error,
  };
}

/**
 * Theory and fluid at the chosen buffer alone, with the formulas behind every number. Theory brings what is derived at
 * once.
 */
export function useHere(scenario: JsonObject | undefined) {
  const ask = (engine: string) => estimatesQuery(scenario === undefined ? undefined : { scenario, engines: [engine] });
  const theory = useLast(useQuery(ask("theory")));
  const fluid = useLast(useQuery(ask("fluid")));
  const results = useMemo(
    () => [theory.data, fluid.data].flatMap((data) => data?.points ?? NONE).map(({ result }) => result),
    [theory.data, fluid.data],
  );
  const points = useMemo(
    () => [theory, fluid].flatMap(({ data, stale }) => (stale || data === undefined ? [] : placed(data))),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- both are new objects at every drawing
    [theory.data, theory.stale, fluid.data, fluid.stale],
  );
  return {
    results,
    /** The same as points of the curves, as far as they belong to this scenario. */
    points,
    /** Engines whose numbers still belong to an earlier scenario. */
    late: [...(theory.stale ? ["theory"] : []), ...(fluid.stale ? ["fluid"] : [])],
    derived: theory.data?.derived,
    /** What is derived belongs to this scenario. */
    known: (theory.data !== undefined && !theory.stale) || theory.error !== null,
    error: theory.error ?? fluid.error,
  };
}

/** What was answered for the scenario alone, at the size it was answered for. */
function placed({ points, derived }: Estimates): Point[] {
  const { buffer } = readDerived(derived);
  return buffer === undefined ? NONE : points.map(({ result }) => ({ at: { [BUFFER]: buffer }, result }));
}

/** The sweep replaces the chosen buffer, which therefore must not make the question a new one. */
function request(scenario: JsonObject | undefined, low: number, over: string | number[], engine: string) {
  if (scenario === undefined) return undefined;
  return { scenario: setPath(scenario, BUFFER, low) as JsonObject, over: { [BUFFER]: over }, engines: [engine] };
}
