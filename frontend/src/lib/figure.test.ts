import { expect, test } from "vitest";

import { buildFigure, type FigureInput } from "@/lib/figure";
import { geometryOf, stagger, xPixel, xValue } from "@/lib/geometry";
import { quantityOf } from "@/lib/metrics";
import { palettes } from "@/lib/palette";
import { logRange, logTicks } from "@/lib/ticks";
import { traces } from "@/lib/traces";
import { point } from "@/test/points";

const geometry = geometryOf(800, 700);
const derived = { capacity: 1e9, mtu: 1500 };
const quantities = ["drop_rate", "utilisation", "delay"]
  .map((id) => quantityOf(id, {}, derived))
  .filter((quantity) => quantity !== undefined);

const input: FigureInput = {
  points: [
    point("theory", 1e5, { drop_rate: 0.01, utilisation: 0.9, queue_mean: 1000 }),
    point("theory", 1e6, { drop_rate: 0.001, utilisation: 1, queue_mean: 9000 }),
    point("packet", 1e5, { drop_rate: 0.01, utilisation: 0.9 }, { drop_rate: [0.008, 0.012] }),
    point("packet", 1e6, { drop_rate: 0.002, utilisation: 0.9 }, { drop_rate: [0.001, 0.003] }),
  ],
  pinned: [],
  engines: ["theory", "packet"],
  quantities,
  objectives: [{ metric: "utilisation", op: ">=", value: 0.99 }],
  markers: [
    { name: "bdp", label: "BDP", value: 5e5, chosen: false },
    { name: "far", label: "far", value: 9e9, chosen: false },
  ],
  derived,
  range: [1e5, 1e6],
  geometry,
  palette: palettes.light,
  late: [],
  print: true,
};

test("engines are told apart by dash and marker, not by colour", () => {
  const data = buildFigure(input).data as {
    name?: string;
    line?: { dash?: string; color?: string };
    marker?: { symbol?: string; color?: string };
  }[];
  const theory = data.find(({ name, line }) => name === "theory" && line?.dash !== undefined);
  const packet = data.find(({ name, marker }) => name === "packet" && marker !== undefined);
  expect(theory?.line?.dash).toBe("dot");
  expect(packet?.marker?.symbol).toBe("circle");
  expect(packet?.marker?.color).toBe(theory?.line?.color);
});

test("the upper scales read the same range in packets and in drain time", () => {
  const layout = buildFigure(input).layout as Record<string, { range?: number[] }>;
  expect(layout.xaxis2?.range?.[0]).toBeCloseTo(Math.log10(1e5 / 1500));
  expect(layout.xaxis3?.range?.[1]).toBeCloseTo(Math.log10((8 * 1e6) / 1e9));
});

test("only rules inside the range get a line", () => {
  const { shapes = [], annotations = [] } = buildFigure(input).layout;
  expect(shapes.filter(({ xref }) => xref === "x").map(({ x0 }) => x0)).toEqual([5e5]);
  expect(annotations.map(({ text }) => text)).toEqual(expect.arrayContaining(["BDP", "≥ 99 %", "<b>Drop rate</b>"]));
});

test("a marker beyond the range is named at the edge with its size and an arrow", () => {
  const low = { name: "low", label: "low", value: 2e4, chosen: false };
  const { annotations = [] } = buildFigure({ ...input, markers: [...input.markers, low] }).layout;
  expect(annotations.find(({ text }) => text === "far 9.00 GB ▸")).toMatchObject({
    xref: "paper",
    x: 1,
    xanchor: "right",
  });
  expect(annotations.find(({ text }) => text === "◂ low 20.0 kB")).toMatchObject({
    xref: "paper",
    x: 0,
    xanchor: "left",
  });
});

test("a target of 0, which a logarithmic axis cannot show, lies at its floor and points down", () => {
  const { layout } = buildFigure({ ...input, objectives: [{ metric: "drop_rate", op: "<=", value: 0 }] });
  const floor = (layout as { yaxis?: { range: [number, number] } }).yaxis?.range[0] ?? NaN;
  expect(layout.annotations?.find(({ text }) => text === "≤ 0 % ▾")?.y).toBeCloseTo(floor);
  const line = layout.shapes?.find(({ yref }) => yref === "y");
  expect(Math.log10(line?.y0 as number)).toBeCloseTo(floor);
});

test("an engine that is hidden is not drawn", () => {
  const names = (buildFigure({ ...input, engines: ["theory"] }).data as { name?: string }[]).map(({ name }) => name);
  expect(names).not.toContain("packet");
});

test("zeros break a logarithmic line and show a marker's upper bound instead", () => {
  const place = { yaxis: "y", log: true, floor: 1e-6 };
  const ink = { colour: "#000", band: "#000", paper: "#fff" };
  const [line] = traces(
    [
      { x: 1, y: 0.1 },
      { x: 2, y: 0 },
    ],
    "fluid",
    place,
    ink,
  ) as { y: unknown }[];
  expect(line?.y).toEqual([0.1, null]);
  const marks = traces([{ x: 2, y: 0, low: 0, high: 0.003 }], "packet", place, ink) as {
    y: unknown;
    marker?: { symbol: string };
  }[];
  expect(marks.at(-1)).toMatchObject({ y: [0.003], marker: { symbol: "triangle-down-open" } });
});

test(
  "the median of a transfer is drawn with its 99th percentile dashed, each faded where it is " + "outside validity",
  () => {
    const transfer = quantityOf("transfer", {}, derived);
    if (transfer === undefined) throw new Error("no quantity");
    const points = [1e5, 1e6].map((size, i) => {
      const one = point("fluid", size, { transfer_p50: 0.1, transfer_p99: 1 });
      return { ...one, result: { ...one.result, outside_validity: i === 0 ? { transfer_p99: "on a jump" } : {} } };
    });
    const figure = buildFigure({
      ...input,
      points,
      engines: ["fluid"],
      quantities: [transfer],
      objectives: [{ metric: "transfer_p99", op: "<=", value: 0.5 }],
    });
    const lines = (figure.data as { y?: (number | null)[]; line?: { dash?: string }; opacity?: number }[]).filter(
      ({ line }) => line?.dash !== undefined,
    );
    expect(lines.map(({ line, y, opacity }) => [line?.dash, y, opacity])).toEqual([
      ["dash", [null, 1], 1],
      ["dash", [1, 1], 0.25],
      ["solid", [0.1, 0.1], 1],
    ]);
    const texts = (figure.layout.annotations ?? []).map(({ text }) => text);
    expect(texts).toContain(
      "<b>Completion time of one transfer: median, 99th percentile dashed; pale: outside the model's validity</b>",
    );
    expect(texts).toContain("≤ 500 ms");
  },
);

test("intervals become a band", () => {
  const place = { yaxis: "y", log: true, floor: 0.001 };
  const samples = [
    { x: 1, y: 0.1, low: 0, high: 0.2 },
    { x: 2, y: 0.1, low: 0.05, high: 0.2 },
  ];
  const [band] = traces(samples, "packet", place, { colour: "", band: "", paper: "" }) as {
    fill?: string;
    y: number[];
  }[];
  expect(band?.fill).toBe("toself");
  expect(band?.y).toEqual([0.2, 0.2, 0.05, 0.001]);
});

test("pixels and values undo each other, and nothing lies outside the plots", () => {
  const x = xPixel(3e5, [1e5, 1e6], geometry);
  expect(xValue(x, [1e5, 1e6], geometry)).toBeCloseTo(3e5, 3);
  expect(xValue(2, [1e5, 1e6], geometry)).toBeUndefined();
});

test("labels that would overlap go to the next row", () => {
  expect(
    stagger([
      { x: 10, width: 20 },
      { x: 15, width: 20 },
      { x: 60, width: 20 },
    ]),
  ).toEqual([0, 1, 0]);
});

test("logarithmic ticks are 1, 2, 5 over short ranges and decades over long ones", () => {
  expect(logTicks(1e4, 1e5, String).values).toEqual([1e4, 2e4, 5e4, 1e5]);
  expect(logTicks(1, 1e9, String).values.every((value) => Number.isInteger(Math.log10(value)))).toBe(true);
  expect(logRange([0, 1e-12, 1])[0]).toBeGreaterThan(1e-7);
});
