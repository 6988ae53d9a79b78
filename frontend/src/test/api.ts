import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";

import type { JsonObject } from "@/lib/path";
import { point } from "@/test/points";

const quantity = (unit: string, standard: number, more: JsonObject = {}): JsonObject => ({
  anyOf: [{ type: "number" }, { type: "string" }],
  default: standard,
  unit,
  description: `A ${unit}.`,
  ...more,
});
const kind = (
  name: string,
  title: string,
  properties: JsonObject = {},
  needed: JsonObject = {},
  required = Object.keys(needed),
): JsonObject => ({
  kind: name,
  title,
  summary: `${title}.`,
  sources: [],
  holds: "",
  departures: "",
  example: { kind: name, ...needed },
  schema: { type: "object", properties: { kind: { const: name }, ...properties }, required },
});

export const catalog = {
  version: "0",
  axes: [
    {
      axis: "topology",
      title: "Topology",
      planned: ["leaf_spine"],
      kinds: [
        kind("dumbbell", "Dumbbell", {
          bottleneck: quantity("bit/s", 1e9, { symbol: "C", exclusiveMinimum: 0 }),
          rtt: quantity("s", 0.02),
        }),
        kind(
          "star",
          "Star",
          { hosts: { type: "integer", minimum: 2, unit: "1" }, rtt: quantity("s", 8e-5) },
          { hosts: 2 },
        ),
      ],
    },
    {
      axis: "sharing",
      title: "Sharing",
      planned: [],
      kinds: [
        kind("complete", "Complete sharing"),
        kind("dynamic_threshold", "Dynamic threshold", {
          alpha: { type: "number", default: 1, unit: "1", symbol: "α" },
        }),
      ],
    },
    {
      axis: "traffic",
      title: "Traffic",
      planned: [],
      kinds: [
        kind(
          "long_lived",
          "Long-lived flows",
          {
            flows: { type: "integer", minimum: 1, unit: "1", symbol: "n" },
            start: quantity("s", 0, { advanced: true }),
          },
          { flows: 10 },
        ),
        kind(
          "poisson",
          "Poisson arrivals",
          {
            load: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, unit: "1" },
            sizes: { oneOf: [] },
          },
          { load: 0.3, sizes: { kind: "fixed", size: "100 kB" } },
        ),
      ],
    },
    {
      axis: "sizes",
      title: "Flow sizes",
      planned: [],
      kinds: [
        kind("empirical", "Measured", { name: { type: "string", default: "web", unit: "1" } }),
        kind("fixed", "Fixed", { size: quantity("B", 1) }, { size: "100 kB" }),
      ],
    },
  ],
  engines: ["theory", "fluid", "packet"].map((engine) => ({ engine, title: engine })),
  metrics: {
    utilisation: { unit: "1", meaning: "" },
    drop_rate: { unit: "1", meaning: "" },
    queue_mean: { unit: "B", meaning: "" },
  },
  scenario: {
    type: "object",
    $defs: {
      Switch: {
        type: "object",
        properties: { buffer: quantity("B", 0), sharing: { oneOf: [] } },
        required: ["buffer"],
      },
    },
    properties: { topology: { oneOf: [] }, switch: { $ref: "#/$defs/Switch" }, traffic: { type: "array", items: {} } },
  },
} satisfies JsonObject;

const bdp = {
  name: "bdp",
  title: "Bandwidth-delay product",
  formula: "B = C·RTT/8",
  value: 2.5e6,
  unit: "B",
  source: "Villamizar and Song, CCR 1994",
  holds: "One flow.",
  valid: false,
  terms: [{ symbol: "C", meaning: "capacity", value: 1e9, unit: "bit/s" }],
};

export const preset = {
  id: "wan-bottleneck",
  title: "WAN bottleneck",
  question: "How small?",
  about: "",
  scenario: {
    topology: { kind: "dumbbell", bottleneck: "1 Gb/s", rtt: "20 ms" },
    switch: { buffer: "250 kB", sharing: { kind: "complete" } },
    traffic: [{ kind: "long_lived", flows: 50 }],
  },
  over: { "switch.buffer": "25kB:2.5MB:log9" },
};

const question = (number: number, more: JsonObject) => ({
  id: `question-${number}`,
  number,
  topic: "Buffer size",
  question: `Question ${number}?`,
  why: "",
  view: "",
  values: {},
  link: "",
  command: "",
  source: "",
  answerable: true,
  missing: "",
  ...more,
});

export const questions = [
  question(14, {
    view: "buffer",
    values: { preset: "wan-bottleneck", panel: "values" },
    link: "/buffer?preset=wan-bottleneck&panel=values",
  }),
  question(13, { id: "voq-limit", view: "voq", values: { line_cards: 3 }, link: "/voq?line_cards=3" }),
  question(12, { answerable: false, missing: "Bursts are missing." }),
];

const sizeAnswer = {
  feasible: true,
  path: "switch.buffer",
  value: 1.7e6,
  interval: [1.68e6, 1.7e6],
  binding: "utilisation>=0.99",
  spent_s: 0,
  engine: "theory",
  reason: "",
  notes: [],
  tried: [],
};

/** A finished search by packets. */
export const sizeJob = {
  id: "f00d",
  status: "done",
  progress: 1,
  seconds_left: null,
  error: null,
  result: { ...sizeAnswer, engine: "packet", value: 1.66e6, interval: [1.64e6, 1.684e6], binding: "drop_rate<=0.001" },
};

type Asked = { scenario: JsonObject; over?: JsonObject; engines: string[] };

/** Every request for estimates, for tests that look at what was asked. */
export const asked: Asked[] = [];

const answer = ({ engines, over }: Asked) =>
  engines.flatMap((engine) =>
    // Between the three sizes of every curve there is nothing to be found.
    Array.isArray(over?.["switch.buffer"]) && over["switch.buffer"].length < 9
      ? []
      : over === undefined
        ? [{ ...point(engine, 0, { utilisation: 0.95, drop_rate: 0.003 }), at: {} }].map(({ at, result }) => ({
            at,
            result: {
              ...result,
              notes: [`${engine} leaves something out.`],
              explanations: engine === "theory" ? [bdp] : [],
            },
          }))
        : [25e3, 250e3, 2.5e6].map((size, i) =>
            point(engine, size, {
              utilisation: [0.8, 0.95, 1][i] ?? 0,
              drop_rate: [0.01, 0.003, 0.0005][i] ?? 0,
              queue_mean: size / 2,
            }),
          ),
  );

export const server = setupServer(
  http.get("*/api/v1/questions", () => HttpResponse.json({ questions })),
  http.post("*/api/v1/voq", async ({ request }) => {
    const { line_cards: cards = 4 } = (await request.json()) as { line_cards?: number };
    return HttpResponse.json({
      limit: 6e8 / cards,
      packets: 4e5 / cards,
      memory: 6e8,
      delay: null,
      explanations: [{ ...bdp, name: "voq_limit", title: "Limit of one queue" }],
    });
  }),
  http.get("*/api/v1/catalog", () => HttpResponse.json(catalog)),
  http.get("*/api/v1/presets", () =>
    HttpResponse.json({ presets: [{ id: preset.id, title: preset.title, question: preset.question }] }),
  ),
  http.get("*/api/v1/presets/:id", () => HttpResponse.json(preset)),
  http.get("*/api/v1/health", () => HttpResponse.json({ status: "ok", version: "0", database: "ok", engine: "warm" })),
  http.post("*/api/v1/studies/cost", () =>
    HttpResponse.json({
      points: 9,
      runs: 9,
      packet_hops: 1e6,
      parts: 1,
      cpu_seconds: 80,
      seconds: 40,
      memory: 1e6,
      workers: 2,
    }),
  ),
  http.post("*/api/v1/size", async ({ request }) => {
    const { engine } = (await request.json()) as { engine: string };
    return engine === "packet"
      ? HttpResponse.json({ ...sizeJob, status: "queued", progress: 0, result: null }, { status: 202 })
      : HttpResponse.json(sizeAnswer);
  }),
  http.post("*/api/v1/size/cost", () =>
    HttpResponse.json({
      points: 28,
      runs: 28,
      packet_hops: 1e6,
      parts: 1,
      cpu_seconds: 80,
      seconds: 40,
      memory: 1e6,
      workers: 2,
    }),
  ),
  http.get("*/api/v1/size/:id", () => HttpResponse.json(sizeJob)),
  http.delete("*/api/v1/size/:id/run", () =>
    HttpResponse.json({ ...sizeJob, status: "cancelled", result: null }, { status: 202 }),
  ),
  http.post("*/api/v1/estimates", async ({ request }) => {
    const body = (await request.json()) as Asked;
    asked.push(body);
    return HttpResponse.json({
      points: answer(body),
      unsupported: [],
      derived: {
        buffer: 250e3,
        buffer_packets: 500 / 3,
        capacity: 1e9,
        rtt: 0.02,
        bdp: 2.5e6,
        drain_time: 0.002,
        flows: 50,
      },
    });
  }),
);
