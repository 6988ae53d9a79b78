import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { wordsOf } from "@/api/problem";
import { catalogQuery, estimatesQuery, presetQuery, type Estimates } from "@/api/queries";
import { sizeQuery } from "@/api/size";
import { SLOTS, type Comparison } from "@/lib/compare";
import { formatObjective, usualObjectives } from "@/lib/objectives";
import { canonical, getPath, setPath, type Json, type JsonObject } from "@/lib/path";
import { nearest, type Point, type Result } from "@/lib/points";
import { solutionOf, type Solution } from "@/lib/solution";
import { unitsIn } from "@/lib/schema";
import { around, BUFFER, bufferBytes } from "@/lib/sweep";
import { usePacketStudy } from "@/state/usePacketStudy";

const NONE: Point[] = [];
const POINTS: Record<string, number> = { theory: 41, fluid: 13 };
const REPLICAS = 3;

export type Compared = {
  letter: string;
  name: string;
  scenario: JsonObject | undefined;
  buffer: number | undefined;
  /** At its own buffer, by the engine that is looked at. */
  here: Result | undefined;
  points: Point[];
  /** Why there is no number. */
  refused: string | undefined;
  smallest: Solution;
};

const said = (error: Error | null | undefined) => (error === null || error === undefined ? undefined : wordsOf(error));

/** Every scenario of the comparison with its numbers by one engine. */
export function useSlots({ slots, engine }: Comparison) {
  const { data: catalog } = useQuery(catalogQuery);
  const presets = useQueries({
    queries: slots.map(({ preset, scenario }) => ({ ...presetQuery(preset ?? ""), enabled: scenario === undefined })),
  });
  const scenarios = slots.map(({ scenario }, i) => scenario ?? presets[i]?.data?.scenario);
  const buffers = scenarios.map((scenario) => (scenario === undefined ? undefined : bufferBytes(scenario)));
  const over = rangeOf(buffers.filter((one) => one !== undefined));

  const instant = engine !== "packet";
  const ask = (scenario: JsonObject | undefined, swept: boolean) =>
    scenario === undefined || over === undefined || !instant
      ? undefined
      : swept
        ? {
            scenario: setPath(scenario, BUFFER, over.low) as JsonObject,
            over: { [BUFFER]: `${over.low}B:${over.high}B:log${POINTS[engine] ?? 13}` },
            engines: [engine],
          }
        : { scenario, engines: [engine] };
  const own = useQueries({ queries: scenarios.map((scenario) => estimatesQuery(ask(scenario, false))) });
  const curves = useQueries({ queries: scenarios.map((scenario) => estimatesQuery(ask(scenario, true))) });
  const sizes = useQueries({
    queries: scenarios.map((scenario) => ({
      ...sizeQuery(
        scenario === undefined ? undefined : (setPath(scenario, BUFFER, "1 MB") as JsonObject),
        usualObjectives(true).map(formatObjective),
        engine,
      ),
      enabled: scenario !== undefined && instant,
    })),
  });
  const packets = [
    usePackets(scenarios[0], instant),
    usePackets(scenarios[1], instant),
    usePackets(scenarios[2], instant),
  ];

  const compared = slots.map((slot, i): Compared => {
    const [asked, curve, size, study] = [own[i], curves[i], sizes[i], packets[i]];
    const scenario = scenarios[i];
    const points = instant ? (curve?.data?.points ?? NONE) : (study?.points ?? NONE);
    return {
      letter: (SLOTS[i] ?? "").toUpperCase(),
      name: nameOf(scenario, presets[i]?.data?.title ?? slot.preset),
      scenario,
      buffer: buffers[i],
      points,
      here: instant
        ? asked?.data?.points[0]?.result
        : study?.done === true
          ? ownOf(study.points, buffers[i])
          : undefined,
      refused: instant
        ? (said(presets[i]?.error ?? asked?.error ?? curve?.error) ??
          unsupported(asked?.data) ??
          unsupported(curve?.data))
        : said(presets[i]?.error ?? study?.error),
      smallest: !instant
        ? { state: "unsolved", words: "" }
        : size?.data !== undefined
          ? solutionOf(size.data, usualObjectives(true), catalog?.metrics ?? {})
          : size?.error
            ? { state: "unsolved", words: wordsOf(size.error) }
            : { state: "pending" },
    };
  });
  const units = useMemo(() => unitsIn(catalog as Json | undefined), [catalog]);
  const used = packets.slice(0, slots.length);
  return {
    compared,
    metrics: catalog?.metrics ?? {},
    units,
    /** Curves are still being computed. */
    waiting: instant
      ? curves.some(({ isPending }, i) => scenarios[i] !== undefined && isPending) ||
        presets.some(({ isLoading }) => isLoading)
      : used.some(({ running }) => running),
    packet: {
      seconds: used.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
      known: used.every(({ seconds }) => seconds !== undefined),
      running: used.some(({ running }) => running),
      done: used.every(({ done }) => done),
      start: () => {
        for (const { start } of used) start();
      },
    },
  };
}

/** Shares of a scenario's own buffer at which packets are run too; lossless classes leave none below it. */
const AROUND = [0.25, 0.5, 1, 2, 4];

/** Packets run at the scenario's own buffer, which is compared, and at some sizes around it, which are drawn. */
function usePackets(scenario: JsonObject | undefined, off: boolean) {
  const key = scenario === undefined || off ? "" : canonical(scenario);
  const body = useMemo(() => {
    if (key === "") return undefined;
    const document = JSON.parse(key) as JsonObject;
    const buffer = bufferBytes(document);
    if (buffer === undefined) return undefined;
    const headroom = getPath(document, "switch.headroom.kind") ?? "none";
    const sizes = AROUND.filter((share) => share >= 1 || headroom === "none").map((share) =>
      Math.round(share * buffer),
    );
    const over = { [BUFFER]: sizes.map((one) => `${one}B`).join(",") };
    return { scenario: document, over, engines: ["packet"], replicas: REPLICAS };
  }, [key]);
  return usePacketStudy(body, true);
}

const ownOf = (points: Point[], buffer: number | undefined): Result | undefined =>
  buffer === undefined ? undefined : nearest(points, "packet", buffer)?.result;

const unsupported = (data: Estimates | undefined) =>
  data?.points.length === 0 ? data.unsupported[0]?.message.replace(/^[\w.]+: /, "") : undefined;

function nameOf(scenario: JsonObject | undefined, title: string | undefined): string {
  return title ?? (typeof scenario?.name === "string" && scenario.name !== "" ? scenario.name : "Scenario of your own");
}

/** From the smallest sweep's begin to the largest's end. */
function rangeOf(buffers: number[]) {
  if (buffers.length === 0) return undefined;
  const sweeps = buffers.map(around);
  return { low: Math.min(...sweeps.map(({ low }) => low)), high: Math.max(...sweeps.map(({ high }) => high)) };
}
