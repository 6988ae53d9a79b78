/** The curves' value at one buffer size: computed, interpolated between two sizes, or from the nearest run. */
import { markOf } from "@/lib/palette";
import { bufferOf, type Point } from "@/lib/points";

export type Reading = {
  value: number;
  interval?: [number, number] | undefined;
  /** Why the model does not hold there. */
  outside?: string | undefined;
  /** The size that was simulated, where it is not the one asked for, B. */
  size?: number;
  /** Read off the curve between two computed sizes. */
  between?: true;
};

/** Sizes whose logarithms differ by less are written alike, and count as one. */
const SAME = 0.002;
/** Largest distance, by logarithm, at which a simulated size is shown beside another. */
const NEAR = 0.15;

const apart = (point: Point, size: number) => Math.abs(Math.log((bufferOf(point) ?? 0) / size));

/**
 * One engine's `metric` at a buffer of `size` bytes, exact where that size was computed. Curves are read between their
 * points as they are drawn (`log`: on a logarithmic scale). Runs of packets are never interpolated.
 */
export function readingOf(
  points: Point[],
  engine: string,
  metric: string,
  size: number,
  log: boolean,
): Reading | undefined {
  const own = points
    .filter((point) => point.result.engine === engine && bufferOf(point) !== undefined)
    .sort((a, b) => (bufferOf(a) ?? 0) - (bufferOf(b) ?? 0));
  const nearest = own.toSorted((a, b) => apart(a, size) - apart(b, size))[0];
  if (nearest === undefined) return undefined;
  if (apart(nearest, size) <= SAME) return computed(nearest, metric);
  if (markOf(engine).style === "markers") {
    const run = apart(nearest, size) < NEAR ? computed(nearest, metric) : undefined;
    return run === undefined ? undefined : { ...run, size: bufferOf(nearest) ?? size };
  }
  const after = own.findIndex((point) => (bufferOf(point) ?? 0) > size);
  const [left, right] = [own[after - 1], own[after]];
  return left === undefined || right === undefined ? undefined : along(left, right, metric, size, log);
}

function computed({ result }: Point, metric: string): Reading | undefined {
  const value = result.metrics[metric];
  if (value === undefined) return undefined;
  const interval = result.intervals[metric];
  return {
    value,
    outside: result.outside_validity[metric],
    ...(interval === undefined ? {} : { interval: [interval[0], interval[1]] }),
  };
}

/** Where the line between two points of a curve passes. */
function along(left: Point, right: Point, metric: string, size: number, log: boolean): Reading | undefined {
  const [from, to] = [computed(left, metric), computed(right, metric)];
  if (from === undefined || to === undefined) return undefined;
  const outside = from.outside ?? to.outside;
  const both = from.value === 0 && to.value === 0;
  // A logarithmic axis has no line to zero.
  if (log && !both && (from.value <= 0 || to.value <= 0)) return undefined;
  const [low, high] = [bufferOf(left) ?? size, bufferOf(right) ?? size];
  const share = Math.log(size / low) / Math.log(high / low);
  const value =
    log && !both ? from.value * (to.value / from.value) ** share : from.value + share * (to.value - from.value);
  return { value, outside, between: true };
}
