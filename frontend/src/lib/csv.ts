/** Points as comma-separated values, one row per buffer size and engine, SI base units. */
import { bufferOf, engineRank, metricsOf, type Point } from "@/lib/points";

export function csv(points: Point[]): string {
  const metrics = [...metricsOf(points)].sort();
  const bounded = new Set(points.flatMap((point) => Object.keys(point.result.intervals)));
  const columns = metrics.flatMap((name) => (bounded.has(name) ? [name, `${name}_low`, `${name}_high`] : [name]));
  const rows = inOrder(points).map(({ at, result }) => {
    const cells = metrics.flatMap((name): (number | undefined)[] => {
      const value = result.metrics[name];
      return bounded.has(name) ? [value, ...(result.intervals[name] ?? [undefined, undefined])] : [value];
    });
    return [at["switch.buffer"], result.engine, ...cells].map((cell) => cell ?? "").join(",");
  });
  return [["switch.buffer", "engine", ...columns].join(","), ...rows, ""].join("\n");
}

/** By buffer size, then by engine. */
export function inOrder(points: Point[]): Point[] {
  return [...points].sort(
    (a, b) => (bufferOf(a) ?? 0) - (bufferOf(b) ?? 0) || engineRank(a.result.engine) - engineRank(b.result.engine),
  );
}
