/** The path as each flow's congestion control estimates it, beside the true path. */
import type { Curve } from "@/lib/curve";
import { MOST, styleOf, type Windows } from "@/lib/flowSteps";

export type Path = NonNullable<Windows["flows"][number]["path"]>;
type Estimating = { name: string; path: Path; goodput: readonly number[] };

/** Flows whose congestion control estimates its path, named by their place among all flows. */
export function estimating({ flows }: Windows): Estimating[] {
  return flows.flatMap(({ path, goodput }, i) =>
    path === undefined ? [] : [{ name: `flow ${i + 1}`, path, goodput }],
  );
}

const TRUE = { engine: "true", colour: "pinned", dash: "1 4" } as const;

/** Bandwidth that each flow estimates, and the mean goodput of the flows that send. */
export function bandwidthCurves(windows: Windows): Curve[] {
  const samples = windows.time.flatMap((x, j) => {
    const sending = windows.flows.map(({ goodput }) => goodput[j] ?? 0).filter((rate) => rate > 0);
    return sending.length === 0 ? [] : [{ x, y: sending.reduce((sum, rate) => sum + rate, 0) / sending.length }];
  });
  return [...drawn(windows, "bandwidth"), { name: "mean goodput of a flow", ...TRUE, samples }];
}

/** Shortest round trip that each flow has measured, and the one with empty queues. */
export function roundTripCurves(windows: Windows): Curve[] {
  const trips = [...new Set(estimating(windows).map(({ path }) => path.rtt))].sort((a, b) => a - b);
  const ends = [...new Set([trips[0], trips.at(-1)])].filter((trip) => trip !== undefined);
  const truths = ends.map((trip, i) => ({
    name: ends.length === 1 ? "with empty queues" : `with empty queues, ${i === 0 ? "shortest" : "longest"} path`,
    ...TRUE,
    samples: windows.time.map((x) => ({ x, y: trip })),
  }));
  return [...drawn(windows, "min_rtt"), ...truths];
}

function drawn(windows: Windows, which: "bandwidth" | "min_rtt"): Curve[] {
  return estimating(windows)
    .slice(0, MOST)
    .map(({ name, path }, i) => ({
      name,
      ...styleOf(i),
      samples: path[which].flatMap((value, j) => (value === null ? [] : [{ x: windows.time[j] ?? 0, y: value }])),
    }));
}

/** Estimates of all flows at the end of the last window, or undefined where some flow has none yet. */
export function lastEstimates(windows: Windows): { time: number; share: number; excess: number[] } | undefined {
  const time = windows.time.at(-1);
  const flows = estimating(windows);
  const rates = flows.map(({ path }) => path.bandwidth.at(-1));
  const trips = flows.map(({ path }) => ratio(path.min_rtt.at(-1), path.rtt));
  const got = flows.reduce((sum, { goodput }) => sum + (goodput.at(-1) ?? 0), 0);
  if (time === undefined || got === 0 || !rates.every(isNumber) || !trips.every(isNumber)) return undefined;
  return {
    time,
    share: rates.reduce((sum, rate) => sum + rate, 0) / got,
    excess: [Math.min(...trips), Math.max(...trips)],
  };
}

const isNumber = (value: number | null | undefined): value is number => typeof value === "number";
const ratio = (value: number | null | undefined, to: number) => (isNumber(value) && to > 0 ? value / to : undefined);

/** Every window and flow, SI base units. */
export function pathsCsv(windows: Windows): string {
  const flows = estimating(windows);
  const head = flows.flatMap(({ name }) => [
    `${name} bandwidth [bit/s]`,
    `${name} shortest round trip [s]`,
    `${name} round trip with empty queues [s]`,
  ]);
  const rows = windows.time.map((end, j) =>
    [end, ...flows.flatMap(({ path }) => [path.bandwidth[j] ?? "", path.min_rtt[j] ?? "", path.rtt])].join(","),
  );
  return [["time [s]", ...head].join(","), ...rows, ""].join("\n");
}
