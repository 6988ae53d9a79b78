import { expect, test } from "vitest";

import { withChosen } from "@/lib/points";
import { readingOf } from "@/lib/reading";
import { point } from "@/test/points";

const points = [
  point("theory", 100, { drop_rate: 0.01, utilisation: 0.8 }),
  point("theory", 400, { drop_rate: 0.0025, utilisation: 1 }),
  point("packet", 100, { drop_rate: 0.02 }, { drop_rate: [0.01, 0.03] }),
];

test("a curve is read between its points as it is drawn", () => {
  expect(readingOf(points, "theory", "drop_rate", 200, true)).toMatchObject({ value: 0.005, between: true });
  expect(readingOf(points, "theory", "utilisation", 200, false)?.value).toBeCloseTo(0.9, 12);
  expect(readingOf(points, "theory", "drop_rate", 400.1, true)).toEqual({ value: 0.0025, outside: undefined });
});

test("no curve is read beyond its ends, through a gap or down to zero on a logarithmic scale", () => {
  expect(readingOf(points, "theory", "drop_rate", 90, true)).toBeUndefined();
  expect(readingOf(points, "theory", "drop_rate", 500, true)).toBeUndefined();
  const gap = [...points, point("theory", 200, { utilisation: 0.9 }), point("theory", 800, { drop_rate: 0 })];
  expect(readingOf(gap, "theory", "drop_rate", 150, true)).toBeUndefined();
  expect(readingOf(gap, "theory", "drop_rate", 600, true)).toBeUndefined();
});

test("a run of packets keeps its number and says its size", () => {
  expect(readingOf(points, "packet", "drop_rate", 110, true)).toMatchObject({ value: 0.02, size: 100 });
  expect(readingOf(points, "packet", "drop_rate", 100, true)).not.toHaveProperty("size");
  expect(readingOf(points, "packet", "drop_rate", 200, true)).toBeUndefined();
});

test("what was computed for the chosen size takes the place of a swept point, within the range", () => {
  const chosen = point("theory", 250, { drop_rate: 0.004 });
  const range = { low: 100, high: 400 };
  expect(readingOf(withChosen(points, [chosen], range), "theory", "drop_rate", 250, true)?.value).toBe(0.004);
  const again = point("theory", 400, { drop_rate: 0.002 });
  expect(withChosen(points, [again], range)).toHaveLength(points.length);
  expect(withChosen(points, [point("theory", 500, {})], range)).toBe(points);
});
