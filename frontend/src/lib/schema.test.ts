import { expect, test } from "vitest";

import { fresh, kindOf, exampleOf, type Axis } from "@/lib/component";
import type { JsonObject } from "@/lib/path";
import {
  aboutField,
  absentWord,
  choiceLabel,
  fieldsOf,
  label,
  namesOf,
  outside,
  pick,
  profiled,
  withDefaults,
} from "@/lib/schema";
import { readValue, showValue, stepValue, unitOf, withoutOldUnit } from "@/lib/values";
import type { Kind } from "@/lib/component";
import { part } from "@/test/part";

const schema: JsonObject = {
  $defs: {
    Host: {
      type: "object",
      properties: { min_rto: { anyOf: [{ type: "number" }, { type: "string" }], default: 0.2, unit: "s" } },
    },
  },
  properties: {
    kind: { const: "dumbbell" },
    bottleneck: {
      anyOf: [{ type: "number" }, { type: "string" }],
      default: 1e9,
      exclusiveMinimum: 0,
      unit: "bit/s",
      symbol: "C",
      description: "Rate.",
    },
    pairs: {
      anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "null" }],
      default: null,
      unit: "1",
      advanced: true,
    },
    window: {
      anyOf: [{ anyOf: [{ type: "number" }, { type: "string" }], gt: 0 }, { type: "null" }],
      default: null,
      unit: "B",
    },
    load: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, unit: "1" },
    flows: { type: "integer", minimum: 1, unit: "1" },
    recovery: { enum: ["sack", "prr"], default: "prr", type: "string" },
    pacing: { type: "boolean", default: false },
    hosts: { type: "array", items: { type: "string" } },
    host: { $ref: "#/$defs/Host", description: "Stack." },
    sharing: { oneOf: [] },
  },
  required: ["load", "flows"],
};
const axes = new Set(["sharing"]);
const fields = fieldsOf(schema, schema, axes);
const field = (name: string) => {
  const found = fields.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the schema has no ${name}`);
  return found;
};

test("every kind of property becomes its kind of field; the kind itself is none", () => {
  expect(Object.fromEntries(fields.map(({ name, type }) => [name, type]))).toEqual({
    bottleneck: "quantity",
    pairs: "integer",
    window: "quantity",
    load: "number",
    flows: "integer",
    recovery: "choice",
    pacing: "boolean",
    hosts: "json",
    host: "group",
    sharing: "component",
  });
});

test("a field knows its unit, symbol, bounds and what stands in for it", () => {
  expect(field("bottleneck")).toMatchObject({
    unit: "bit/s",
    symbol: "C",
    default: 1e9,
    bounds: { gt: 0 },
    nullable: false,
    required: false,
  });
  expect(field("pairs")).toMatchObject({ advanced: true, nullable: true, bounds: { ge: 1, le: 9 } });
  expect(field("window")).toMatchObject({ nullable: true, bounds: { gt: 0 } });
  expect(field("host").schema).toHaveProperty("properties.min_rto");
});

test("a field may be picked from an axis of another name", () => {
  const incast: JsonObject = { properties: { size: { oneOf: [], axis: "sharing" } } };
  expect(fieldsOf(incast, incast, axes)[0]).toMatchObject({ name: "size", type: "component", axis: "sharing" });
});

test("labels write acronyms as people do", () => {
  expect(label("min_rto")).toBe("Min RTO");
  expect(label("rtt_spread")).toBe("RTT spread");
});

test("bounds are told apart from values", () => {
  expect(outside(0, { gt: 0 }, String)).toBe("must be above 0");
  expect(outside(1, { gt: 0, le: 1 }, String)).toBeUndefined();
});

test("text becomes a value, a default or a reason", () => {
  expect(readValue(field("bottleneck"), "10 Gb/s")).toEqual({ value: "10 Gb/s" });
  expect(readValue(field("bottleneck"), "1e9")).toHaveProperty("error", "add a unit: 100 Gb/s or 100G");
  expect(readValue(field("bottleneck"), "200", "Gb/s")).toEqual({ value: "200 Gb/s" });
  expect(readValue(field("bottleneck"), "")).toEqual({ value: undefined });
  expect(readValue(field("bottleneck"), " Gb/s", "Gb/s")).toEqual({ value: undefined });
  expect(readValue(field("bottleneck"), "0")).toHaveProperty("error");
  expect(readValue(field("flows"), "2.5")).toHaveProperty("error", "a whole number is expected here");
  expect(readValue(field("flows"), "")).toHaveProperty("error", "enter the Flows");
  expect(showValue(field("bottleneck"), 4e10)).toBe("40 Gb/s");
});

test("a unit typed over the number replaces the old one", () => {
  const after = (text: string) => withoutOldUnit(field("bottleneck"), text, "1 Gb/s");
  expect(after("40 Mb/s Gb/s")).toBe("40 Mb/s");
  expect(after("40 k Gb/s")).toBe("40 k");
  expect(after("40 Gb/s")).toBe("40 Gb/s");
  expect(after("4e Gb/s")).toBe("4e Gb/s");
  expect(withoutOldUnit(field("window"), "50 kB", "50 B")).toBe("50 kB");
  expect(withoutOldUnit(field("bottleneck"), "40 MG", "100G")).toBe("40 M");
  expect([unitOf("20 ms"), unitOf("100G"), unitOf("1e3"), unitOf("1e3 B"), unitOf("250 packets")]).toEqual([
    "ms",
    "G",
    "",
    "B",
    "packets",
  ]);
});

test("arrow keys step along 1, 2, 5 and stop at the bounds", () => {
  expect(stepValue(field("bottleneck"), "1 Gb/s", 1)).toBe("2 Gb/s");
  expect(stepValue(field("bottleneck"), "30 Gb/s", -1)).toBe("20 Gb/s");
  expect(stepValue(field("flows"), "50", 1)).toBe("51");
  expect(stepValue(field("flows"), "1", -1)).toBeUndefined();
});

test("a fresh component carries over what both kinds know and fills what is required", () => {
  const kind = part<Kind>({
    kind: "dumbbell",
    title: "",
    summary: "",
    sources: [],
    holds: "",
    departures: "",
    schema,
    example: { kind: "dumbbell", load: 0.3, flows: 10 },
  });
  const from = (previous: JsonObject | undefined, example?: JsonObject) => fresh(kind, axes, previous, example);
  expect(from({ kind: "star", bottleneck: "5G", gone: 1 })).toEqual({
    kind: "dumbbell",
    bottleneck: "5G",
    load: 0.3,
    flows: 10,
  });
  // The other kind calls something else by the same name, or allows more.
  expect(
    from({ flows: [{ time: 0 }], load: 2, bottleneck: "5 s", pairs: null, recovery: "other", hosts: "h0" }),
  ).toEqual({
    kind: "dumbbell",
    load: 0.3,
    flows: 10,
    pairs: null,
  });
  expect(from(undefined, { kind: "dumbbell", flows: 7 })).toEqual({ kind: "dumbbell", flows: 7 });
});

test("kinds and examples are found in a document", () => {
  const axis: Axis = { axis: "sharing", title: "", planned: [], kinds: [] };
  expect(kindOf({ kind: "static" }, axis)).toBe("static");
  expect(kindOf("websearch_dctcp", axis)).toBe("empirical");
  expect(kindOf("100 kB", axis)).toBe("fixed");
  const document = { traffic: [{ kind: "poisson", load: 0.3 }], switch: { sharing: { kind: "static" } } };
  expect(exampleOf([document], "traffic", "poisson")).toEqual({ kind: "poisson", load: 0.3 });
  expect(exampleOf([document], "sharing", "complete")).toBeUndefined();
});

test("a list that may be written as text is", () => {
  const ports: JsonObject = {
    properties: { ports: { anyOf: [{ type: "string" }, { type: "array", items: {} }], default: [] } },
  };
  expect(fieldsOf(ports, ports, new Set())[0]?.type).toBe("text");
});

test("fields are picked in the order asked for, and defaults can be what stands in for them", () => {
  expect(namesOf(pick(schema, ["load", "no such", "bottleneck"]))).toEqual(["load", "bottleneck"]);
  const filled = withDefaults(schema, { bottleneck: 4e9, elsewhere: 1 });
  expect(fieldsOf(filled, filled, axes).find(({ name }) => name === "bottleneck")?.default).toBe(4e9);
  expect(namesOf(filled)).toEqual(namesOf(schema));
});

test("a profile's values stand where the defaults did, as long as it is chosen", () => {
  const host = {
    properties: {
      profile: { enum: ["linux"] },
      quick_acks: { type: "integer", default: 0 },
      burst: { type: "integer", default: 1 },
    },
    profiles: [{ id: "linux", values: { quick_acks: 16 } }],
  };
  const defaults = (value: JsonObject) => fieldsOf(profiled(host, value), {}, new Set()).map((field) => field.default);
  expect(defaults({ profile: "linux" })).toEqual([undefined, 16, 1]);
  expect(defaults({})).toEqual([undefined, 0, 1]);
});

test("a share is written as a percentage, and read as one or as a fraction", () => {
  const [load] = fieldsOf(
    { properties: { load: { type: "number", exclusiveMinimum: 0, maximum: 1, unit: "1" } } },
    {},
    new Set(),
  );
  if (load === undefined) throw new Error("no field");
  expect(showValue(load, 0.4)).toBe("40 %");
  expect(readValue(load, "30 %")).toEqual({ value: 0.3 });
  expect(readValue(load, "0.3")).toEqual({ value: 0.3 });
  expect(readValue(load, "90")).toEqual({ value: 0.9 });
  expect(readValue(load, "130 %")).toEqual({ error: "must be at most 100 %" });
  expect(readValue(load, "many %")).toHaveProperty("error");
});

test("an empty field says whether its value follows from others or there is none", () => {
  const follows = { description: "Rate of these links; none means the rate of the bottleneck." };
  expect(absentWord(follows)).toBe("automatic");
  expect(aboutField(follows)).toBe("Rate of these links; automatic means the rate of the bottleneck.");
  const off = { description: "Share given to probes; none runs no probes." };
  expect(absentWord(off)).toBe("none");
  expect(aboutField(off)).toBe(off.description);
});

test("choices are written in words", () => {
  expect(["both_tors", "other_racks", "cubic"].map(choiceLabel)).toEqual(["both ToRs", "other racks", "CUBIC"]);
});
