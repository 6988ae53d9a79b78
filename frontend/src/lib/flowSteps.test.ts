import { expect, test } from "vitest";

import { fairnessCurve, meanFairness, rateCurves, ratesCsv, stepMarks, type Step, type Windows } from "@/lib/flowSteps";

const windows: Windows = {
  window: 2,
  time: [2, 4],
  ports: {},
  flows: [
    { entry: 0, goodput: [8, 6] },
    { entry: 0, goodput: [0, 2] },
  ],
};
const flow = (number: number, goodput: number) => ({ flow: number, entry: 0, goodput });
const steps: Step[] = [
  { start: 0, end: 2, flows: [flow(0, 8)], fairness: null },
  { start: 2, end: 3, flows: [flow(0, 6), flow(1, 2)], fairness: 0.8 },
  { start: 3, end: 6, flows: [flow(0, 4), flow(1, 4)], fairness: 1 },
  { start: 6, end: 8, flows: [flow(1, 8)], fairness: null },
];

test("a window is drawn at its middle, a flow per curve, each told apart", () => {
  const [first, second] = rateCurves(windows);
  expect(first?.samples).toEqual([
    { x: 1, y: 8 },
    { x: 3, y: 6 },
  ]);
  expect(second?.name).toBe("flow 2");
  expect([first?.colour, first?.dash]).not.toEqual([second?.colour, second?.dash]);
  const many = rateCurves({ ...windows, flows: Array.from({ length: 20 }, () => ({ entry: 0, goodput: [1, 1] })) });
  expect(new Set(many.map(({ colour, dash }) => `${colour ?? ""} ${dash ?? ""}`)).size).toBe(many.length);
});

test("marks say where flows join and leave", () => {
  expect(stepMarks(steps)).toEqual([
    { label: "+1", x: 2 },
    { label: "·", x: 3 },
    { label: "−1", x: 6 },
  ]);
});

test("fairness holds from the begin of a step to its end, and its mean is over time", () => {
  expect(fairnessCurve(steps).samples.map(({ x, y }) => [x, y])).toEqual([
    [2, 0.8],
    [3, 0.8],
    [3, 1],
    [6, 1],
  ]);
  expect(meanFairness(steps)).toBeCloseTo((0.8 * 1 + 1 * 3) / 4);
  expect(meanFairness(steps.slice(0, 1))).toBeUndefined();
});

test("the file has a column per flow", () => {
  expect(ratesCsv(windows)).toBe("time [s],flow 1 [bit/s],flow 2 [bit/s]\n2,8,0\n4,6,2\n");
});
