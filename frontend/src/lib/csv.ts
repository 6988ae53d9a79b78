/** Points as comma-separated values, one row per buffer size and engine, SI base units, named after each column.
 *
 * The last column, where there is any, names the metrics that lie outside the model's validity, as in the files of
 * the command line.
 */
import { bufferOf, engineRank, metricsOf, type Point } from "@/lib/points";

export function csv(points: Point[], units: Record<string, { unit?: string | undefined }>): string {
  const headed = (name: string) => {
    const unit = units[name.replace(/_(low|high)$/, "")]?.unit ?? "1";
    return unit === "1" ? name : `${name} [${unit}]`;
  };
  const metrics = [...metricsOf(points)].sort();
  const bounded = new Set(points.flatMap((point) => Object.keys(point.result.intervals)));
  const columns = metrics.flatMap((name) => (bounded.has(name) ? [name, `${name}_low`, `${name}_high`] : [name]));
  const judged = points.some(({ result }) => Object.keys(result.outside_validity).length > 0);
  const rows = inOrder(points).map((point) => {
    const { result } = point;
    const cells = metrics.flatMap((name): (number | undefined)[] => {
      const value = result.metrics[name];
      return bounded.has(name) ? [value, ...(result.intervals[name] ?? [undefined, undefined])] : [value];
    });
    const last = judged ? [Object.keys(result.outside_validity).join(" ")] : [];
    return [bufferOf(point), result.engine, ...cells, ...last].map((cell) => cell ?? "").join(",");
  });
  return [
    ["switch.buffer [B]", "engine", ...columns.map(headed), ...(judged ? ["outside_validity"] : [])].join(","),
    ...rows,
    "",
  ].join("\n");
}

/** By buffer size, then by engine. */
export function inOrder(points: Point[]): Point[] {
  return [...points].sort(
    (a, b) => (bufferOf(a) ?? 0) - (bufferOf(b) ?? 0) || engineRank(a.result.engine) - engineRank(b.result.engine),
  );
}
