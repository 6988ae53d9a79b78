/** Which sizes a curve needs: few where it is straight, more where it bends. */
import { bufferOf, type Point } from "@/lib/points";

/** What is drawn of a curve, and whether on a logarithmic scale. */
const DRAWN: readonly [metric: string, log: boolean][] = [
  ["utilisation", false],
  ["drop_rate", true],
  ["queue_mean", true],
  ["queue_p99", true],
  ["fct_mean", true],
  ["fct_p50", true],
  ["fct_p99", true],
  ["transfer_p50", true],
  ["transfer_p99", true],
];
/** A point this share of the plot's height off the straight line between its neighbours makes a bend. */
const BEND = 0.01;
/** The least height of a plot: of a share, and in decades. */
const LEAST = { linear: 0.02, log: 0.25 };

/** Sizes from `low` to `high`, evenly by ratio, in whole bytes. */
export function spread(low: number, high: number, count: number): number[] {
  return [...new Set(Array.from({ length: count }, (_, i) => Math.round(low * (high / low) ** (i / (count - 1)))))];
}

/** Sizes in the middle of every stretch beside a point at which some metric bends, appears, or becomes invalid; B. */
export function bends(points: Point[]): number[] {
  const own = points
    .flatMap((point) => {
      const size = bufferOf(point);
      return size === undefined ? [] : [{ size, point }];
    })
    .sort((a, b) => a.size - b.size);
  const wanted = new Set<number>();
  for (const [metric, log] of DRAWN) {
    const x = own.map(({ size }) => Math.log(size));
    const y = own.map(({ point }) => height(point, metric, log));
    const outside = own.map(({ point }) => point.result.outside_validity[metric] !== undefined);
    const known = y.filter((value) => value !== undefined);
    const tolerance = BEND * Math.max(log ? LEAST.log : LEAST.linear, Math.max(...known) - Math.min(...known));
    for (let i = 0; i + 1 < own.length; i += 1) {
      if ((y[i] === undefined) !== (y[i + 1] === undefined) || outside[i] !== outside[i + 1]) wanted.add(i);
      const [before, here, after] = [y[i - 1], y[i], y[i + 1]];
      const [left, middle, right] = [x[i - 1], x[i], x[i + 1]];
      if (
        before === undefined ||
        here === undefined ||
        after === undefined ||
        left === undefined ||
        middle === undefined ||
        right === undefined
      )
        continue;
      const straight = before + ((after - before) * (middle - left)) / (right - left);
      if (Math.abs(here - straight) > tolerance) wanted.add(i - 1).add(i);
    }
  }
  return [...wanted]
    .sort((a, b) => a - b)
    .flatMap((i) => {
      const [from, to] = [own[i]?.size ?? 0, own[i + 1]?.size ?? 0];
      const middle = Math.round(Math.sqrt(from * to));
      return middle > from && middle < to ? [middle] : [];
    });
}

/** Where a value is drawn; undefined where it is not. */
function height(point: Point, metric: string, log: boolean): number | undefined {
  const value = point.result.metrics[metric];
  if (value === undefined || (log && value <= 0)) return undefined;
  return log ? Math.log10(value) : value;
}
