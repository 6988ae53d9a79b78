import { expect, test } from "vitest";

import { errorWords, expectedWords, type Expected } from "@/lib/expected";

const found: Expected = {
  case: "newreno, 12 flows, buffer 1 BDP, load 0.05",
  reason: "",
  errors: { utilisation: -0.5, drop_rate: 0.25, queue_mean: -0.05, queue_p99: 0.1 },
  date: "2026-11-23",
  command: "footroom papers run ENGINES",
};

test("errors are points, ratios and shares of the buffer, with their sign", () => {
  expect(errorWords("points", -0.5)).toBe("−0.50 points");
  expect(errorWords("times", 0.25)).toBe("0.25 times");
  expect(errorWords("of the buffer", 0.123)).toBe("+12.3 % of the buffer");
});

test("an answer names the nearest case, and only what was measured there", () => {
  expect(expectedWords(found)).toBe(
    "utilisation −0.50 points, drop rate 0.25 times, mean queue −5.0 % of the buffer (measured at newreno, 12 flows, " +
      "buffer 1 BDP, load 0.05).",
  );
});

test("outside the grid it says why", () => {
  expect(expectedWords({ ...found, case: "", reason: "the grid has no HPCC", errors: {} })).toBe(
    "not measured near here: the grid has no HPCC.",
  );
});
