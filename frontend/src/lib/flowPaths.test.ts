import { expect, test } from "vitest";

import { bandwidthCurves, estimating, lastEstimates, pathsCsv, roundTripCurves } from "@/lib/flowPaths";
import type { Windows } from "@/lib/flowSteps";

const windows: Windows = {
  window: 1,
  time: [1, 2],
  ports: {},
  flows: [
    { entry: 0, goodput: [8, 6], path: { bandwidth: [8, 7], min_rtt: [0.02, 0.02], rtt: 0.02 } },
    { entry: 0, goodput: [0, 2], path: { bandwidth: [null, 5], min_rtt: [null, 0.06], rtt: 0.02 } },
    { entry: 1, goodput: [4, 4] },
  ],
};

test("only flows that estimate their path have curves, and nothing is drawn before the first estimate", () => {
  expect(estimating(windows).map(({ name }) => name)).toEqual(["flow 1", "flow 2"]);
  const [first, second, mean] = bandwidthCurves(windows);
  expect(first?.samples).toEqual([
    { x: 1, y: 8 },
    { x: 2, y: 7 },
  ]);
  expect(second?.samples).toEqual([{ x: 2, y: 5 }]);
  expect(mean?.samples).toEqual([
    { x: 1, y: 6 },
    { x: 2, y: 4 },
  ]);
});

test("the true round trip stands beside the measured ones: one, or the shortest and the longest", () => {
  expect(roundTripCurves(windows).map(({ name }) => name)).toEqual(["flow 1", "flow 2", "with empty queues"]);
  const [one, two] = windows.flows;
  if (one?.path === undefined || two?.path === undefined) throw new Error("no path");
  const spread = { ...windows, flows: [one, { ...two, path: { ...two.path, rtt: 0.04 } }] };
  expect(
    roundTripCurves(spread)
      .slice(2)
      .map(({ samples }) => samples[0]?.y),
  ).toEqual([0.02, 0.04]);
});

test("estimates at the end are compared with what the flows get and with the path", () => {
  const last = lastEstimates(windows);
  expect(last?.share).toBeCloseTo((7 + 5) / (6 + 2));
  expect(last?.excess[0]).toBeCloseTo(1);
  expect(last?.excess[1]).toBeCloseTo(3);
  expect(lastEstimates({ ...windows, time: [] })).toBeUndefined();
});

test("the table has every window, and blanks where nothing is known", () => {
  const [head, first] = pathsCsv(windows).split("\n");
  expect(head?.split(",")).toHaveLength(7);
  expect(first).toBe("1,8,0.02,0.02,,,0.02");
});
