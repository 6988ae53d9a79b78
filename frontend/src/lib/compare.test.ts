import { expect, test } from "vitest";

import { decodeComparison, difference, encodeComparison, ignoredInComparison } from "@/lib/compare";

test("a comparison survives the way through a query string", () => {
  const state = {
    slots: [{ preset: "wan-bottleneck" }, { scenario: { topology: { rtt: "40 ms" }, traffic: [{ flows: 8 }] } }],
    metric: "drop_rate",
    engine: "packet",
  };
  expect(decodeComparison(encodeComparison(state))).toEqual(state);
  expect(decodeComparison("")).toEqual({ slots: [], metric: "utilisation", engine: "fluid" });
  expect(ignoredInComparison("a=wan-bottleneck&metric=colour&d=x")).toEqual([
    "metric=colour (one of utilisation, drop_rate, queue_mean, queue_p99)",
    "d (no such field)",
  ]);
});

test("a difference has a size, a share and a verdict", () => {
  expect(difference("utilisation", "1", { value: 0.9 }, { value: 0.99 })).toEqual({
    absolute: "+9.00 points",
    relative: "+10.0 %",
    verdict: "better",
  });
  expect(difference("drop_rate", "1", { value: 0.001 }, { value: 0.002 })).toEqual({
    absolute: "+0.100 points",
    relative: "+100 %",
    verdict: "worse",
  });
  expect(difference("queue_mean", "B", { value: 200e3 }, { value: 50e3 })).toEqual({
    absolute: "−150 kB",
    relative: "−75.0 %",
    verdict: "better",
  });
  expect(difference("drop_rate", "1", { value: 0 }, { value: 0.01 })).toMatchObject({
    relative: "–",
    verdict: "worse",
  });
});

test("what lies within the intervals is no difference", () => {
  expect(
    difference("utilisation", "1", { value: 0.9, interval: [0.85, 0.95] }, { value: 0.94, interval: [0.9, 0.98] })
      .verdict,
  ).toBe("same");
  expect(difference("utilisation", "1", { value: 0.9 }, { value: 0.9001 }).verdict).toBe("same");
});
