import { expect, test } from "vitest";

import { fieldsOf, type Field } from "@/lib/schema";
import { readValue, showValue, stepValue } from "@/lib/values";

const schema = {
  properties: {
    lossless: {
      anyOf: [{ type: "array", items: { type: "integer", minimum: 0, maximum: 7 } }, { type: "null" }],
      default: null,
    },
    priority: {
      anyOf: [
        { type: "integer", minimum: 0, maximum: 7 },
        { type: "string", const: "any_lossless" },
      ],
      default: 0,
    },
  },
};
const [lossless, priority] = fieldsOf(schema, schema, new Set()) as [Field, Field];

test("a list of classes is written with commas", () => {
  expect([lossless.type, showValue(lossless, [3, 4])]).toEqual(["integers", "3, 4"]);
  expect(readValue(lossless, "3, 4")).toEqual({ value: [3, 4] });
  expect(readValue(lossless, "")).toEqual({ value: undefined });
  expect(readValue(lossless, "3; x")).toHaveProperty("error");
  expect(stepValue(lossless, "3", 1)).toBeUndefined();
});

test("a class may be a word instead of a number", () => {
  expect([priority.type, priority.words]).toEqual(["integer", ["any_lossless"]]);
  expect(readValue(priority, "any_lossless")).toEqual({ value: "any_lossless" });
  expect(readValue(priority, "3")).toEqual({ value: 3 });
  expect(readValue(priority, "any")).toHaveProperty("error");
});
