import { expect, test } from "vitest";

import { quantityOf } from "@/lib/metrics";
import { chartsText, sampled } from "@/lib/plotText";
import { point } from "@/test/points";

test("each curve is told by its ends, engines that are hidden are not", () => {
  const points = [25e3, 2.5e6].flatMap((size, i) =>
    ["theory", "fluid"].map((engine) => point(engine, size, { utilisation: [0.8, 1][i] ?? 0 })),
  );
  const { summary } = chartsText(
    points,
    ["fluid"],
    [{ id: "utilisation", title: "Utilisation", metric: "utilisation", unit: "1", scale: 1, log: false }],
  );
  expect(summary).toBe(
    "Plots against the buffer size. Utilisation by fluid: from 80.0 % at 25.0 kB to 100 % at 2.50 " +
      "MB. All values are in the tab Values.",
  );
});

test("a transfer is told by its median and its 99th percentile", () => {
  const transfer = quantityOf("transfer", {}, {});
  const { summary } = chartsText(
    [point("fluid", 25e3, { transfer_p50: 0.1, transfer_p99: 1 })],
    ["fluid"],
    transfer === undefined ? [] : [transfer],
  );
  expect(summary).toContain("Transfer p50 by fluid: 100 ms at 25.0 kB. Transfer p99 by fluid: 1.00 s at 25.0 kB.");
});

test("a long course is sampled with both of its ends", () => {
  const found = sampled(Array.from({ length: 1000 }, (_, i) => i));
  expect(found).toHaveLength(20);
  expect([found[0], found[19]]).toEqual([0, 999]);
  expect(sampled([1, 2])).toEqual([1, 2]);
});
