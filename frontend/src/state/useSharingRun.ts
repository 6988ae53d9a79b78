import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

import { ApiProblem, Unreachable } from "@/api/problem";
import { catalogQuery, presetQuery, presetsQuery } from "@/api/queries";
import { startStudy } from "@/api/studies";
import { incastScenario, policyToRun, sharingCodec, withTimeline } from "@/lib/emulation";
import { getPath, isObject, setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { parseQuantity } from "@/lib/quantity";
import { keyOf } from "@/lib/timeline";
import { changedFrom } from "@/lib/view";
import { useDocument } from "@/state/useDocument";
import { isActive, useStudy } from "@/state/useStudy";

/** Stands in for a preset's id: the incast that the emulator is asked about. */
export const SAME = "incast";
const NO_PROBLEMS: never[] = [];

const seconds = (value: Json | undefined): number | undefined => {
  if (typeof value === "number") return value;
  const parsed = typeof value === "string" ? parseQuantity(value, "s") : undefined;
  return parsed === undefined || "error" in parsed ? undefined : parsed.value;
};

/** A packet run with a timeline: its scenario, the run, and which of its queues are looked at. */
export function useSharingRun(question: Record<string, unknown> | undefined) {
  const [state, change] = useDocument(sharingCodec);
  const catalog = useQuery(catalogQuery);
  const presets = useQuery(presetsQuery);
  const text = (path: string) => {
    const value = getPath(state, path);
    return typeof value === "string" ? value : undefined;
  };
  const from = text("run.from");
  const chosen = from ?? text("run.preset") ?? SAME;
  const preset = useQuery({ ...presetQuery(chosen), enabled: chosen !== SAME && from === undefined });
  const axis = catalog.data?.axes.find((one) => one.axis === "sharing");
  const own = getPath(state, "run.scenario");
  const first = useMemo(() => {
    if (chosen !== SAME) return preset.data === undefined ? undefined : withTimeline(preset.data.scenario, seconds);
    return incastScenario(question ?? state, policyToRun(state, axis));
  }, [chosen, preset.data, question, state, axis]);
  const scenario = isObject(own) ? own : first;

  const { study, cancel, restart } = useStudy(text("run.study"));
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<Error>();
  const current = text("run.study");
  const start = useCallback(() => {
    if (scenario === undefined || starting) return;
    setStarting(true);
    setError(undefined);
    startStudy({ scenario, over: {}, engines: ["packet"], replicas: 1 })
      .then((id) => {
        if (id === current) restart();
        else change({ "run.study": id, "run.queues": undefined });
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
      change({
        "run.scenario": next,
        "run.study": undefined,
        ...(from === undefined ? {} : { "run.from": changedFrom(from) }),
      });
    },
    [change, scenario, from],
  );
  const pick = useCallback(
    (id: string) => {
      change(
        {
          "run.preset": id === SAME ? undefined : id,
          "run.from": undefined,
          "run.scenario": undefined,
          "run.study": undefined,
          "run.queues": undefined,
        },
        undefined,
        "push",
      );
    },
    [change],
  );

  const result = study?.points[0]?.result;
  const timeline = result?.timeline;
  const wanted = text("run.queues");
  const shown = useMemo(() => {
    const queues = timeline?.queues ?? [];
    const named = queues.filter((queue) => wanted?.split(" ").includes(keyOf(queue)));
    return named.length > 0 ? named : queues.slice(0, 1);
  }, [timeline, wanted]);
  const look = useCallback(
    (keys: string[]) => {
      change("run.queues", keys.length === 0 ? undefined : keys.join(" "));
    },
    [change],
  );
  const refused = error instanceof ApiProblem ? error : undefined;
  return {
    change,
    edit,
    pick,
    start,
    starting,
    cancel,
    look,
    study,
    scenario,
    chosen,
    from,
    result,
    timeline,
    shown,
    error,
    edited: isObject(own) && from === undefined,
    active: isActive(study),
    axes: catalog.data?.axes,
    schema: catalog.data?.scenario,
    presets: presets.data?.filter(({ engines }) => engines?.includes("packet") !== false) ?? NO_PROBLEMS,
    examples: preset.data?.scenario,
    problems: refused?.errors ?? NO_PROBLEMS,
    offline: [catalog.error, presets.error, error].some((one) => one instanceof Unreachable),
  };
}

export type SharingRun = ReturnType<typeof useSharingRun>;
