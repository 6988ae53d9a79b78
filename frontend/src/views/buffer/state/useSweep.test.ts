import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Derived } from "@/lib/derived";
import type { JsonObject } from "@/lib/path";
import { useSweep } from "./useSweep";
import { preset } from "@/test/api";
import { part } from "@/test/part";
import type { Preset } from "@/api/queries";

const edited = {
  ...preset.scenario,
  topology: { ...preset.scenario.topology, bottleneck: "10 Gb/s" },
} satisfies JsonObject;
const at = (
  scenario: JsonObject,
  derived: Derived,
  more: { set?: string; known?: boolean; kept?: number | null } = {},
) =>
  renderHook(() =>
    useSweep({
      scenario,
      start: part<Preset>(preset),
      set: more.set,
      derived,
      known: more.known ?? true,
      rules: [],
      kept: more.kept,
    }),
  ).result.current;

const slow = { bdp: 2.5e6, flows: 50, buffer: 250e3, mtu: 1500 };
const fast = { ...slow, bdp: 25e6 };

test("a preset is swept as it says, also while what is derived is on its way", () => {
  expect(at(preset.scenario, {}, { known: false })).toEqual({
    sweep: { low: 25e3, high: 2.5e6, points: 9 },
    ready: true,
  });
});

test("ten times the bottleneck moves the range with the product", () => {
  const { sweep, ready } = at(edited, fast);
  expect(ready).toBe(true);
  expect(sweep.high).toBe(50e6);
  expect(sweep.low).toBeLessThan(250e3);
});

test("nothing is asked before the product of an edited scenario is known", () => {
  expect(at(edited, slow, { known: false }).ready).toBe(false);
});

test("an edit that leaves the product in the range leaves the range", () => {
  expect(at(edited, slow).sweep).toEqual({ low: 25e3, high: 2.5e6, points: 9 });
});

test("a range that the person set stays", () => {
  expect(at(edited, fast, { set: "10kB:1MB:log5" }).sweep).toEqual({ low: 10e3, high: 1e6, points: 5 });
});

test("a lossless scenario waits for its headroom, and is swept above it", () => {
  expect(at(edited, slow, { kept: null }).ready).toBe(false);
  expect(at(edited, slow, { kept: 1e6 })).toEqual({ sweep: { low: 2e6, high: 1e7, points: 9 }, ready: true });
});

test("where a queue may hold a part of the buffer only, the range begins and ends as much higher", () => {
  const { sweep } = at(edited, { ...slow, queueBuffer: 5e3 });
  expect(sweep.low).toBeGreaterThanOrEqual(50 * 1500);
  expect(sweep.high).toBeGreaterThanOrEqual(50 * 2.5e6);
});
