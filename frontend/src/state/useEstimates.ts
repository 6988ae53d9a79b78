import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { estimatesQuery } from "@/api/queries";
import { setPath, type JsonObject } from "@/lib/path";
import type { Point } from "@/lib/points";
import { BUFFER, formatSweep, type Sweep } from "@/lib/sweep";
import { useLast } from "@/state/useLast";

/** Points of a curve; a packet sweep of 9, 11 or 21 points falls on some of them. */
const CURVE = 41;
/** Fluid takes some milliseconds per point: so few are there at once, and stand in until the whole curve is. */
const SKETCH = 9;
const NONE: Point[] = [];

/** The curves of theory and fluid over the swept buffer. For curves each is asked by itself, so that none waits for a slower one. */
export function useCurves(scenario: JsonObject | undefined, { low, high }: Sweep) {
  const sweep: Sweep = { low, high, points: CURVE };
  const theory = useLast(useQuery(estimatesQuery(request(scenario, sweep, "theory"))));
  const coarse = useLast(useQuery(estimatesQuery(request(scenario, { ...sweep, points: SKETCH }, "fluid"))));
  const fine = useLast(useQuery(estimatesQuery(request(scenario, sweep, "fluid"))));
  const fresh = coarse.data !== undefined && !coarse.stale;
  const fluid = fresh && (fine.stale || fine.data === undefined) ? coarse : fine;
  const points = useMemo(() => [...(theory.data?.points ?? NONE), ...(fluid.data?.points ?? NONE)], [theory.data, fluid.data]);
  const late = useMemo(() => [...(theory.stale ? ["theory"] : []), ...(fluid.stale ? ["fluid"] : [])], [theory.stale, fluid.stale]);
  return {
    points,
    unsupported: [theory, fluid].flatMap(({ data }) => data?.unsupported ?? []),
    /** Engines whose curve still belongs to an earlier scenario. */
    late,
    ready: theory.data !== undefined || fluid.data !== undefined,
    /** Every engine has answered, or refused, this very question. */
    settled: [theory, fine].every(({ data, stale, error }) => (data !== undefined && !stale) || error !== null),
    errors: [theory.error, fluid.error],
  };
}

/** Theory and fluid at the chosen buffer alone, with the formulas behind every number. Theory brings what is derived at once. */
export function useHere(scenario: JsonObject | undefined) {
  const ask = (engine: string) => estimatesQuery(scenario === undefined ? undefined : { scenario, engines: [engine] });
  const theory = useLast(useQuery(ask("theory")));
  const fluid = useLast(useQuery(ask("fluid")));
  const results = useMemo(() => [theory.data, fluid.data].flatMap((data) => data?.points ?? NONE).map(({ result }) => result), [theory.data, fluid.data]);
  return {
    results,
    derived: theory.data?.derived,
    /** What is derived belongs to this scenario. */
    known: (theory.data !== undefined && !theory.stale) || theory.error !== null,
    error: theory.error ?? fluid.error,
  };
}

/** The sweep replaces the chosen buffer, which therefore must not make the question a new one. */
function request(scenario: JsonObject | undefined, sweep: Sweep, engine: string) {
  if (scenario === undefined) return undefined;
  return { scenario: setPath(scenario, BUFFER, sweep.low) as JsonObject, over: { [BUFFER]: formatSweep(sweep) }, engines: [engine] };
}
