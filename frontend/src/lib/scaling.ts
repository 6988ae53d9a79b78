/** What was done to a scenario to make it small, in words. */
import type { Schema } from "@/contract";
import { significant } from "@/lib/number";
import type { Point } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";

export type ScaledField = Schema<"ScaledField">;
export type ScaledQuantity = Schema<"ScaledQuantity">;
export type Scaling = Schema<"ScalingReport">;

/** "kept" or how a quantity went from one scale to the other. */
export function passage({ unit, before, after }: ScaledQuantity): string {
  if (Math.abs(after - before) <= 1e-9 * Math.abs(before)) return formatQuantity(after, unit);
  const ratio = before === 0 ? "" : ` (×${significant(after / before, 2)})`;
  return `${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}${ratio}`;
}

/** What is counted in bytes or bits per second, and so is S times larger at full size for the same wait and share. */
const WITH_RATE = ["queue_mean", "queue_p50", "queue_p99", "queue_max", "throughput", "goodput"];

/**
 * A point of a scaled run beside those of the full size: a queue is told as the one that takes as long to drain at
 * the full
 * rate, a rate as its share of it. Waits, shares and completion times are those of the run.
 */
export function atFullSize(point: Point): Point {
  const factor = point.result.scaling?.factor ?? 1;
  if (factor === 1) return point;
  const times = <T>(values: Record<string, T>, by: (value: T) => T) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, WITH_RATE.includes(name) ? by(value) : value]),
    );
  return {
    ...point,
    result: {
      ...point.result,
      metrics: times(point.result.metrics, (value) => value * factor),
      intervals: times(point.result.intervals, ([low, high]): [number, number] => [low * factor, high * factor]),
    },
  };
}
