import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { needOf, objectivesOf, useScenario } from "@/answers/scenario";
import {
  cancelControls,
  controlListQuery,
  controlsCostQuery,
  controlsJobQuery,
  controlsQuery,
  isUnderWay,
  startControls,
  type ControlInfo,
  type ControlsBody,
} from "@/api/controls";
import type { ControlsRow, ControlsRule } from "@/lib/controls";
import { getPath, setPath, type JsonObject } from "@/lib/path";
import { BUFFER } from "@/lib/sweep";
import { useShown } from "@/state/useShown";

/** Simulations expected to take at most this long start by themselves [s]. */
const SHORT = 15;
/** Pause in typing before the server is asked [ms]; most requests at a time. */
const PAUSE = 500;
const AT_A_TIME = 2;
/** Numbers of flows in one question to the fluid model, and how many questions the usual numbers make beside the own. */
const SLICE = 3;
const USUAL = 3;
const NO_ROWS: ControlsRow[] = [];
const NO_RULES: ControlsRule[] = [];
const NO_IDS: string[] = [];

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/**
 * The smallest buffer under every control: closed forms first, then the fluid by control, then packets. The scenario's
 * own number of flows comes before the others. Mixtures, which are many, are asked of the fluid at that number and at
 * the one that was picked.
 */
export function useControls(values: JsonObject, wide: boolean, picked?: number) {
  const { scenario, error } = useScenario(values);
  const objectives = useMemo(() => objectivesOf(values), [values]);
  const { data: list, error: unlisted } = useQuery(controlListQuery);
  // The search replaces the chosen buffer, which must not make the question a new one.
  const key = useMemo(
    () =>
      scenario === undefined || objectives.length === 0
        ? undefined
        : JSON.stringify([setPath(setPath(scenario, BUFFER, "1 MB"), "name", undefined), needOf(objectives)]),
    [scenario, objectives],
  );
  const [settled] = useDebouncedValue(key, PAUSE);
  const asked = settled ?? key;
  const [base, require] = useMemo(
    () => (asked === undefined ? [undefined, []] : (JSON.parse(asked) as [JsonObject, string[]])),
    [asked],
  );
  const flows = !wide ? own(base) : isText(values.flows) ? values.flows : null;
  const shown = useMemo(() => controlsFor(list, base, wide && values.mixtures === true), [list, base, wide, values]);
  const body = useCallback(
    (engine: string, names: string[], count: ControlsBody["flows"] = flows): ControlsBody | undefined =>
      base === undefined || names.length === 0
        ? undefined
        : { scenario: base, require, engines: [engine], controls: names, flows: count },
    [base, require, flows],
  );

  const known = (engine: string) => shown.filter(({ engines }) => engines.includes(engine));
  const theory = known("theory").map(({ control }) => control);
  const single = own(base);
  // Closed forms take seconds over all numbers of flows where a target is a completion time.
  const split = wide && flows === null && single !== null;
  const begin = body("theory", theory, split ? single : flows);
  const whole = split ? body("theory", theory) : begin;
  const { data: first } = useQuery({ ...controlsQuery(begin), enabled: false });
  const { data: every } = useQuery({ ...controlsQuery(whole), enabled: false });
  const others = [...new Set((every?.rows ?? NO_ROWS).flatMap((row) => row.flows ?? []))].filter(
    (count) => count !== every?.flows,
  );
  const fluid = known("fluid");
  const ask = (slice: number[] | null, mixtures: boolean) =>
    fluid.filter(({ mixture }) => mixtures || !mixture).map(({ control }) => body("fluid", [control], slice));
  const also = picked !== undefined && others.includes(picked) ? [picked] : null;
  const mixed = fluid.filter(({ mixture }) => mixture);
  const bodies = [
    begin,
    ...(first === undefined ? [] : ask(first.flows === null ? null : [first.flows], true)),
    ...(split && first !== undefined ? [whole] : []),
    // An answer has limited time: few numbers at a time.
    ...slicesOf(others).flatMap((slice) => ask(slice, false)),
    ...(also === null ? [] : mixed.map(({ control }) => body("fluid", [control], also))),
  ];
  const coming = split && every === undefined ? USUAL * (fluid.length - mixed.length) : 0;
  const [stopped, setStopped] = useState<string>();
  const halted = stopped !== undefined && stopped === asked;
  const queries = useQueryClient();
  const ready = (one: ControlsBody | undefined) => {
    const state = queries.getQueryState(controlsQuery(one).queryKey);
    return state?.status === "success" || state?.status === "error";
  };
  const due = bodies.filter((one) => one !== undefined && !ready(one)).slice(0, AT_A_TIME);
  const found = useQueries({
    queries: bodies.map((one) => ({
      ...controlsQuery(one),
      enabled: one !== undefined && !halted && (ready(one) || due.includes(one)),
    })),
  });
  const done = found.filter(({ isSuccess, isError }) => isSuccess || isError).length;
  const packets = usePackets(
    body,
    known("packet")
      .filter(({ mixture }) => !mixture)
      .map(({ control }) => control),
    single,
    wide && done === bodies.length,
  );
  // Those of the scenario's own number came first.
  const models = found.flatMap(({ data }, i) =>
    (data?.rows ?? NO_ROWS).filter(({ flows: count }) => !split || bodies[i] !== whole || count !== data?.flows),
  );
  const rows = [...models, ...packets.rows];
  const answered = every ?? first;
  return {
    scenario,
    objectives,
    flows: answered?.flows ?? single?.[0] ?? null,
    rows,
    rules: answered?.rules ?? NO_RULES,
    notes: answered?.notes ?? [],
    controls: shown,
    progress: first === undefined ? 0 : done / (bodies.length + coming),
    /** The scenario or the list of controls is on its way: there is nothing yet that could have no result. */
    pending: objectives.length > 0 && (base === undefined || list === undefined),
    working: base !== undefined && done < bodies.length && !halted,
    halted: halted && done < bodies.length,
    stop: () => {
      setStopped(asked);
      void queries.cancelQueries({ queryKey: ["controls", "at once"] });
    },
    resume: () => {
      setStopped(undefined);
    },
    packets,
    stale: key !== asked,
    /** Why nothing can be answered; and why single figures are missing. */
    error: error ?? unlisted ?? found[0]?.error ?? null,
    partial: found.slice(1).find((one) => one.error !== null)?.error ?? null,
  };
}

function slicesOf(counts: number[]): number[][] {
  return Array.from({ length: Math.ceil(counts.length / SLICE) }, (_, i) => counts.slice(i * SLICE, (i + 1) * SLICE));
}

/** The long-lived flows of a scenario; none where it has none. */
function own(scenario: JsonObject | undefined): number[] | null {
  const traffic = getPath(scenario, "traffic");
  const flows = (Array.isArray(traffic) ? traffic : []).map((entry) =>
    getPath(entry, "kind") === "long_lived" ? Number(getPath(entry, "flows")) : 0,
  );
  const sum = flows.reduce((a, b) => a + b, 0);
  return Number.isInteger(sum) && sum > 0 ? [sum] : null;
}

/** Controls that run on the scenario's hosts come first; mixtures only of these. */
function controlsFor(
  list: { controls: ControlInfo[]; mixtures: ControlInfo[] } | undefined,
  scenario: JsonObject | undefined,
  mixtures: boolean,
): ControlInfo[] {
  if (list === undefined) return [];
  const kind = getPath(scenario, "traffic.0.congestion.kind");
  // A kind with versions is listed as each of them: bbr1, bbr2.
  const hosts = list.controls.find(({ control }) => control.replace(/\d+$/, "") === kind)?.hosts ?? "tcp";
  const first = list.controls.filter((one) => one.hosts === hosts);
  const rest = list.controls.filter((one) => one.hosts !== hosts);
  return [...first, ...rest, ...(mixtures ? list.mixtures.filter((one) => one.hosts === hosts) : [])];
}

/** Packets at the scenario's own number of flows: one job a control, started by itself where it is short. */
function usePackets(
  body: (engine: string, names: string[], flows: number[] | null) => ControlsBody | undefined,
  names: string[],
  flows: number[] | null,
  allowed: boolean,
) {
  const whole = body("packet", names, flows);
  const cost = useQuery({ ...controlsCostQuery(whole), enabled: whole !== undefined && allowed });
  const key = whole === undefined ? undefined : JSON.stringify(whole);
  const [started, setStarted] = useState<{ key: string; ids: string[] }>();
  const [failed, setFailed] = useState<{ key: string; error: Error }>();
  const shown = useShown(key);
  const ids = started !== undefined && started.key === key ? started.ids : NO_IDS;
  const jobs = useQueries({ queries: ids.map((id) => controlsJobQuery(id)) });
  const queries = useQueryClient();
  const start = useCallback(() => {
    if (key === undefined) return;
    const all = JSON.parse(key) as ControlsBody;
    const now = () => shown.current;
    setFailed(undefined);
    void (async () => {
      const begun: string[] = [];
      for (const name of all.controls) {
        // The rest of an earlier question would only delay the next one, and take its place.
        if (now() !== key) break;
        try {
          const { id } = await startControls({ ...all, controls: [name] });
          begun.push(id);
          if (now() === key) setStarted({ key, ids: [...begun] });
          else if (now() !== undefined) cancelControls(id).catch(() => undefined);
        } catch (reason) {
          setFailed({ key, error: reason instanceof Error ? reason : new Error(String(reason)) });
        }
      }
    })();
  }, [key, shown]);
  const running = jobs.some(({ data }) => isUnderWay(data));
  const begun = useRef<string>(undefined);
  useEffect(() => {
    if (cost.data === undefined || cost.data > SHORT || key === undefined || begun.current === key) return;
    begun.current = key;
    start();
  }, [cost.data, key, start]);
  // An obsolete search would only delay the next one.
  const last = useRef<string[]>([]);
  useEffect(() => {
    const under = running ? ids : [];
    for (const id of last.current) if (!ids.includes(id)) cancelControls(id).catch(() => undefined);
    last.current = under;
  }, [ids, running]);
  return {
    seconds: cost.data,
    refused: cost.error,
    error: failed !== undefined && failed.key === key ? failed.error : undefined,
    running,
    progress:
      ids.length === 0 ? 0 : jobs.reduce((sum, { data }) => sum + (data?.progress ?? 0), 0) / Math.max(1, names.length),
    started: ids.length > 0,
    rows: jobs.flatMap(({ data }) => data?.result?.rows ?? NO_ROWS),
    start,
    cancel: () => {
      for (const id of ids)
        cancelControls(id)
          .then(() => queries.invalidateQueries({ queryKey: controlsJobQuery(id).queryKey }))
          .catch(() => undefined);
    },
  };
}

export type ControlsBench = ReturnType<typeof useControls>;
