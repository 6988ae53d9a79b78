import { expect, test } from "vitest";

import { duration, grouped, percent, roughly, significant } from "@/lib/number";

test.each([
  [1234, "1230"],
  [0.01234, "0.0123"],
  [9.999, "10.0"],
  [1.5e-7, "1.50·10⁻⁷"],
  [2.5e8, "2.50·10⁸"],
  [0, "0"],
  [NaN, "–"],
])("%d has three significant digits: %s", (value, text) => {
  expect(significant(value)).toBe(text);
});

test("percentages", () => {
  expect(percent(1)).toBe("100 %");
  expect(percent(1 - 1e-11)).toBe("100 %");
  expect(percent(0.5)).toBe("50.0 %");
  expect(percent(0.999)).toBe("99.90 %");
  expect(percent(1e-6)).toBe("1.00·10⁻⁴ %");
});

test("waiting times and thousands", () => {
  expect(duration(0.3)).toBe("under 1 s");
  expect([roughly(0.3), roughly(3)]).toEqual(["under 1 s", "about 3 s"]);
  expect(duration(125)).toBe("2 min 5 s");
  expect(duration(3600)).toBe("1 h 0 min");
  expect(grouped(16667)).toBe("16\u202f667");
});
