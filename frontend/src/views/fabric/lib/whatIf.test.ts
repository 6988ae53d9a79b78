import { expect, test } from "vitest";

import { differenceOf, nameOf, whatIfCsv } from "./whatIf";

const one = {
  group: "memory" as const,
  name: "headroom reserved",
  unit: "B",
  pairs: 5,
  a: 4000,
  b: 3000,
  difference: -1000,
  interval: [-1200, -800] as [number, number],
  relative: -0.25,
  verdict: "lower" as const,
};

test("a difference is given with its share and its interval", () => {
  expect(differenceOf(one)).toEqual({ value: "−1.00 kB (−25 %)", between: "−1.20 kB to −800 B" });
  expect(differenceOf({ ...one, relative: null, interval: null })).toEqual({ value: "−1.00 kB", between: "" });
  expect(differenceOf({ ...one, difference: 0, verdict: "same" })).toEqual({ value: "0", between: "" });
});

test("metrics have the page's names, others their own", () => {
  expect(nameOf(one)).toBe("headroom reserved");
  expect(nameOf({ ...one, group: "run", name: "utilisation" })).toBe("Utilisation");
});

test("the table has a row for each quantity", () => {
  expect(whatIfCsv([one])).toBe(
    "group,quantity,unit,pairs,a,b,difference,low,high,verdict\n" +
      'memory,"headroom reserved",B,5,4000,3000,-1000,-1200,-800,lower\n',
  );
});
