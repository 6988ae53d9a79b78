import { expect, test } from "vitest";

import { keptBytes, roomFor, pauses, pieces, raceWords, switchNames, ticks, type SwitchMemory } from "@/lib/memory";

const line = (name: string, bytes: number) => ({
  name,
  title: name,
  count: 1,
  least: bytes,
  most: bytes,
  bytes,
  share: bytes / 1000,
});
const memory: SwitchMemory = {
  switches: ["leaf0", "leaf1", "leaf2"],
  buffer: 1000,
  ports: 4,
  lossless: [3],
  lines: [line("reserved_groups", 100), line("headroom", 300), line("shared", 600)],
  levels: [
    { name: "xoff_one", title: "Xoff", bytes: 60, of: "group", formula: "" },
    { name: "kmax", title: "Kmax", bytes: 5000, of: "queue", formula: "" },
  ],
  races: [
    { sources: 2, queue: 110, first: "pause" },
    { sources: 3, queue: 150, first: "" },
  ],
};

test("parts lie side by side, headroom last, and fill the memory", () => {
  expect(pieces(memory).map(({ name, from, to }) => [name, from, Number(to.toFixed(9))])).toEqual([
    ["reserved_groups", 0, 0.1],
    ["shared", 0.1, 0.7],
    ["headroom", 0.7, 1],
  ]);
});

test("levels are counted from where shared memory begins; beyond the memory none is drawn", () => {
  expect(ticks(memory).map(({ name, at, kind }) => [name, Number(at.toFixed(9)), kind])).toEqual([
    ["xoff_one", 0.16, "pause"],
  ]);
});

test("what comes first is said only where something is marked", () => {
  expect(raceWords(memory)).toEqual([
    {
      first: "pause",
      text: "2 ports that fill one queue evenly are paused when it holds 110 B: the pause comes first.",
    },
  ]);
});

test("many switches are counted", () => {
  expect(switchNames(memory)).toBe("leaf0, leaf1 and 1 more");
  expect(switchNames({ ...memory, switches: ["a"] })).toBe("a");
});

test("a scenario pauses where a switch, or one that differs, has headroom", () => {
  expect(pauses({ switch: { headroom: { kind: "static_independent" } } })).toBe(true);
  expect(
    pauses({ switch: { headroom: { kind: "none" } }, switches: { leaf0: { headroom: { kind: "dynamic_shared" } } } }),
  ).toBe(true);
  expect(pauses({ switch: {} })).toBe(false);
  expect(pauses(undefined)).toBe(false);
});

test("what is kept is all that is not shared, where something pauses", () => {
  expect(keptBytes([memory, { ...memory, lines: [line("headroom", 500), line("shared_lossless", 500)] }])).toBe(500);
  expect(keptBytes([{ ...memory, lossless: [] }])).toBeUndefined();
  expect(keptBytes([])).toBeUndefined();
});

test("a buffer smaller than what is kept grows by as much, to two digits", () => {
  expect(roomFor(469_723_840, 250e3)).toBe(470e6);
  expect(roomFor(9.4e6, 250e3)).toBe(9.7e6);
  expect(roomFor(1e6, 4e6)).toBeUndefined();
});
