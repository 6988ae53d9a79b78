import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery, presetQuery, presetsQuery } from "@/api/queries";
import { stabilityQuery } from "@/views/stability/api";
import type { Derived } from "@/lib/derived";
import { withChanges } from "@/lib/leaves";
import { around, mapFields, parseAxis, usualFields, type MapAxis } from "@/views/stability/lib/mapAxes";
import { getPath, setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { cellOf, decodeStability, encodeStability, OWN, type StabilityView } from "@/lib/stability";
import { useAddress, type Codec, type Step } from "@/state/useAddress";
import { useKept } from "@/state/useKept";
import { useStabilityMap } from "./useStabilityMap";

const codec: Codec<StabilityView> = { decode: decodeStability, encode: encodeStability };
const NONE: never[] = [];
const AXIS_EXAMPLE = "such as topology.rtt:0.001:0.1";
const NO_PROBLEMS: never[] = [];

type Patch = { [Key in keyof StabilityView]?: StabilityView[Key] | undefined };

/** Undefined removes. */
const patched = (view: StabilityView, patch: Patch) =>
  Object.fromEntries(Object.entries({ ...view, ...patch }).filter(([, value]) => value !== undefined)) as StabilityView;

/** Everything the stability view shows and does, put together from the address bar and the API. */
export function useStability() {
  const [view, set] = useAddress(codec);
  const change = useCallback(
    (patch: Patch, step?: Step) => {
      set((before) => patched(before, patch), step);
    },
    [set],
  );
  const catalog = useQuery(catalogQuery);
  const presets = useQuery(presetsQuery);
  const own = view.preset === OWN;
  const preset = useQuery({ ...presetQuery(view.preset), enabled: !own });
  const start = preset.data?.scenario;
  const base = view.scenario ?? start;
  const scenario = useMemo(
    () => (base === undefined ? undefined : withChanges(base, view.set ?? NONE)),
    [base, view.set],
  );

  const verdict = useQuery(stabilityQuery(scenario));
  const answer = useKept(verdict.data);
  const stale = verdict.data === undefined || verdict.isPlaceholderData;

  // The API fills in every default, so that all numeric fields are there to look across.
  const document = answer?.scenario as JsonObject | undefined;
  const fields = useMemo(
    () => (document === undefined || catalog.data === undefined ? NONE : mapFields(document, catalog.data.axes)),
    [document, catalog.data],
  );
  const usual = useMemo(() => usualFields(fields), [fields]);
  const x: MapAxis | undefined = useMemo(
    () => parseAxis(view.x, fields) ?? (usual === undefined ? undefined : around(usual[0], fields)),
    [view.x, fields, usual],
  );
  const y: MapAxis | undefined = useMemo(
    () => parseAxis(view.y, fields) ?? (usual === undefined ? undefined : around(usual[1], fields)),
    [view.y, fields, usual],
  );
  const { map, stale: staleMap, left, error: mapError } = useStabilityMap(stale ? undefined : scenario, x, y, !stale);

  const cell = useMemo(() => cellOf(view), [view]);
  const spot = useMemo(() => {
    if (scenario === undefined || cell === undefined || x === undefined || y === undefined) return scenario;
    return setPath(setPath(scenario, x.field.path, cell[0]), y.field.path, cell[1]) as JsonObject;
  }, [scenario, cell, x, y]);
  const course = useQuery(stabilityQuery(spot, true));

  const edit = useCallback(
    (path: string, value: Json | undefined) => {
      const step = typeof value === "object" ? "push" : "replace";
      set((before) => {
        const written = before.scenario ?? start;
        if (written === undefined) return before;
        const own = withChanges(written, before.set ?? NONE);
        const next = value === undefined ? withoutPath(own, path) : (setPath(own, path, value) as JsonObject);
        // The cell looked at belongs to the map of the scenario as it was.
        return patched(before, { scenario: next, set: undefined, at: undefined });
      }, step);
    },
    [set, start],
  );

  const derived = useMemo(
    () => (document === undefined ? {} : derivedOf(document, answer?.loop_delay_s)),
    [document, answer?.loop_delay_s],
  );
  const name = scenario?.name;
  const offered = useMemo(() => {
    const fluid = presets.data?.filter(({ engines }) => engines.includes("fluid")) ?? NONE;
    return own
      ? [{ id: OWN, title: typeof name === "string" && name !== "" ? name : "Your own scenario" }, ...fluid]
      : fluid;
  }, [presets.data, own, name]);
  const refused = verdict.error instanceof ApiProblem ? verdict.error : undefined;
  const unsupported = refused !== undefined && refused.engines.length > 0;
  return {
    view,
    change,
    edit,
    scenario,
    answer,
    stale,
    fields,
    x,
    y,
    map,
    left,
    cell,
    derived,
    catalog: catalog.data,
    preset: preset.data,
    /** Presets that the fluid models answer. */
    presets: offered,
    edited: view.scenario !== undefined && !own,
    staleMap: stale || staleMap,
    mapError,
    course: course.data,
    courseError: course.error instanceof ApiProblem ? course.error : undefined,
    staleCourse: course.isPlaceholderData,
    problems: refused?.errors ?? NO_PROBLEMS,
    refusal: refused?.errors.length === 0 || unsupported ? refused : undefined,
    /** The fluid models have no answer for such a scenario: what stands there is about another one. */
    unsupported,
    /** Axes of the link that no field of the scenario matches. */
    unread: (["x", "y"] as const).flatMap((axis) => {
      const asked = view[axis];
      return asked === undefined || fields.length === 0 || parseAxis(asked, fields) !== undefined
        ? []
        : [`${axis}=${asked} (${AXIS_EXAMPLE})`];
    }),
    missing: preset.error instanceof ApiProblem && view.scenario === undefined ? preset.error : undefined,
    offline: [verdict.error, catalog.error, presets.error].some((one) => one instanceof Unreachable),
  };
}

/**
 * What follows from the scenario with its defaults by arithmetic; the loop delay is the round trip without queueing.
 */
function derivedOf(document: JsonObject, trip: number | undefined): Derived {
  const read = (path: string) => {
    const value = getPath(document, path);
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  const [buffer, capacity, mtu] = [read("switch.buffer"), read("topology.bottleneck"), read("run.mtu")];
  const found = {
    buffer,
    capacity,
    mtu,
    bdp: capacity === undefined || trip === undefined ? undefined : (capacity * trip) / 8,
    drainTime: capacity === undefined || buffer === undefined ? undefined : (8 * buffer) / capacity,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

export type StabilityBench = ReturnType<typeof useStability>;
