import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { estimatesQuery } from "@/api/queries";
import { setPath, type JsonObject } from "@/lib/path";
import type { Point } from "@/lib/points";
import { BUFFER, formatSweep, type Sweep } from "@/lib/sweep";

/** The engines that answer at once. For curves each is asked by itself, so that none waits for a slower one. */
const INSTANT = ["theory", "fluid"];
/** Points of a curve; a packet sweep of 9, 11 or 21 points falls on some of them. */
const CURVE = 41;
/** Fluid takes some milliseconds per point: so few are there at once, and stand in until the whole curve is. */
const SKETCH = 9;
const NONE: Point[] = [];

/** The curves of theory and fluid over the swept buffer. */
export function useCurves(scenario: JsonObject | undefined, { low, high }: Sweep) {
  const sweep: Sweep = { low, high, points: CURVE };
  const theory = useQuery(estimatesQuery(request(scenario, sweep, "theory")));
  const coarse = useQuery(estimatesQuery(request(scenario, { ...sweep, points: SKETCH }, "fluid")));
  const fine = useQuery(estimatesQuery(request(scenario, sweep, "fluid")));
  const fresh = coarse.data !== undefined && !coarse.isPlaceholderData;
  const fluid = fresh && (fine.isPlaceholderData || fine.data === undefined) ? coarse : fine;
  const asked = scenario !== undefined;
  const points = useMemo(
    () => (asked ? [...(theory.data?.points ?? NONE), ...(fluid.data?.points ?? NONE)] : NONE),
    [asked, theory.data, fluid.data],
  );
  const late = useMemo(
    () => [...(theory.isPlaceholderData ? ["theory"] : []), ...(fluid.isPlaceholderData ? ["fluid"] : [])],
    [theory.isPlaceholderData, fluid.isPlaceholderData],
  );
  return {
    points,
    unsupported: [theory, fluid].flatMap(({ data }) => data?.unsupported ?? []),
    /** Engines whose curve still belongs to an earlier scenario. */
    late,
    ready: theory.data !== undefined || fluid.data !== undefined,
    errors: [theory.error, fluid.error],
  };
}

/** Theory and fluid at the chosen buffer alone, with the formulas behind every number. */
export function useHere(scenario: JsonObject | undefined) {
  const { data, error } = useQuery(estimatesQuery(scenario === undefined ? undefined : { scenario, engines: INSTANT }));
  return { results: useMemo(() => (data?.points ?? NONE).map(({ result }) => result), [data]), derived: data?.derived, error };
}

/** The sweep replaces the chosen buffer, which therefore must not make the question a new one. */
function request(scenario: JsonObject | undefined, sweep: Sweep, engine: string) {
  if (scenario === undefined) return undefined;
  return { scenario: setPath(scenario, BUFFER, sweep.low) as JsonObject, over: { [BUFFER]: formatSweep(sweep) }, engines: [engine] };
}
