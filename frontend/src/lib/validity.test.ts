import { expect, test } from "vitest";

import { buildFigure, nothingDrawn } from "@/lib/figure";
import { geometryOf } from "@/lib/geometry";
import { quantityOf } from "@/lib/metrics";
import { smallest, type Objective } from "@/lib/objectives";
import { palettes } from "@/lib/palette";
import { fadedStretches, series, type Point } from "@/lib/points";
import { FADED, traces } from "@/lib/traces";
import { point } from "@/test/points";

const busy: Objective = { metric: "utilisation", op: ">=", value: 0.99 };
const drops: Objective = { metric: "drop_rate", op: "<=", value: 0.001 };

function outside(size: number, metrics: Record<string, number>, reason: Record<string, string>): Point {
  const found = point("fluid", size, metrics);
  return { ...found, result: { ...found.result, outside_validity: reason } };
}

const few = { utilisation: "too few packets fit" };
const points = [
  outside(100, { utilisation: 1, drop_rate: 0 }, few),
  outside(200, { utilisation: 1, drop_rate: 0 }, few),
  point("fluid", 300, { utilisation: 0.9, drop_rate: 0 }),
  point("fluid", 400, { utilisation: 1, drop_rate: 0 }),
];

test("a number outside the model's validity never counts as enough, and the sizes passed over are named", () => {
  expect(smallest(points, "fluid", [busy])).toMatchObject({
    buffer: 400,
    below: 300,
    passedOver: { upTo: 200, reason: "too few packets fit" },
  });
  const alone = smallest(points.slice(0, 2), "fluid", [busy]);
  expect(alone.buffer).toBeUndefined();
  expect(alone.passedOver?.upTo).toBe(200);
});

test("validity is a matter of the metric that is asked for", () => {
  expect(smallest(points, "fluid", [drops])).toMatchObject({ buffer: 100 });
  expect(smallest(points, "fluid", [drops]).passedOver).toBeUndefined();
});

test("the stretch of a curve outside validity fades, and joins the rest", () => {
  const place = { yaxis: "y", log: false, floor: 0 };
  const [whole, faded] = traces(series(points, "fluid", "utilisation"), "fluid", place, {
    colour: "",
    band: "",
    paper: "",
  }) as { y: unknown[]; opacity?: number }[];
  expect(whole?.y).toEqual([null, null, 0.9, 1]);
  expect(faded).toMatchObject({ y: [1, 1, 0.9, null], opacity: FADED });
});

test("packet points outside validity fade one by one, joined by a line with intervals", () => {
  const place = { yaxis: "y", log: true, floor: 0.01 };
  const samples = [
    { x: 1, y: 0.1, low: 0, high: 0.3, outside: true },
    { x: 2, y: 0.2, low: 0.1, high: 0.3 },
  ];
  const joined = (
    traces(samples, "packet", place, { colour: "", band: "", paper: "" }) as {
      mode: string;
      marker?: { opacity: number[] };
      error_y?: { array: number[]; arrayminus: number[] };
    }[]
  ).find(({ mode }) => mode === "lines+markers");
  expect(joined?.marker?.opacity).toEqual([FADED, 1]);
  expect(joined?.error_y?.array[0]).toBeCloseTo(0.2);
  // A logarithmic axis ends above 0, and so does the bar.
  expect(joined?.error_y?.arrayminus[0]).toBeCloseTo(0.09);
});

test("a plot without anything to draw says why, with the bound", () => {
  const quantity = quantityOf("drop_rate", {}, {});
  if (quantity === undefined) throw new Error("no quantity");
  expect(
    nothingDrawn(
      [
        { x: 1, y: 0, low: 0, high: 0.0003 },
        { x: 2, y: 0 },
      ],
      quantity,
    ),
  ).toBe("0 drops at every size (below 0.0300 %)");
  expect(nothingDrawn([{ x: 1, y: 0 }], quantity)).toBe("0 drops at every size");
  expect(nothingDrawn([{ x: 1, y: 0.1 }], quantity)).toBeUndefined();
  const figure = buildFigure({
    points: [point("packet", 100, { drop_rate: 0 })],
    pinned: [],
    engines: ["packet"],
    quantities: [quantity],
    objectives: [],
    markers: [],
    derived: {},
    range: [50, 200],
    geometry: geometryOf(800, 700),
    palette: palettes.light,
    late: [],
    print: false,
  });
  const texts = (figure.layout.annotations ?? []).map(({ text }) => text);
  expect(texts).toContain("0 drops at every size");
  expect(texts).toContain("Buffer");
});

test("a stretch is that of the metrics it holds for, each with its own sizes", () => {
  const outside = [
    { utilisation: "in step", drop_rate: "in step", queue_mean: "few packets" },
    { queue_mean: "few packets" },
    {},
  ];
  const found = [100, 200, 400].map((size, i) => {
    const one = point("fluid", size, { utilisation: 1, drop_rate: 0, queue_mean: 1 });
    return { ...one, result: { ...one.result, outside_validity: outside[i] ?? {} } };
  });
  expect(fadedStretches(found, "fluid", ["drop_rate", "utilisation", "queue_mean"])).toEqual([
    { engine: "fluid", metrics: ["queue_mean"], from: 100, upTo: 200, reason: "few packets" },
    { engine: "fluid", metrics: ["drop_rate", "utilisation"], from: 100, upTo: 100, reason: "in step" },
  ]);
  // What no plot shows is faded nowhere.
  expect(fadedStretches(found, "fluid", ["fct_mean"])).toEqual([]);
});

test("the faded stretch is named with its reason", () => {
  expect(fadedStretches(points, "fluid", ["utilisation"])).toEqual([
    { engine: "fluid", metrics: ["utilisation"], from: 100, upTo: 200, reason: "too few packets fit" },
  ]);
  expect(fadedStretches(points, "theory", ["utilisation"])).toEqual([]);
});
