import { useCallback, useMemo } from "react";

import { incastScenario, policyToRun, sharingCodec, withTimeline } from "@/lib/emulation";
import { getPath, isObject, setPath, withoutPath, type Json, type JsonObject } from "@/lib/path";
import { secondsOf } from "@/lib/quantity";
import { keyOf } from "@/lib/timeline";
import { changedFrom } from "@/lib/view";
import { useDocument } from "@/state/useDocument";
import { useOneRun } from "@/state/useOneRun";
import { useScenarioForm } from "@/state/useScenarioForm";

/** Used in place of a preset's id: the incast of the emulator's question. */
export const SAME = "incast";

/** A packet run with a timeline: its scenario, the run, and the queues that are shown. */
export function useSharingRun() {
  const [state, change] = useDocument(sharingCodec);
  const text = (path: string) => {
    const value = getPath(state, path);
    return typeof value === "string" ? value : undefined;
  };
  const from = text("run.from");
  const chosen = from ?? text("run.preset") ?? SAME;
  const { problemsOf, ...form } = useScenarioForm(chosen, chosen !== SAME && from === undefined);
  const axis = form.axes?.find((one) => one.axis === "sharing");
  const own = getPath(state, "run.scenario");
  const first = useMemo(() => {
    if (chosen !== SAME) return form.examples === undefined ? undefined : withTimeline(form.examples, secondsOf);
    return incastScenario(state, policyToRun(state, axis));
  }, [chosen, form.examples, state, axis]);
  const scenario = isObject(own) ? own : first;

  const keep = useCallback(
    (id: string) => {
      change({ "run.study": id, "run.queues": undefined });
    },
    [change],
  );
  const run = useOneRun(scenario, text("run.study"), keep);

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

  const timeline = run.result?.timeline;
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
  return {
    change,
    edit,
    pick,
    ...run,
    look,
    scenario,
    chosen,
    from,
    timeline,
    shown,
    edited: isObject(own) && from === undefined,
    ...form,
    ...problemsOf(run.error),
  };
}

export type SharingRun = ReturnType<typeof useSharingRun>;
