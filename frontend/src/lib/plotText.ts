/**
 * What a plot shows, for those who do not see it: one sentence a curve, and a table where no other holds the values.
 */
import { columnsOf, type Quantity } from "@/lib/metrics";
import { enginesOf, series, type Point } from "@/lib/points";
import { formatMetric, formatQuantity } from "@/lib/quantity";

export type PlotText = { summary: string; columns?: readonly string[]; rows?: readonly (readonly string[])[] };

type Sample = { x: number; y: number; high?: number };

/** "Utilisation by fluid: from 87.4 % at 25.0 kB to 100 % at 2.50 MB." */
export function curveWords(
  title: string,
  samples: readonly Sample[],
  showX: (x: number) => string,
  showY: (y: number, most?: number) => string,
): string {
  const [first, last] = [samples[0], samples[samples.length - 1]];
  if (first === undefined || last === undefined) return "";
  const say = ({ x, y, high }: Sample) => `${showY(y, high)} at ${showX(x)}`;
  return samples.length === 1 ? `${title}: ${say(first)}.` : `${title}: from ${say(first)} to ${say(last)}.`;
}

/** Every quantity of every engine that is drawn over the buffer. */
export function chartsText(points: Point[], engines: readonly string[], quantities: readonly Quantity[]): PlotText {
  const size = (x: number) => formatQuantity(x, "B");
  const curves = quantities.flatMap(columnsOf).flatMap(({ title, id, metric, unit, scale }) =>
    enginesOf(points)
      .filter((engine) => engines.includes(engine))
      .map((engine) =>
        curveWords(`${title} by ${engine}`, series(points, engine, metric, scale), size, (y, most) =>
          formatMetric(id, y, unit, most),
        ),
      ),
  );
  return {
    summary: [
      "Plots against the buffer size.",
      ...curves.filter((words) => words !== ""),
      "All values are in the tab Values.",
    ].join(" "),
  };
}

/** Some samples of a long course, evenly spread, as rows of text. */
export function sampled<T>(values: readonly T[], most = 20): T[] {
  if (values.length <= most) return [...values];
  return Array.from({ length: most }, (_, i) => values[Math.round((i * (values.length - 1)) / (most - 1))] as T);
}
