import { expect, test } from "vitest";

import { csv } from "@/lib/csv";
import { choices, columnsOf, defaultChoice, quantityOf } from "@/lib/metrics";
import { smallest, type Objective } from "@/lib/objectives";
import { nearest, series } from "@/lib/points";
import { rulesOf } from "@/lib/rules";
import { curl, python } from "@/lib/snippets";
import { formatSweep, parseSweep } from "@/lib/sweep";
import { point } from "@/test/points";

const objectives: Objective[] = [
  { metric: "utilisation", op: ">=", value: 0.99 },
  { metric: "drop_rate", op: "<=", value: 0.001 },
];
const points = [
  point("fluid", 300, { utilisation: 1, drop_rate: 0.0005 }),
  point("fluid", 100, { utilisation: 0.9, drop_rate: 0.0005 }),
  point("fluid", 200, { utilisation: 0.995, drop_rate: 0.0005 }),
  point("packet", 200, { utilisation: 1, drop_rate: 0 }, { drop_rate: [0, 0.002] }),
  point("theory", 100, { utilisation: 0.5 }),
];

test("the smallest buffer is the first that meets everything, with what stops a smaller one", () => {
  expect(smallest(points, "fluid", objectives)).toMatchObject({
    buffer: 200,
    below: 100,
    binding: [objectives[0]],
    certain: true,
    reopens: false,
  });
});

test("an interval across the bound is not certain", () => {
  expect(smallest(points, "packet", objectives)).toMatchObject({ buffer: 200, certain: false });
});

test("no buffer, and an objective the engine does not answer", () => {
  const answer = smallest(points, "theory", objectives);
  expect(answer.buffer).toBeUndefined();
  expect(answer).toMatchObject({ binding: [objectives[0]], unanswered: ["drop_rate"] });
});

test("a larger size that fails again is told", () => {
  const more = [...points, point("fluid", 400, { utilisation: 0.5, drop_rate: 0 })];
  expect(smallest(more, "fluid", objectives).reopens).toBe(true);
});

test("series are in order and scaled; the nearest point is so by ratio", () => {
  expect(series(points, "fluid", "utilisation", 2).map(({ y }) => y)).toEqual([1.8, 1.99, 2]);
  expect(nearest(points, "fluid", 140)?.at["switch.buffer"]).toBe(100);
  expect(nearest(points, "fluid", 145)?.at["switch.buffer"]).toBe(200);
});

test("the third plot shows completion times of flows, else of one more transfer, else delay", () => {
  const metrics = { queue_mean: { unit: "B", meaning: "" }, fct_mean: { unit: "s", meaning: "" } };
  const queue = [point("fluid", 1, { queue_mean: 5 })];
  expect(defaultChoice(choices(queue, metrics, { capacity: 8 }))).toBe("delay");
  expect(defaultChoice(choices(queue, metrics, {}))).toBe("queue_mean");
  expect(defaultChoice(choices([...queue, point("packet", 1, { fct_mean: 1 })], metrics, { capacity: 8 }))).toBe(
    "fct_mean",
  );
  const one = point("fluid", 1, { queue_mean: 5, transfer_p50: 1, transfer_p99: 2 });
  const known = { ...metrics, transfer_p50: { unit: "s", meaning: "" }, transfer_p99: { unit: "s", meaning: "" } };
  expect(choices([one], known, { capacity: 8 })).toEqual(["transfer", "delay", "queue_mean"]);
  expect(defaultChoice(choices([one], known, { capacity: 8 }))).toBe("transfer");
  const transfer = quantityOf("transfer", known, {});
  expect((transfer === undefined ? [] : columnsOf(transfer)).map(({ metric }) => metric)).toEqual([
    "transfer_p50",
    "transfer_p99",
  ]);
  expect(quantityOf("delay", metrics, { capacity: 1e9 })).toMatchObject({
    metric: "queue_mean",
    scale: 8e-9,
    unit: "s",
  });
});

test("rules are theory's sizes that explain no metric", () => {
  const explain = (name: string, value: number, unit = "B") => ({
    name,
    title: name,
    formula: "",
    terms: [],
    value,
    unit,
    source: "",
    holds: "",
    valid: true,
  });
  const result = {
    ...point("theory", 1, {}).result,
    explanations: [explain("bdp", 9), explain("queue_mean", 3), explain("tiny", 5), explain("x", 1, "s")],
  };
  expect(rulesOf([result], { queue_mean: {} }).map(({ explanation }) => explanation.name)).toEqual(["tiny", "bdp"]);
});

test("CSV has one row per size and engine, and interval columns where there are any", () => {
  const lines = csv(points, {}).trim().split("\n");
  expect(lines[0]).toBe("switch.buffer [B],engine,drop_rate,drop_rate_low,drop_rate_high,utilisation");
  expect(lines[1]).toBe("100,theory,,,,0.5");
  expect(lines).toContain("200,packet,0,0,0.002,1");
});

test("CSV names the metrics outside their validity", () => {
  const first = point("fluid", 100, { utilisation: 0.5, drop_rate: 0.1 });
  const outside = { ...first, result: { ...first.result, outside_validity: { drop_rate: "why", queue_mean: "why" } } };
  const lines = csv([outside, point("fluid", 200, { utilisation: 1, drop_rate: 0 })], {
    drop_rate: { unit: "1" },
    utilisation: { unit: "B" },
  })
    .trim()
    .split("\n");
  expect(lines[0]).toBe("switch.buffer [B],engine,drop_rate,utilisation [B],outside_validity");
  expect(lines.slice(1)).toEqual(["100,fluid,0.1,0.5,drop_rate queue_mean", "200,fluid,0,1,"]);
});

test("sweeps", () => {
  expect(parseSweep("25kB:2.5MB:log41", {})).toEqual({ low: 25e3, high: 2.5e6, points: 41 });
  expect(formatSweep({ low: 25e3, high: 2.5e6, points: 9 })).toBe("25kB:2.5MB:log9");
  expect(parseSweep("2MB:1MB:log9", {})).toBeNull();
  expect(parseSweep("1MB:2MB:lin9", {})).toBeNull();
  expect(parseSweep("0.1,x", {})).toBeNull();
});

test("a list of sizes is swept as it stands, packets at the scenario's MTU", () => {
  const list = parseSweep(["400 packets", "40 packets", "1 MB"], { run: { mtu: "1000 B" } });
  expect(list).toMatchObject({ low: 40e3, high: 1e6, points: 3 });
  expect(list === null ? "" : formatSweep(list)).toBe("400 packets,40 packets,1 MB");
  expect(list === null ? "" : formatSweep(list, 9)).toBe("40kB:1MB:log9");
});

const question = {
  scenario: { run: { pacing: true, mss: null } },
  over: { "switch.buffer": "1kB:2kB:log3" },
  engines: ["theory"],
  replicas: 1,
};

test("Python is what the package takes", () => {
  expect(python(question)).toBe(
    [
      "import footroom as fr",
      "",
      'scenario = {"run": {"pacing": True, "mss": None}}',
      'study = fr.sweep(scenario, over={"switch.buffer": "1kB:2kB:log3"}, engines=["theory"])',
      "print(study.to_frame())",
      "",
    ].join("\n"),
  );
});

test("curl asks for estimates when it can, for a study otherwise, and quotes for the shell", () => {
  expect(curl(question, "http://x")).toContain("http://x/api/v1/estimates");
  const study = curl({ ...question, scenario: { name: "it's" }, engines: ["packet"] }, "http://x");
  expect(study).toContain("/api/v1/studies");
  expect(study).toContain("it'\\''s");
});
