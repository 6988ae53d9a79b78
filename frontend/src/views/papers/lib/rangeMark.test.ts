import { expect, test } from "vitest";

import type { Judged } from "./papers";
import { rangeMark } from "./rangeMark";
import { part } from "@/test/part";

const judged = (more: Partial<Judged>): Judged =>
  part<Judged>({
    id: "a",
    experiment: "X",
    kind: "outcome",
    metric: "loss",
    published: 300,
    unit: "ms",
    comparison: "within ±35 %",
    accepted: [195, 405],
    follows_from: "simulation",
    rule_note: "",
    confidence: "high",
    source: "",
    notes: "",
    ours: 233,
    interval: [229, 236],
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

test("everything lies in order and to scale", () => {
  const mark = rangeMark(judged({}));
  const [low = 0, high = 0] = mark?.accepted ?? [];
  expect(mark?.log).toBe(false);
  expect((mark?.published ?? 0) - low).toBeCloseTo((high - low) / 2, 12);
  expect(((mark?.ours ?? 0) - low) / (high - low)).toBeCloseTo((233 - 195) / (405 - 195), 12);
  expect(mark?.interval?.[0]).toBeLessThan(mark?.ours ?? 0);
});

test("an open end reaches the border, and decades are drawn as such", () => {
  const mark = rangeMark(judged({ published: "almost zero", accepted: [null, 1e-6], ours: 1e-3, interval: null }));
  expect(mark).toEqual({
    log: true,
    ours: expect.closeTo(0.93, 12) as number,
    accepted: [0, expect.closeTo(0.07, 12) as number],
  });
  expect(rangeMark(judged({ accepted: [null, 1], published: 0, ours: 0, interval: [0, 0] }))?.log).toBe(false);
});

test("several numbers, and a number that nothing stands beside, have no line", () => {
  expect(rangeMark(judged({ ours: { A: 1 } }))).toBeUndefined();
  expect(rangeMark(judged({ ours: 2, published: 2, accepted: [2, 2], interval: null }))).toBeUndefined();
  expect(rangeMark(judged({ ours: null }))).toBeUndefined();
});
