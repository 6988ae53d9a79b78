/** Rates of flows over time and step by step, as curves and rows. */
import type { Schema } from "@/contract";
import type { Curve } from "@/lib/curve";

export type Windows = Schema<"SeriesDocument">;
export type Step = Schema<"StepDocument">;

/** Most flows drawn: more cannot be distinguished. */
export const MOST = 9;
const COLOURS = ["current", "pinned", "other"] as const;
const DASHES = ["", "7 3", "2 3"];

/** Style of the line of flow `i`. */
export const styleOf = (i: number): Pick<Curve, "engine" | "colour" | "dash"> => ({
  engine: "flow",
  colour: COLOURS[i % COLOURS.length] ?? "current",
  dash: DASHES[Math.floor(i / COLOURS.length)] ?? "",
});

/** One curve per flow; a window is drawn at its middle. */
export function rateCurves({ window, time, flows }: Windows): Curve[] {
  return flows.slice(0, MOST).map(({ goodput }, i) => ({
    name: `flow ${i + 1}`,
    ...styleOf(i),
    samples: goodput.map((rate, j) => ({ x: (time[j] ?? 0) - window / 2, y: rate })),
  }));
}

/** Times at which a flow joins or leaves, with what happens then. */
export function stepMarks(steps: readonly Step[]): { label: string; x: number }[] {
  return steps.slice(1).map(({ start, flows }, i) => {
    const change = flows.length - (steps[i]?.flows.length ?? 0);
    return { label: change === 0 ? "·" : change > 0 ? `+${change}` : `−${-change}`, x: start };
  });
}

/** Jain's index over time: the same from the begin of a step to its end. */
export function fairnessCurve(steps: readonly Step[]): Curve {
  const samples = steps.flatMap(({ start, end, fairness }) =>
    fairness === null
      ? []
      : [
          { x: start, y: fairness },
          { x: end, y: fairness },
        ],
  );
  return { name: "Jain's index", engine: "flow", dash: "", samples };
}

/** Jain's index, mean over the time with two flows or more; undefined where there never were two. */
export function meanFairness(steps: readonly Step[]): number | undefined {
  const known = steps.filter((step) => step.fairness !== null);
  const whole = known.reduce((sum, { start, end }) => sum + end - start, 0);
  return whole === 0
    ? undefined
    : known.reduce((sum, { start, end, fairness }) => sum + (fairness ?? 0) * (end - start), 0) / whole;
}

/** Every window, one column per flow, SI base units. */
export function ratesCsv({ time, flows }: Windows): string {
  const head = ["time [s]", ...flows.map((_, i) => `flow ${i + 1} [bit/s]`)];
  return [
    head.join(","),
    ...time.map((end, j) => [end, ...flows.map(({ goodput }) => goodput[j] ?? "")].join(",")),
    "",
  ].join("\n");
}
