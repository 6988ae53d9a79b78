import { expect, test } from "vitest";

import { lanes, linearAxis, segments } from "@/lib/bars";

test("segments follow one another and what is taken away leaves none", () => {
  expect(segments([25, 50, -5, 0, 25], 100)).toEqual([
    { index: 0, from: 0, to: 0.25 },
    { index: 1, from: 0.25, to: 0.75 },
    { index: 4, from: 0.75, to: 1 },
  ]);
});

test("an axis has round ticks up to what it must show", () => {
  expect(linearAxis(837_438).values).toEqual([0, 200_000, 400_000, 600_000, 800_000]);
  expect(linearAxis(837_438).end).toBeGreaterThan(837_438);
  expect(linearAxis(60).values).toEqual([0, 10, 20, 30, 40, 50, 60]);
  expect(linearAxis(0)).toEqual({ end: 1, values: [0] });
});

test("marks on one spot take different lanes, in the order given", () => {
  expect(lanes([0.5, 0.1, 0.51, 0.505], 0.02, 3)).toEqual([0, 0, 2, 1]);
  expect(lanes([0, 0, 0], 0.1, 2)).toEqual([0, 1, 0]);
});
