import { expect, test } from "vitest";

import { bracket, neverMet, plain, reservations } from "@/lib/answerWords";
import type { Objective } from "@/lib/objectives";
import { sizeCommand } from "@/lib/snippets";
import { solutionOf, type SizeDocument } from "@/lib/solution";
import { part } from "@/test/part";

const busy: Objective = { metric: "utilisation", op: ">=", value: 0.99 };
const short: Objective = { metric: "queue_mean", op: "<=", value: 1e5 };
const units = { utilisation: { unit: "1" }, queue_mean: { unit: "B" } };
const tried = (size: number, utilisation: number, queue: number) => ({
  at: { "switch.buffer": size },
  metrics: { utilisation, queue_mean: queue },
});

const found = part<SizeDocument>({
  feasible: true,
  value: 411e3,
  interval: [403e3, 411e3],
  binding: "utilisation>=0.99",
  reason: "",
  tried: [],
  notes: [],
});
const none: SizeDocument = {
  ...found,
  feasible: false,
  value: null,
  interval: null,
  binding: null,
  reason: "utilisation>=0.99 is missed from switch.buffer = 1500",
};

test("the answer is the size that meets the targets, with the one that misses them", () => {
  expect(solutionOf(found, [busy], units)).toEqual({ state: "solved", buffer: 411e3, missed: 403e3, binding: [busy] });
});

test("a size below which the engine does not hold says so", () => {
  const notes = ["Values of switch.buffer up to 14.88 MB were skipped: round trips are equal"];
  expect(solutionOf({ ...found, notes }, [busy], units)).toMatchObject({ state: "solved", skipped: true });
});

test("a target that no size meets is named with the greatest size looked at", () => {
  const document = { ...none, tried: [tried(2.5e6, 0.98, 9e4), tried(1500, 0.3, 100)] };
  expect(solutionOf(document, [busy, short], units)).toEqual({
    state: "infeasible",
    words: "Utilisation stays below 99 % up to 2.50 MB.",
  });
});

test("targets that exclude each other are named together", () => {
  const document = { ...none, tried: [tried(1500, 0.3, 100), tried(2.5e6, 1, 9e5)] };
  expect(solutionOf(document, [busy, short], units)).toEqual({
    state: "infeasible",
    words: "No size meets utilisation ≥ 99 % and mean queue ≤ 100 kB together.",
  });
});

test("an engine that is outside its validity everywhere says why, in the server's words", () => {
  const document = {
    ...none,
    reason: "the fluid engine cannot answer utilisation>=0.99: bursts are larger than the buffer",
  };
  expect(solutionOf(document, [busy], units)).toEqual({
    state: "infeasible",
    words: "Outside validity: bursts are larger than the buffer.",
  });
  const named = { ...none, reason: "the fluid engine cannot answer drop_rate<=1e-4: host.ack_delay is short" };
  expect(solutionOf(named, [busy], units)).toMatchObject({ words: expect.not.stringContaining("ack_delay") as string });
});

test("sentences use the field's words", () => {
  expect(plain("queue_mean")).toBe("mean queue");
  expect(neverMet([short], 4e6, units)).toBe("Mean queue stays above 100 kB up to 4.00 MB.");
  expect(bracket(1.58e6, 2.5e6)).toEqual({ number: "1.58–2.50", unit: "MB" });
  expect(bracket(890e3, 1.2e6)).toEqual({ number: "890 kB–1.20", unit: "MB" });
  const answer = {
    engine: "packet",
    buffer: 1,
    binding: [],
    unanswered: ["queue_mean"],
    certain: false,
    reopens: true,
  };
  expect(reservations(answer)).toEqual([
    "Some larger sizes fail again.",
    "Inconclusive: the 95 % interval crosses the target. Add replicas.",
    "Not computed: mean queue.",
  ]);
});

test("the command solves between the sizes that were simulated", () => {
  const command = sizeCommand({
    scenario: "wan-bottleneck",
    require: ["utilisation>=0.99"],
    engine: "packet",
    replicas: 3,
    between: [1.58e6, 2.5e6],
  });
  expect(command).toBe(
    "footroom size wan-bottleneck --require 'utilisation>=0.99' --engine packet --replicas 3 --between 1.58MB:2.5MB",
  );
});
