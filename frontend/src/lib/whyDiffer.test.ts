import { expect, test } from "vitest";

import type { JsonObject } from "@/lib/path";
import { whyDiffer } from "@/lib/whyDiffer";
import { point } from "@/test/points";

/** 50 flows, 1 Gb/s, 20 ms. */
const scenario = (topology: JsonObject = {}, traffic: JsonObject = {}, run: JsonObject = {}): JsonObject => ({
  topology: { bottleneck: 1e9, rtt: 0.02, rtt_spread: 0, ...topology },
  traffic: [{ flows: 50, congestion: { kind: "newreno" }, host: { pacing: false }, ...traffic }],
  run: { mtu: 1500, duration: 60, warmup: 10, ...run },
});
const used = { metric: "utilisation", op: ">=" as const, value: 0.99 };
const drops = { metric: "drop_rate", op: "<=" as const, value: 0.001 };
const units = { utilisation: { unit: "1" }, drop_rate: { unit: "1" } };

function why(
  model: Record<string, number>,
  packets: Record<string, number>,
  asked: JsonObject = scenario(),
  objective: typeof used | typeof drops = used,
  outside?: Record<string, string>,
) {
  const at = point("fluid", 8.1e5, model);
  const result = { ...at.result, scenario: asked, ...(outside === undefined ? {} : { outside_validity: outside }) };
  return whyDiffer("fluid", [{ ...at, result }], 8.1e5, packets, objective, units);
}

test("equal round trips: synchronised losses, and by how much", () => {
  expect(
    why({ utilisation: 0.992, drop_rate: 0.002 }, { utilisation: 0.96, drop_rate: 0.0019, queue_mean: 4e5 }),
  ).toMatch(
    /^At 810 kB its utilisation is 99\.2\d* %, that of packets 96[.\d]* %: all round trips are equal, .* 3.2 points of utilisation\.$/,
  );
});

test("different round trips: bursts collide, unless senders pace", () => {
  const [model, packets] = [
    { utilisation: 1, drop_rate: 0.001 },
    { utilisation: 1, drop_rate: 0.0015, queue_mean: 4e5 },
  ];
  expect(why(model, packets, scenario({ rtt_spread: 0.2 }), drops)).toMatch(/do not pace, and bursts .* collide: 1.5/);
  expect(why(model, packets, scenario({ rtt_spread: 0.2 }, { host: { pacing: true } }), drops)).not.toMatch(/collide/);
});

test("timeouts and tiny windows come from what packets counted", () => {
  const words = why(
    { utilisation: 1, drop_rate: 0.02 },
    { utilisation: 0.98, drop_rate: 0.02, queue_mean: 0, retransmissions: 1000, timeouts: 120 },
    scenario({}, { flows: 500 }),
  );
  expect(words).toMatch(
    /12 in 100 packets that are sent again wait for a timeout, which fluid counts in part; windows have 3.3 packets/,
  );
});

test("a short run still depends on slow start", () => {
  const words = why(
    { utilisation: 0.99, drop_rate: 1e-5 },
    { utilisation: 0.992, drop_rate: 1e-5, queue_mean: 1e6 },
    scenario({}, { flows: 1 }),
  );
  expect(words).toMatch(/packets were measured for \d(\.\d+)? cycles of a flow only/);
});

test("outside its validity the model's own reason stands first", () => {
  expect(
    why({ utilisation: 1 }, { utilisation: 0.9 }, scenario(), used, { utilisation: "the buffer holds 4 packets." }),
  ).toMatch(/: the model does not hold there. The buffer holds 4 packets;/);
});

test("where nothing differs the flat curve is the cause", () => {
  expect(
    why({ utilisation: 0.991, drop_rate: 0.001 }, { utilisation: 0.99, drop_rate: 0.001, queue_mean: 4e5 }),
  ).toMatch(/they agree, and the curve is so flat/);
});

test("without a model near the size or a result of packets nothing is said", () => {
  expect(whyDiffer("fluid", [point("fluid", 1e5, { utilisation: 1 })], 8e5, { utilisation: 1 }, used, units)).toBe("");
  expect(whyDiffer("fluid", [point("fluid", 8e5, { utilisation: 1 })], 8e5, undefined, used, units)).toBe("");
});
