/** Where the cells of a map lie in the drawing. */
import { logTicks } from "@/lib/ticks";

export type Side = {
  /** Pixels of the values. */
  places: number[];
  /** Pixels between which the cells lie: one more than there are cells. */
  edges: number[];
  at: (value: number) => number;
  ticks: { place: number; text: string }[];
};

/** Cells reach to the middle, by ratio, between a value and the next; the outer ones as far outwards. */
export function sideOf(
  values: readonly number[],
  from: number,
  to: number,
  show: (value: number) => string,
  most: number,
): Side {
  const logs = values.map(Math.log);
  const [first = 0, second = first + 1] = logs;
  const [last = 1, before = last - 1] = [logs[logs.length - 1], logs[logs.length - 2]];
  const inner = logs.slice(1).map((log, i) => 0.5 * (log + (logs[i] ?? log)));
  const bounds = [first - 0.5 * (second - first), ...inner, last + 0.5 * (last - before)];
  const [low = 0, high = 1] = [bounds[0], bounds[bounds.length - 1]];
  const place = (log: number) => from + ((log - low) / (high - low)) * (to - from);
  const { values: marks, labels } = logTicks(Math.exp(low), Math.exp(high), show, most);
  return {
    places: logs.map(place),
    edges: bounds.map(place),
    at: (value) => place(Math.log(value)),
    ticks: marks.map((value, i) => ({ place: place(Math.log(value)), text: labels[i] ?? "" })),
  };
}

/** The cell under a pixel, undefined outside; edges rise or fall. */
export function cellUnder(edges: readonly number[], pixel: number): number | undefined {
  for (let i = 0; i + 1 < edges.length; i++) {
    const [a = 0, b = 0] = [edges[i], edges[i + 1]];
    if (pixel >= Math.min(a, b) && pixel < Math.max(a, b)) return i;
  }
  return undefined;
}
