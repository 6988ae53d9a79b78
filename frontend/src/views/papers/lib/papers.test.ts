import { expect, test } from "vitest";

import { palettes } from "@/lib/palette";
import { figureCsv, lookOf, looksOf, paperFigure, type PaperFigure } from "./paperFigure";
import {
  countWords,
  papersCodec,
  releasedWords,
  rowsOf,
  showOurs,
  shownRows,
  showValue,
  sizesInWords,
  supportWords,
  tally,
  usualTier,
  type Judged,
  type Released,
  type Target,
} from "./papers";
import { part } from "@/test/part";

const target = (id: string, more: Partial<Target> = {}): Target =>
  part<Target>({
    id,
    experiment: "X",
    kind: "outcome",
    metric: "loss",
    published: 0.1,
    unit: "1",
    comparison: "within ±5 %",
    accepted: [0.095, 0.105],
    confidence: "high",
    source: "Fig. 1",
    notes: "",
    follows_from: "simulation",
    rule_note: "",
    ...more,
  });
const judged = (id: string, more: Partial<Judged> = {}): Judged =>
  part<Judged>({
    ...target(id),
    ours: 0.11,
    interval: [0.1, 0.12],
    verdict: "met",
    reason: "",
    samples: 0,
    replicas: 1,
    support: null,
    explanation: "",
    sensitivity: "",
    shown_by: null,
    ...more,
  });

test("values are shown as they were printed, whatever their shape", () => {
  expect(showValue(300, "ms")).toBe("300 ms");
  expect(showValue(3e9, "B")).toBe("3.00 GB");
  expect(showValue([3, 4], "percentage points")).toBe("3 percentage points, 4 percentage points");
  expect(showValue({ A: 500000, B: 2000 }, "packet")).toBe("A 500000 packets, B 2000 packets");
  expect(showValue("almost zero", "1")).toBe("almost zero");
  expect(showValue(0.0001, "1")).toBe("10⁻⁴");
  expect(showValue(null, "1")).toBe("–");
});

test("ours stands with its interval where there is one", () => {
  expect(showOurs(judged("a", { ours: 293.4, interval: [287.1, 300.9], unit: "ms" }))).toBe("293 ms (287 to 301)");
  expect(showOurs(judged("a", { ours: 2.5e6, interval: [2e6, 3e6], unit: "B" }))).toBe("2.50 MB (2.00 MB to 3.00 MB)");
  expect(showOurs(judged("a", { ours: null, interval: null }))).toBe("–");
  expect(supportWords(judged("a", { support: 0.975, samples: 1800, replicas: 2 }))).toBe(
    "the rule holds in 98 % of draws, 1800 samples, 2 replicas",
  );
});

test("a size that several experiments have is told once", () => {
  expect(
    sizesInWords([
      ["SB", "Small."],
      ["SB-K", "Small."],
      ["SB-FANIN", "As published."],
    ]),
  ).toEqual(["SB, SB-K: Small.", "SB-FANIN: As published."]);
  expect(sizesInWords([["FB-FA", "Four ports."]])).toEqual(["Four ports."]);
});

test("filters keep what fits both, and nothing that was not judged fits a verdict", () => {
  const rows = rowsOf(
    [target("a"), target("b", { confidence: "low" }), target("c")],
    [judged("a"), judged("b", { verdict: "missed" })],
  );
  const ids = (found: typeof rows) => found.map(({ target: { id } }) => id);
  expect(ids(shownRows(rows, {}))).toEqual(["a", "b", "c"]);
  expect(ids(shownRows(rows, { verdict: "missed" }))).toEqual(["b"]);
  expect(ids(shownRows(rows, { verdict: "missed", confidence: "high" }))).toEqual([]);
  expect(ids(shownRows(rows, { confidence: "high" }))).toEqual(["a", "c"]);
  expect(tally(rows.map((row) => row.judged?.verdict))).toEqual({ met: 1, missed: 1, undecided: 0, not_testable: 0 });
});

test("verdicts are counted with and without what does not test the model", () => {
  const given = { follows_from: "input" } as const;
  const rows = rowsOf(
    [target("a"), target("b"), target("c", given)],
    [judged("a"), judged("b", { verdict: "undecided" }), judged("c", given)],
  );
  expect(countWords(rows)).toEqual([
    "2 met, 1 undecided",
    "1 met, 1 undecided without the 1 that follow from inputs, geometry, fits or construction",
  ]);
  expect(countWords(rows.slice(0, 2))[1]).toBe("");
});

test("the state survives the address, and nonsense in it is left out", () => {
  const view = {
    paper: "facebook-ebb",
    tier: "laptop",
    tab: "figures",
    verdict: "missed",
    confidence: "high",
  } as const;
  expect(papersCodec.decode(papersCodec.encode(view))).toEqual(view);
  expect(papersCodec.encode({ tab: "targets" })).toBe("");
  expect(papersCodec.decode("tier=huge&verdict=perhaps&paper=3")).toEqual({ tab: "targets" });
  expect(papersCodec.decode(papersCodec.encode({ tab: "scenarios", target: "FB-EBB-12", tier: "smoke" }))).toEqual({
    tab: "scenarios",
    target: "FB-EBB-12",
    tier: "smoke",
  });
});

test("what was run is looked at, the largest of it, while nobody chose a size", () => {
  expect(usualTier({ smoke: {}, laptop: {} })).toBe("laptop");
  expect(usualTier({})).toBe("smoke");
  expect(usualTier(undefined)).toBe("smoke");
  expect(usualTier({}, "laptop")).toBe("laptop");
  expect(usualTier({ smoke: {} }, "laptop")).toBe("smoke");
});

test("results of the release say when and how they were found, and what changed since", () => {
  const found = { tier: "laptop", date: "2026-11-22", version: "1.2", command: "run it", runs: 12, note: "" } as const;
  expect(releasedWords(part<Released>({ ...found, changed: [] }))).toEqual([
    "Results that came with version 1.2, from 12 runs on 2026-11-22. Run the paper here, or: run it.",
  ]);
  expect(releasedWords(part<Released>({ ...found, changed: ["packet", "paper"] }))[1]).toBe(
    "Changed since that run, so that numbers may differ: packet, the paper's experiments or rules.",
  );
});

test("printed values are drawn beside ours, inside the axes, and leave with them", () => {
  const printed = [
    { name: "published: B", x: [0.99], y: [1e-2], low: [], high: [], target: "T" },
    { name: "published: range", x: [0.5, 0.9], y: [2e-4, 2e-4], low: [1e-4, 1e-4], high: [3e-4, 3e-4], target: "T" },
  ];
  const own = figure({ published: printed });
  const { data, layout } = drawn(own);
  expect(data.slice(2).map((one) => (one as { mode: string }).mode)).toEqual(["markers", "lines+markers"]);
  expect(10 ** ((layout.yaxis as { range: number[] }).range[1] ?? 0)).toBeGreaterThanOrEqual(1e-2);
  expect((data[3] as { error_y: { array: number[] } }).error_y.array[0]).toBeCloseTo(1e-4, 12);
  expect(paperFigure(own, 400, 300, palettes.light, "light", new Set(["published: B"])).data).toHaveLength(3);
  expect(figureCsv(own)).toContain("published: B,0.99,0.01,,");
});

const figure = (more: Partial<PaperFigure> = {}): PaperFigure => ({
  id: "f",
  title: "F",
  source: "Fig. 1",
  kind: "scatter",
  x: { title: "utilisation", unit: "1", log: false },
  y: { title: "drop rate", unit: "1", log: true },
  series: ["A", "B"].map((name) => ({ name, x: [0.5, 0.9], y: [1e-4, 1e-3], low: [5e-5, 8e-4], high: [2e-4, 2e-3] })),
  notes: [],
  published: [],
  ...more,
});
const drawn = (own: PaperFigure) => paperFigure(own, 400, 300, palettes.light, "light");

test("curves differ by more than their hue", () => {
  const marks = (drawn(figure()).data as { marker: { symbol: string } }[]).map(({ marker }) => marker.symbol);
  expect(new Set(marks).size).toBe(2);
  const dashes = (drawn(figure({ kind: "line" })).data as { line: { dash: string } }[]).map(({ line }) => line.dash);
  expect(new Set(dashes).size).toBe(2);
  const patterns = (drawn(figure({ kind: "bars" })).data as { marker: { pattern: { shape: string } } }[]).map(
    ({ marker }) => marker.pattern.shape,
  );
  expect(new Set(patterns).size).toBe(2);
});

test("no two of many curves look alike, and what is hidden leaves the axes as they are", () => {
  const looks = Array.from({ length: 18 }, (_, i) => lookOf(i, "light")).map(({ colour, sign }) => `${colour} ${sign}`);
  expect(new Set(looks).size).toBe(18);
  const without = paperFigure(figure(), 400, 300, palettes.light, "light", new Set(["A"]));
  expect(without.data.map(({ name }) => name)).toEqual(["B"]);
  expect((without.data[0] as { marker: unknown }).marker).toEqual(
    (drawn(figure()).data[1] as { marker: unknown }).marker,
  );
  expect(without.layout).toEqual(drawn(figure()).layout);
});

test("curves of one thing share its hue, and still no two look alike", () => {
  const names = ["A", "B", "C"].flatMap((plane) =>
    ["10 ms", "1 s", "whole run"].map((window) => `${plane}, ${window}`),
  );
  const looks = looksOf(names, "light");
  expect(new Set(looks.map(({ colour }) => colour)).size).toBe(3);
  expect(looks[0]?.colour).toBe(looks[2]?.colour);
  expect(new Set(looks.map(({ colour, sign }) => `${colour} ${sign}`)).size).toBe(9);
  expect(looksOf(["A", "B"], "light")).toEqual([lookOf(0, "light"), lookOf(1, "light")]);
});

test("a figure's values leave as a table with units, every point a row", () => {
  expect(figureCsv(figure({ y: { title: "wait, mean", unit: "s", log: true } }))).toBe(
    [
      'curve,utilisation,"wait, mean [s]",low,high',
      "A,0.5,0.0001,0.00005,0.0002",
      "A,0.9,0.001,0.0008,0.002",
      "B,0.5,0.0001,0.00005,0.0002",
      "B,0.9,0.001,0.0008,0.002",
      "",
    ].join("\n"),
  );
});

test("intervals reach from low to high, and the axis shows them whole", () => {
  const { data, layout } = drawn(figure());
  const [first] = data as { error_y: { array: number[]; arrayminus: number[] } }[];
  expect(first?.error_y.array[0]).toBeCloseTo(1e-4, 12);
  expect(first?.error_y.arrayminus[1]).toBeCloseTo(2e-4, 12);
  const range = (layout.yaxis as { range: [number, number] }).range.map((end) => 10 ** end);
  expect(range[0]).toBeLessThan(5e-5);
  expect(range[1]).toBeGreaterThan(2e-3);
});

test("few measurements are shown one by one, and an axis of loads does not begin at 0", () => {
  const { data, layout } = drawn(figure({ kind: "line", y: { title: "y", unit: "s", log: false } }));
  expect((data[0] as { mode: string }).mode).toBe("lines+markers");
  expect((layout.xaxis as { range: number[] }).range[0]).toBeGreaterThan(0.4);
  const many = Array.from({ length: 40 }, (_, i) => i / 40);
  const course = drawn(figure({ kind: "line", series: [{ name: "A", x: many, y: many, low: [], high: [] }] }));
  expect((course.data[0] as { mode: string }).mode).toBe("lines");
  expect((course.layout.xaxis as { range: number[] }).range[0]).toBe(0);
});

test("bars by name have an axis of names and begin at 0", () => {
  const { layout } = drawn(
    figure({
      kind: "bars",
      y: { title: "y", unit: "s", log: false },
      series: [{ name: "A", x: ["one", "two"], y: [4, 5], low: [], high: [] }],
    }),
  );
  expect((layout.xaxis as { type: string }).type).toBe("category");
  expect((layout.yaxis as { range: number[] }).range[0]).toBe(0);
});
