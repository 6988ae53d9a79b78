import { expect, test } from "vitest";

import { outside, rangeOf, shows, widened } from "@/lib/range";

const preset = { low: 25e3, high: 2.5e6, points: 9 };

test("the range goes with the product: ten times the rate, ten times the sizes", () => {
  const at = (product: number) => rangeOf({ product, flows: 50, rules: [], buffer: 250e3, packet: 1500 }, 9);
  expect(at(2.5e6)).toEqual({ low: 50e3, high: 5e6, points: 9 });
  expect(at(25e6)).toEqual({ low: 100e3, high: 50e6, points: 9 });
});

test.each([
  { product: 2.5e6, flows: 1, rules: [], buffer: 1e6 },
  { product: 125e3, flows: 10, rules: [12e3, 4e6], buffer: 30e3 },
  { product: 1.25e9, flows: 1e6, rules: [], buffer: 1e6 },
  { rules: [40e3], buffer: 3e3 },
  { rules: [], buffer: 64e3 },
])("product, rules and buffer are all inside", (marks) => {
  const found = rangeOf({ ...marks, packet: 1500 }, 9) ?? { low: 1, high: 0 };
  for (const size of [...(marks.product === undefined ? [] : [marks.product]), ...marks.rules, marks.buffer]) {
    expect(size).toBeGreaterThanOrEqual(found.low);
    expect(size).toBeLessThanOrEqual(found.high);
  }
  expect(found.low).toBeGreaterThanOrEqual(1500);
});

test("a buffer that is tried out inside the range leaves it as it is", () => {
  const at = (buffer: number) => rangeOf({ product: 2.5e6, flows: 50, rules: [], buffer, packet: 1500 }, 9);
  expect(at(100e3)).toEqual(at(4e6));
  expect(at(40e6)?.high).toBeGreaterThanOrEqual(40e6);
});

test("nothing known gives no range", () => {
  expect(rangeOf({ rules: [] }, 9)).toBeUndefined();
});

test("a preset's range serves while it shows the product and the buffer", () => {
  expect(shows(preset, { product: 2.5e6, rules: [], buffer: 250e3 })).toBe(true);
  expect(shows(preset, { product: 25e6, rules: [] })).toBe(false);
  expect(shows(preset, { product: 25e3, rules: [] })).toBe(false);
  expect(shows(preset, { product: 1e6, rules: [], buffer: 5e6 })).toBe(false);
});

test("what lies outside is named, the farthest first, and can be taken in", () => {
  const found = outside(preset, [
    { name: "product", value: 25e6 },
    { name: "buffer", value: 1e3 },
    { name: "answer", value: 2.5e6 },
  ]);
  expect(found.map(({ name }) => name)).toEqual(["buffer", "product"]);
  expect(widened(preset, 25e6)).toEqual({ low: 25e3, high: 25e6, points: 9 });
  expect(widened(preset, 1234)).toEqual({ low: 1230, high: 2.5e6, points: 9 });
  expect(widened(preset, 33_333_333).high).toBe(33.4e6);
});

test("with headroom the range begins above what is kept, and has room", () => {
  expect(rangeOf({ rules: [], product: 75e3, buffer: 16e6, packet: 1500, kept: 2.8e6 }, 9)).toEqual({
    low: 5e6,
    high: 5e7,
    points: 9,
  });
  expect(shows({ low: 2e6, high: 1e7, points: 3 }, { rules: [], kept: 2.8e6 })).toBe(false);
});
