import { describe, expect, test } from "vitest";

import { fieldText, formatMetric, formatQuantity, parseQuantity } from "@/lib/quantity";

describe("parseQuantity", () => {
  test.each([
    ["100 Gb/s", "bit/s", 100e9],
    ["100G", "bit/s", 100e9],
    ["2.5 MB", "B", 2.5e6],
    ["64 KiB", "B", 65536],
    ["80us", "s", 80e-6],
    ["300 µs", "s", 300e-6],
    ["2 km", "m", 2000],
    ["1e3", "B", 1000],
    [" 1500 ", "B", 1500],
  ] as const)("reads %s as %s", (text, unit, value) => {
    const parsed = parseQuantity(text, unit);
    expect("value" in parsed && parsed.value).toBeCloseTo(value, 15);
  });

  test.each([
    ["100 GB/s", "bit/s", "bytes per second"],
    ["100 Gb", "B", "is bits"],
    ["5 KB", "B", "write k for 1000"],
    ["5 ms", "B", "unit of time"],
    ["many", "B", "not a number"],
    ["5 B", "1", "plain number"],
  ] as const)("refuses %s for %s and says why", (text, unit, why) => {
    const parsed = parseQuantity(text, unit);
    expect("error" in parsed && parsed.error).toContain(why);
  });

  test("takes packets only where the MTU can turn them into bytes", () => {
    expect(parseQuantity("250 packets", "B", { packets: true })).toEqual({ value: 250, unit: "packet" });
    expect(parseQuantity("250 packets", "B")).toHaveProperty("error");
  });
});

test.each([
  [2.5e6, "B", "2.50 MB"],
  [999.9e3, "B", "1.00 MB"],
  [0.00153, "s", "1.53 ms"],
  [1e9, "bit/s", "1.00 Gb/s"],
  [0, "B", "0 B"],
  [1667, "packet", "1667 packets"],
])("%d %s is written %s", (value, unit, text) => {
  expect(formatQuantity(value, unit)).toBe(text);
});

test("a field shows the exact value", () => {
  expect(fieldText(1234567, "B")).toBe("1.234567 MB");
  expect(fieldText(1e9, "bit/s")).toBe("1 Gb/s");
  expect([1500, 9216, 65536, 64000, 16 * 2 ** 20].map((size) => fieldText(size, "B"))).toEqual([
    "1500 B",
    "9216 B",
    "64 KiB",
    "64 kB",
    "16 MiB",
  ]);
});

test("fractions close to one keep the digits of what is missing", () => {
  expect(formatMetric("utilisation", 0.99931, "1")).toBe("99.931 %");
  expect(formatMetric("drop_rate", 0, "1")).toBe("0 %");
  expect(formatMetric("drop_rate", 0, "1", 0)).toBe("0 %");
  expect(formatMetric("drop_rate", 0, "1", 0.0015)).toBe("< 0.150 %");
  expect(formatMetric("drop_rate", 0.00315, "1", 0.004)).toBe("0.315 %");
  expect(formatMetric("drop_rate", 0.00315, "1")).toBe("0.315 %");
});
