import { expect, test } from "vitest";

import { atFullSize } from "@/lib/scaling";
import { point } from "@/test/points";

const scaled = (factor: number) => {
  const { at, result } = point("packet", 3e6, { queue_mean: 6e4, utilisation: 0.98, throughput: 4e9, fct_mean: 0.2 });
  return {
    at,
    result: {
      ...result,
      intervals: { queue_mean: [5e4, 7e4] as [number, number] },
      scaling: { factor, changes: [], kept: [], changed: [], notes: [] },
    },
  };
};

test("a queue of a scaled run is told as the one that waits as long at the full rate", () => {
  const { at, result } = atFullSize(scaled(25));
  expect(at["switch.buffer"]).toBe(3e6);
  // 60 kB at 4 Gb/s and 1.5 MB at 100 Gb/s both take 120 µs.
  expect(result.metrics.queue_mean).toBe(1.5e6);
  expect(result.intervals.queue_mean).toEqual([1.25e6, 1.75e6]);
  expect(result.metrics.throughput).toBe(1e11);
  expect(result.metrics.utilisation).toBe(0.98);
  expect(result.metrics.fct_mean).toBe(0.2);
});

test("a run that was not scaled stays as it is", () => {
  const plain = point("packet", 3e6, { queue_mean: 6e4 });
  expect(atFullSize(plain)).toBe(plain);
  expect(atFullSize(scaled(1)).result.metrics.queue_mean).toBe(6e4);
});
