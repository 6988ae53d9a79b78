/** Swept points as every engine answers them, and the series drawn from them. */
import type { Schema } from "@/contract";
import { BUFFER } from "@/lib/sweep";

export type Term = Schema<"Term">;

export type Explanation = Schema<"Explanation">;

export type Result = Schema<"ResultDocument">;

export type Point = Schema<"PointDocument">;

/** Order in which engines are always listed and drawn. */
export const ENGINES = ["theory", "fluid", "hybrid", "packet", "reference"] as const;

export function engineRank(engine: string): number {
  const rank = ENGINES.findIndex((name) => name === engine);
  return rank < 0 ? ENGINES.length : rank;
}

/** outside: the model does not hold there. */
export type Sample = { x: number; y: number; low?: number; high?: number; outside?: boolean };

export const bufferOf = (point: Point): number | undefined => {
  const size = point.at[BUFFER];
  return typeof size === "number" ? size : undefined;
};

/** The engines that answered, in their order. */
export function enginesOf(points: Point[]): string[] {
  return [...new Set(points.map((point) => point.result.engine))].sort((a, b) => engineRank(a) - engineRank(b));
}

/**
 * The points of a sweep and those at the chosen size, which replace a swept one of the same engine and size. Curves do
 * not reach out of the swept range for it.
 */
export function withChosen(points: Point[], chosen: Point[], { low, high }: { low: number; high: number }): Point[] {
  const inside = chosen.filter((point) => (bufferOf(point) ?? 0) >= low && (bufferOf(point) ?? Infinity) <= high);
  const same = (a: Point, b: Point) =>
    a.result.engine === b.result.engine && Math.abs((bufferOf(a) ?? 0) / (bufferOf(b) ?? 1) - 1) < 1e-9;
  return inside.length === 0 ? points : [...points.filter((one) => !inside.some((own) => same(one, own))), ...inside];
}

/** One engine's values of one metric, by buffer size. */
export function series(points: Point[], engine: string, metric: string, scale = 1): Sample[] {
  return points
    .filter((point) => point.result.engine === engine)
    .flatMap((point): Sample[] => {
      const x = bufferOf(point);
      const y = point.result.metrics[metric];
      if (x === undefined || y === undefined) return [];
      const interval = point.result.intervals[metric];
      const bounds = interval === undefined ? {} : { low: interval[0] * scale, high: interval[1] * scale };
      const outside = point.result.outside_validity[metric] === undefined ? {} : { outside: true };
      return [{ x, y: y * scale, ...bounds, ...outside }];
    })
    .sort((a, b) => a.x - b.x);
}

/** Names of the metrics that at least one engine answered. */
export function metricsOf(points: Point[]): Set<string> {
  return new Set(points.flatMap((point) => Object.keys(point.result.metrics)));
}

/** The buffer sizes any engine answered, ascending; sizes equal to 1e-9 are one. */
export function buffersOf(points: Point[]): number[] {
  const sizes = points
    .map(bufferOf)
    .filter((size) => size !== undefined)
    .sort((a, b) => a - b);
  return sizes.filter((size, i) => i === 0 || size > (sizes[i - 1] ?? 0) * (1 + 1e-9));
}

/** The point of one engine nearest to a buffer size, by ratio. */
export function nearest(points: Point[], engine: string, buffer: number): Point | undefined {
  let best: Point | undefined;
  let distance = Infinity;
  for (const point of points) {
    const x = bufferOf(point);
    if (point.result.engine !== engine || x === undefined) continue;
    const here = Math.abs(Math.log(x / buffer));
    if (here < distance) [best, distance] = [point, here];
  }
  return best;
}

/** A stretch of sizes at which a model does not hold for some of what it says. */
export type Faded = { engine: string; metrics: string[]; from: number; upTo: number; reason: string };

/**
 * The sizes at which a model of one engine does not hold for the load, and why; none where it holds everywhere. Each
 * of the metrics has its own: those with the same sizes are named together, with the reason of the first: the
 * chosen size tells each its own. The longest stretch comes first.
 */
export function fadedStretches(points: Point[], engine: string, metrics: readonly string[]): Faded[] {
  const own = points
    .filter(({ result }) => result.engine === engine)
    .toSorted((a, b) => (bufferOf(a) ?? 0) - (bufferOf(b) ?? 0));
  const found = new Map<string, Faded>();
  for (const metric of new Set(metrics)) {
    const stretch = own.flatMap((point) => {
      const reason = point.result.outside_validity[metric];
      const size = bufferOf(point);
      return reason === undefined || size === undefined ? [] : [{ size, reason }];
    });
    const [first, last] = [stretch[0], stretch.at(-1)];
    if (first === undefined || last === undefined) continue;
    const key = `${String(first.size)} ${String(last.size)}`;
    const same = found.get(key);
    if (same === undefined)
      found.set(key, { engine, metrics: [metric], from: first.size, upTo: last.size, reason: last.reason });
    else same.metrics.push(metric);
  }
  return [...found.values()].toSorted((a, b) => b.upTo / b.from - a.upTo / a.from);
}
