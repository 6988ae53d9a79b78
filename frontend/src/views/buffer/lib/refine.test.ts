import { expect, test } from "vitest";

import { bends, spread } from "./refine";
import { point } from "@/test/points";

const sizes = spread(1e4, 1e6, 9);
const curve = (of: (size: number) => Record<string, number>) => sizes.map((size) => point("fluid", size, of(size)));

test("a flat line and a straight one need no further sizes", () => {
  expect(bends(curve(() => ({ utilisation: 0.97, drop_rate: 0.01 })))).toEqual([]);
  expect(bends(curve((size) => ({ utilisation: 0.1 * Math.log(size), drop_rate: 100 / size })))).toEqual([]);
});

test("a knee gets sizes on both sides of it, and nothing elsewhere", () => {
  const knee = sizes[4] ?? 0;
  const more = bends(curve((size) => ({ utilisation: Math.min(0.9, 0.9 + 0.1 * Math.log(size / knee)) })));
  expect(more).toHaveLength(2);
  expect(more[0]).toBeGreaterThan(sizes[3] ?? 0);
  expect(more[0]).toBeLessThan(knee);
  expect(more[1]).toBeGreaterThan(knee);
});

test("refined twice, a smooth bend is drawn within a hundredth of its height by fewer points than an even grid", () => {
  const law = (size: number) => size / (size + 5e4);
  const make = (list: number[]) => list.map((size) => point("fluid", size, { utilisation: law(size) }));
  const first = bends(make(sizes));
  const all = [...sizes, ...first, ...bends(make([...sizes, ...first]))].sort((a, b) => a - b);
  expect(all.length).toBeLessThan(30);
  for (const size of spread(1e4, 1e6, 200)) {
    const k = Math.max(
      1,
      all.findIndex((other) => other >= size),
    );
    const [from, to] = [all[k - 1] ?? 0, all[k] ?? 0];
    const share = Math.log(size / from) / Math.log(to / from);
    expect(Math.abs(law(from) + share * (law(to) - law(from)) - law(size))).toBeLessThan(0.01);
  }
});

test("where drops begin and where a model ceases to hold is looked at closely", () => {
  expect(bends(curve((size) => ({ drop_rate: size < 1e5 ? 0.01 : 0 })))).toHaveLength(1);
  const faded = curve(() => ({ utilisation: 0.9 }));
  faded.slice(0, 3).forEach(({ result }) => {
    result.outside_validity = { utilisation: "too small" };
  });
  expect(bends(faded)).toHaveLength(1);
});
