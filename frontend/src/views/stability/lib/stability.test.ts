import { expect, test } from "vitest";

import { zeroLine } from "./border";
import { type Course, courseFigure, shownTime } from "./courseFigure";
import { colourOf, growthScale, share } from "@/lib/diverging";
import { around, mapFields, parseAxis, readEnd, usualFields, valuesOf, type MapField } from "./mapAxes";
import {
  borderGrid,
  isWhole,
  nearestIndex,
  noCells,
  piecesOf,
  sketched,
  spread,
  withPiece,
  type MapAnswer,
  type Piece,
} from "./mapCells";
import { cellUnder, sideOf } from "./mapScene";
import type { Axis } from "@/lib/component";
import { decodeStability, encodeStability, FIRST_STABILITY, ignoredInStability } from "@/lib/stability";
import { pushOf, verdictOf } from "./stabilityWords";
import { palettes } from "@/lib/palette";
import { catalog } from "@/test/api";
import { part } from "@/test/part";

const field = (more: Partial<MapField>): MapField => ({
  path: "topology.rtt",
  label: "RTT",
  group: "Topology",
  unit: "s",
  whole: false,
  value: 0.02,
  bounds: {},
  ...more,
});
/** Growth as the sum of column and row, less what puts the border through the middle. */
const answerFor = ({ columns, rows }: Piece, reasons: Record<string, [number, number][]> = {}): MapAnswer =>
  part<MapAnswer>({
    rightmost: rows.map((i) => columns.map((j) => i + j - 39)),
    queue: rows.map(() => columns.map(() => 1e5)),
    stable: rows.map((i) => columns.map((j) => i + j < 39)),
    reasons,
  });

test("a link carries the whole state, and nothing stands for the first view", () => {
  expect(decodeStability("")).toEqual(FIRST_STABILITY);
  const view = {
    preset: "tor-10g",
    scenario: { topology: { rtt: "1 ms" } },
    x: "traffic.0.flows:2:64",
    y: "topology.rtt:1e-05:0.001",
    at: "8,0.0001",
    panel: "cells" as const,
  };
  expect(decodeStability(encodeStability(view))).toEqual(view);
  expect(decodeStability(encodeStability({ preset: "wan-bottleneck", panel: "answer" }))).toEqual({
    preset: "wan-bottleneck",
    panel: "answer",
  });
});

test("the numeric fields of a scenario are those of its kinds, flows and round trip first", () => {
  const fields = mapFields(
    {
      topology: { kind: "dumbbell", bottleneck: 1e9, rtt: 0.02 },
      switch: { buffer: 1e6 },
      traffic: [{ kind: "long_lived", flows: 5, start: 0 }],
    },
    catalog.axes as unknown as Axis[],
  );
  expect(fields.map(({ path }) => path)).toEqual([
    "traffic.0.flows",
    "topology.bottleneck",
    "topology.rtt",
    "switch.buffer",
  ]);
  expect(usualFields(fields)?.map(({ path }) => path)).toEqual(["traffic.0.flows", "topology.rtt"]);
});

test("an axis reaches a decade either way, as far as the field and the other threshold go", () => {
  expect(around(field({}), [])).toMatchObject({ low: 0.002, high: 0.2 });
  expect(around(field({ value: 0.4, unit: "1", bounds: { le: 1 } }), [])).toMatchObject({ low: 0.04, high: 1 });
  const kmax = field({ path: "switch.marking.kmax", unit: "B", whole: true, value: 1e6 });
  const kmin = field({ path: "switch.marking.kmin", unit: "B", whole: true, value: 5e5 });
  expect(around(kmin, [kmin, kmax]).high).toBeLessThan(1e6);
  expect(around(kmax, [kmin, kmax]).low).toBeGreaterThan(5e5);
});

test("an axis is read with units, and one that makes no sense gives way to the usual", () => {
  const fields = [field({})];
  expect(parseAxis("topology.rtt:1 ms:0.5", fields)).toMatchObject({ low: 1e-3, high: 0.5 });
  expect(parseAxis("topology.rtt:5:1", fields)).toMatchObject({ low: 0.002, high: 0.2 });
  expect(parseAxis("switch.buffer:1:2", fields)).toBeUndefined();
  expect(readEnd("5 kB", field({}))).toHaveProperty("error");
});

test("values rise at equal ratios, and whole numbers are told once", () => {
  const values = valuesOf({ field: field({}), low: 0.001, high: 0.1 }, 3);
  expect(values).toEqual([0.001, 0.01, 0.1]);
  expect(valuesOf({ field: field({ whole: true, unit: "1" }), low: 1, high: 8 }, 40)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a map is asked for as a sketch and then by whole rows, each cell of which comes once", () => {
  const pieces = piecesOf(40, 40);
  expect(pieces[0]).toEqual({ columns: spread(40, 10), rows: spread(40, 10) });
  const rows = pieces.slice(1).flatMap((piece) => piece.rows);
  expect(rows).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(Math.max(...pieces.map((piece) => piece.rows.length * piece.columns.length))).toBeLessThanOrEqual(160);
  expect(piecesOf(8, 8).flatMap((piece) => piece.rows)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test("a sketch stands in for every cell, and ends where each is answered", () => {
  const [sketch, ...blocks] = piecesOf(40, 40);
  let cells = noCells(40, 40);
  expect(sketched(cells)).toBeUndefined();
  cells = withPiece(cells, sketch ?? { columns: [], rows: [] }, answerFor(sketch ?? { columns: [], rows: [] }));
  expect(sketched(cells)?.[1]?.[1]?.growth).toBe(-39);
  expect(isWhole(cells)).toBe(false);
  for (const block of blocks) cells = withPiece(cells, block, answerFor(block));
  expect(isWhole(cells)).toBe(true);
  expect(sketched(cells)?.[1]?.[1]?.growth).toBe(-37);
  expect(borderGrid(cells).rows).toHaveLength(40);
});

test("reasons reach the cells of the whole map that a block's places stand for", () => {
  const piece = { columns: [0, 5], rows: [3, 4] };
  const cells = withPiece(noCells(6, 6), piece, answerFor(piece, { "no rest": [[1, 1]] }));
  expect(cells[4]?.[5]?.reason).toBe("no rest");
  expect(cells[3]?.[5]?.reason).toBe("");
});

test("the border passes through the zeros and leaves out what has no value", () => {
  const values = [
    [-1, 3],
    [-1, 3],
  ];
  expect(zeroLine([0, 4], [0, 10], values)).toEqual([[1, 0, 1, 10]]);
  expect(
    zeroLine(
      [0, 4],
      [0, 10],
      [
        [-1, null],
        [-1, 3],
      ],
    ),
  ).toEqual([]);
  // A saddle has two lines.
  expect(
    zeroLine(
      [0, 1],
      [0, 1],
      [
        [-1, 1],
        [1, -1],
      ],
    ),
  ).toHaveLength(2);
});

test("colours tell the sign of the least growth from none", () => {
  const scale = growthScale([-5, null, 2, 40]);
  expect(share(40, scale)).toBeCloseTo(1);
  expect(share(-1, scale)).toBeLessThan(0);
  const shades = [-1e-6, 0, 1e-6].map((at) => colourOf(at, "light"));
  expect(new Set(shades).size).toBe(3);
});

test("the pixel under the pointer finds the cell that holds its value, upwards too", () => {
  const up = sideOf([1, 10, 100], 300, 0, String, 5);
  expect(up.places.map(Math.round)).toEqual([250, 150, 50]);
  expect(cellUnder(up.edges, up.at(10))).toBe(1);
  expect(cellUnder(up.edges, 301)).toBeUndefined();
  expect(nearestIndex([1, 10, 100], 40)).toBe(2);
});

test("so much of a course is shown that growth or decay is seen", () => {
  const time = Array.from({ length: 1201 }, (_, i) => i / 100);
  expect(shownTime(time, undefined, undefined)).toBe(12);
  expect(shownTime(time, [-4, 2 * Math.PI * 4], undefined)).toBeCloseTo(4);
  expect(shownTime(time, [-1000, 0], undefined)).toBeCloseTo(2, 1);
});

test("verdicts in words", () => {
  expect(verdictOf({ stable: true, fixed_point: { queue: 65e3 } })).toBe("Stable: the queue settles at 65.0 kB");
  const cycle = { queue_min: 0, queue_max: 2e5, mean: 5e4, utilisation: 0.9 };
  expect(verdictOf({ stable: false, fixed_point: {}, cycle })).toBe(
    "Unstable: the queue oscillates between 0 B and 200 kB",
  );
  expect(pushOf([-4, 2 * Math.PI])).toBe("decays to 1/e in 250 ms, period 1.00 s");
  expect(pushOf([10])).toBe("grows ×2.7 every 100 ms");
});

test("ticks of a course are written exactly", () => {
  const time = Array.from({ length: 200 }, (_, i) => i * 1e-3);
  const course = part<Course>({
    time,
    queue: time.map((at) => 122e3 + 1e4 * at),
    rates: [time.map(() => 4e9)],
    groups: ["dcqcn"],
  });
  const { xaxis } = courseFigure(course, 0.169, undefined, 720, 250, palettes.light).layout;
  const labels = xaxis?.ticktext ?? [];
  expect(labels).toContain("125 ms");
  labels.forEach((label, i) => {
    expect(parseFloat(label) * (label.endsWith("ms") ? 1e-3 : 1)).toBeCloseTo(Number(xaxis?.tickvals?.[i]), 12);
  });
});

test("a link may change fields of a preset, and says what of it is no field", () => {
  const view = decodeStability("preset=tor-10g&set=topology.rtt:40ms&colour=red");
  expect(view).toEqual({ preset: "tor-10g", panel: "answer", set: [["topology.rtt", "40ms"]] });
  expect(decodeStability(encodeStability(view))).toEqual(view);
  expect(ignoredInStability("preset=tor-10g&colour=red&set=rtt&panel=none&topology.rtt=1ms")).toEqual([
    "panel=none (one of answer, explain, cells)",
    "set=rtt (such as topology.rtt:40ms)",
    "colour (no such field)",
  ]);
});
