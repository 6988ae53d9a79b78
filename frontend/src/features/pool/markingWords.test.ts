import { expect, test } from "vitest";

import type { Schema } from "@/contract";
import { markingFirst } from "./markingWords";
import { part } from "@/test/part";

type Answer = Schema<"MarkingDocument">;
type Case = Answer["cases"][number];

const one = (name: string, mark: number, threshold: number, largest: number): Case => ({
  case: name,
  mark,
  held: mark,
  threshold,
  margin: threshold - mark,
  time: ((threshold - mark) * 8) / 100e9,
  first: threshold > mark ? "marking" : "pause",
  largest,
});
const asked = (...marks: [number, number][]) =>
  markingFirst(
    part<Answer>({ cases: [...marks.map(([mark, at]) => one("asked", mark, at, 164600)), one("worst", 1, 0, 5076)] }),
  );

test("marking is first where Kmin is below the pause, and it is said that Kmax is not", () => {
  const found = asked([150e3, 164.8e3], [1.5e6, 146.1e3]);
  expect(found).toMatchObject({ first: true, full: false, margin: "14.8 kB" });
  expect(found?.where).toBe("with the queue at Kmin, 150 kB, PFC pauses at 165 kB");
  expect(found?.rest).toContain("only at Kmax, 1.50 MB, after the pause");
  expect(found?.rest).toContain("1.08 % of the way from Kmin to Kmax");
  expect(found?.keep).toBe(
    "Keep Kmax below 165 kB to mark everything before the pause. " +
      "If every queue is filled from one port, marking begins before the pause only below 5.08 kB.",
  );
});

test("both ends of the ramp may be below the pause", () => {
  const found = asked([50e3, 164.8e3], [100e3, 164e3]);
  expect(found).toMatchObject({ first: true, full: true });
  expect(found?.rest).toContain("before the pause as well");
});

test("the pause is first where marking begins above it", () => {
  expect(asked([200e3, 164e3], [1.5e6, 146e3])).toMatchObject({ first: false, full: false, rest: "" });
});

test("a step has one threshold, which is not called Kmin", () => {
  const found = asked([100e3, 164e3]);
  expect(found?.where).toContain("the queue at the threshold, 100 kB");
  expect(found?.rest).toBe("");
});
