import { expect, test } from "vitest";

import { shortest } from "@/answers/ShortQueue";
import type { Result } from "@/lib/points";
import { part } from "@/test/part";

const size = (upto: number, slowdown: number) => ({
  above: upto / 2,
  upto,
  count: 9,
  mean: 1,
  p50: 1,
  p99: 1,
  slowdown_p50: slowdown,
  slowdown_p99: slowdown,
});
const run = (queue: number, short: number, long: number): Result =>
  part<Result>({
    engine: "packet",
    scenario: {},
    metrics: { queue_p99: queue },
    intervals: {},
    notes: [],
    explanations: [],
    completions_by_size: [size(4000, short), size(2e6, long)],
  });

test("the control with the shorter queue is named, with what its longest transfers pay", () => {
  const found = shortest(run(337e3, 30, 4), run(42e3, 3, 6));
  expect(found?.value).toBe("42.0 kB");
  expect(found?.before).toBe("HPCC: its queues hold at most");
  expect(found?.after).toContain("for 99 % of the time, DCQCN's 337 kB");
  expect(found?.after).toContain(
    "a p99 slowdown of 3.0× (DCQCN 30×), the longest a median slowdown of 6.0× (DCQCN 4.0×)",
  );
  expect(shortest(run(10e3, 3, 6), run(42e3, 3, 6))?.before).toBe("DCQCN: its queues hold at most");
});

test("nothing is said before both runs are there", () => {
  expect(shortest(run(1, 1, 1), undefined)).toBeUndefined();
});
