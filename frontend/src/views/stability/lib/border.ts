/** The line between growth and decay, by marching squares. */

export type Segment = [x0: number, y0: number, x1: number, y1: number];

/**
 * Where the values between neighbours pass through 0. xs, ys: places of columns and rows in the drawing.
 * A square with a corner that has no value has no line.
 */
export function zeroLine(
  xs: readonly number[],
  ys: readonly number[],
  values: readonly (readonly (number | null | undefined)[])[],
): Segment[] {
  const found: Segment[] = [];
  for (let i = 0; i + 1 < ys.length; i++) {
    for (let j = 0; j + 1 < xs.length; j++) {
      const corners = [values[i]?.[j], values[i]?.[j + 1], values[i + 1]?.[j + 1], values[i + 1]?.[j]];
      if (corners.some((value) => typeof value !== "number")) continue;
      const places: [number, number][] = [
        [xs[j], ys[i]],
        [xs[j + 1], ys[i]],
        [xs[j + 1], ys[i + 1]],
        [xs[j], ys[i + 1]],
      ].map(([x = 0, y = 0]) => [x, y]);
      found.push(...crossings(corners as number[], places));
    }
  }
  return found;
}

/** Pairs of points where the sides of one square are crossed, in the order of its sides. */
function crossings(corners: number[], places: [number, number][]): Segment[] {
  const points: [number, number][] = [];
  for (let k = 0; k < 4; k++) {
    const [a = 0, b = 0] = [corners[k], corners[(k + 1) % 4]];
    const [[ax, ay], [bx, by]] = [places[k] ?? [0, 0], places[(k + 1) % 4] ?? [0, 0]];
    if (a < 0 === b < 0) continue;
    const share = a / (a - b);
    points.push([ax + share * (bx - ax), ay + share * (by - ay)]);
  }
  const segments: Segment[] = [];
  for (let k = 0; k + 1 < points.length; k += 2) {
    const [[x0, y0], [x1, y1]] = [points[k] ?? [0, 0], points[k + 1] ?? [0, 0]];
    segments.push([x0, y0, x1, y1]);
  }
  return segments;
}
