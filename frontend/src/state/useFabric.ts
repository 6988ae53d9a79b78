import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";

import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery, presetQuery, presetsQuery } from "@/api/queries";
import { documentCodecOf } from "@/lib/document";
import { withFabric } from "@/lib/fabric";
import { getPath, isObject, setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { secondsOf } from "@/lib/quantity";
import { useDocument } from "@/state/useDocument";
import { useOneRun } from "@/state/useOneRun";

/** What the view begins with. */
const FIRST = "pause-victims";
export const FABRIC_FIELDS = ["preset", "scenario", "study", "whatIf"] as const;
export const fabricCodec = documentCodecOf({}, FABRIC_FIELDS);
const NO_PROBLEMS: never[] = [];

/** A packet run that records the whole fabric: its scenario and its result. */
export function useFabric() {
  const [state, change] = useDocument(fabricCodec);
  const catalog = useQuery(catalogQuery);
  const presets = useQuery(presetsQuery);
  const text = (path: string) => {
    const value = getPath(state, path);
    return typeof value === "string" ? value : undefined;
  };
  const chosen = text("preset") ?? FIRST;
  const preset = useQuery(presetQuery(chosen));
  const own = getPath(state, "scenario");
  const scenario = useMemo(() => {
    const base = isObject(own) ? own : preset.data?.scenario;
    return base === undefined ? undefined : withFabric(base, secondsOf);
  }, [own, preset.data]);

  const keep = useCallback(
    (id: string) => {
      change("study", id);
    },
    [change],
  );
  const run = useOneRun(scenario, text("study"), keep);
  const edit = useCallback(
    (path: string, value: Json | undefined) => {
      if (scenario === undefined) return;
      const next = value === undefined ? withoutPath(scenario, path) : (setPath(scenario, path, value) as JsonObject);
      change({ scenario: next, study: undefined, whatIf: undefined });
    },
    [change, scenario],
  );
  const pick = useCallback(
    (id: string) => {
      const cleared = { scenario: undefined, study: undefined, whatIf: undefined };
      change({ preset: id === FIRST ? undefined : id, ...cleared }, undefined, "push");
    },
    [change],
  );
  const compare = useCallback(
    (id: string) => {
      change("whatIf", id, "push");
    },
    [change],
  );
  const refused = run.error instanceof ApiProblem ? run.error : undefined;
  return {
    edit,
    pick,
    compare,
    whatIf: text("whatIf"),
    ...run,
    scenario,
    chosen,
    edited: isObject(own),
    axes: catalog.data?.axes,
    schema: catalog.data?.scenario,
    presets: presets.data?.filter(({ engines }) => engines.includes("packet")) ?? NO_PROBLEMS,
    examples: preset.data?.scenario,
    problems: refused?.errors ?? NO_PROBLEMS,
    offline: [catalog.error, presets.error, run.error].some((one) => one instanceof Unreachable),
  };
}
export type FabricRun = ReturnType<typeof useFabric>;
