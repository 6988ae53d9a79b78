import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery, presetQuery, presetsQuery } from "@/api/queries";
import { startStudy } from "@/api/studies";
import { documentCodecOf } from "@/lib/document";
import { withFabric } from "@/lib/fabric";
import { getPath, isObject, setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { parseQuantity } from "@/lib/quantity";
import { useDocument } from "@/state/useDocument";
import { isActive, useStudy } from "@/state/useStudy";

/** What the view begins with. */
const FIRST = "pause-victims";
export const FABRIC_FIELDS = ["preset", "scenario", "study"] as const;
export const fabricCodec = documentCodecOf({}, FABRIC_FIELDS);
const NO_PROBLEMS: never[] = [];

const seconds = (value: Json | undefined): number | undefined => {
  if (typeof value === "number") return value;
  const parsed = typeof value === "string" ? parseQuantity(value, "s") : undefined;
  return parsed === undefined || "error" in parsed ? undefined : parsed.value;
};

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
    return base === undefined ? undefined : withFabric(base, seconds);
  }, [own, preset.data]);

  const current = text("study");
  const { study, cancel, restart } = useStudy(current);
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const start = useCallback(() => {
    if (scenario === undefined || starting) return;
    setStarting(true);
    setError(undefined);
    startStudy({ scenario, over: {}, engines: ["packet"], replicas: 1 })
      .then((id) => {
        if (id === current) restart();
        else change("study", id);
      })
      .catch((reason: unknown) => {
        setError(reason instanceof Error ? reason : new Error(String(reason)));
      })
      .finally(() => {
        setStarting(false);
      });
  }, [scenario, starting, current, restart, change]);
  const edit = useCallback(
    (path: string, value: Json | undefined) => {
      if (scenario === undefined) return;
      const next = value === undefined ? withoutPath(scenario, path) : (setPath(scenario, path, value) as JsonObject);
      change({ scenario: next, study: undefined });
    },
    [change, scenario],
  );
  const pick = useCallback(
    (id: string) => {
      change({ preset: id === FIRST ? undefined : id, scenario: undefined, study: undefined }, undefined, "push");
    },
    [change],
  );
  const refused = error instanceof ApiProblem ? error : undefined;
  return {
    edit,
    pick,
    start,
    starting,
    cancel,
    study,
    scenario,
    chosen,
    error,
    result: study?.points[0]?.result,
    edited: isObject(own),
    active: isActive(study),
    axes: catalog.data?.axes,
    schema: catalog.data?.scenario,
    presets: presets.data?.filter(({ engines }) => engines?.includes("packet") !== false) ?? NO_PROBLEMS,
    examples: preset.data?.scenario,
    problems: refused?.errors ?? NO_PROBLEMS,
    offline: [catalog.error, presets.error, error].some((one) => one instanceof Unreachable),
  };
}
export type FabricRun = ReturnType<typeof useFabric>;
