import { useCallback, useMemo } from "react";

import { documentCodecOf } from "@/lib/document";
import { withFabric } from "@/lib/fabric";
import { getPath, isObject, setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { secondsOf } from "@/lib/quantity";
import { useDocument } from "@/state/useDocument";
import { useOneRun } from "@/state/useOneRun";
import { useScenarioForm } from "@/state/useScenarioForm";

/** Preset that the view begins with. */
const FIRST = "pause-victims";
export const FABRIC_FIELDS = ["preset", "scenario", "study", "whatIf"] as const;
export const fabricCodec = documentCodecOf({}, FABRIC_FIELDS);

/** A packet run that records the whole fabric: its scenario and its result. */
export function useFabric() {
  const [state, change] = useDocument(fabricCodec);
  const text = (path: string) => {
    const value = getPath(state, path);
    return typeof value === "string" ? value : undefined;
  };
  const chosen = text("preset") ?? FIRST;
  const { problemsOf, ...form } = useScenarioForm(chosen);
  const own = getPath(state, "scenario");
  const scenario = useMemo(() => {
    const base = isObject(own) ? own : form.examples;
    return base === undefined ? undefined : withFabric(base, secondsOf);
  }, [own, form.examples]);

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
  return {
    edit,
    pick,
    compare,
    whatIf: text("whatIf"),
    ...run,
    scenario,
    chosen,
    edited: isObject(own),
    ...form,
    ...problemsOf(run.error),
  };
}
export type FabricRun = ReturnType<typeof useFabric>;
