import { expect, test } from "vitest";

import { joinedValue, type Column } from "@/lib/columns";

const column = (more: Partial<Column> = {}): Column => ({ title: "c", unit: "B", values: [1, 9, null, 2, 7], ...more });

test("joined rows keep peaks and sums, and say nothing where there is nothing", () => {
  expect(joinedValue(column({ join: "most" }), 0, 3)).toBe(9);
  expect(joinedValue(column({ join: "least" }), 1, 4)).toBe(2);
  expect(joinedValue(column({ join: "sum" }), 0, 5)).toBe(19);
  expect(joinedValue(column(), 0, 2)).toBe(9);
  expect(joinedValue(column(), 3, 9)).toBe(7);
  expect(joinedValue(column({ join: "most", values: [null, null] }), 0, 2)).toBeNull();
});
