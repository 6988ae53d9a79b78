/** Where the segments of stacked horizontal bars lie, as fractions of a linear axis that begins at 0. */

export type Segment = { index: number; from: number; to: number };

/** One segment for each positive part, in order; what a rounding takes away is in the table only. */
export function segments(parts: readonly number[], end: number): Segment[] {
  let sum = 0;
  return parts.flatMap((bytes, index): Segment[] => {
    if (bytes <= 0) return [];
    const from = sum / end;
    sum += bytes;
    return [{ index, from, to: sum / end }];
  });
}

/** A round end of the axis and its ticks, for values up to `largest`. */
export function linearAxis(largest: number, ticks = 6): { end: number; values: number[] } {
  if (!(largest > 0)) return { end: 1, values: [0] };
  const raw = largest / ticks;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * (1 - 1e-9)) ?? raw;
  const values = Array.from({ length: Math.floor(largest / step + 1e-9) + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
  return { end: largest * 1.02, values };
}

/** Lanes for marks that would lie on one another: the first lane in which a mark has `gap` to the one before it. */
export function lanes(places: readonly number[], gap: number, count: number): number[] {
  const last = Array.from({ length: count }, () => -Infinity);
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  const found = places.map(() => 0);
  for (const { place, index } of order) {
    const free = last.findIndex((end) => place - end >= gap);
    const lane = free < 0 ? last.indexOf(Math.min(...last)) : free;
    last[lane] = place;
    found[index] = lane;
  }
  return found;
}
