import { expect, test } from "vitest";

import { calculated, observed, verdict } from "@/lib/ecnRun";
import type { SwitchMemory } from "@/lib/memory";
import type { Result } from "@/lib/points";
import { part } from "@/test/part";

const memory = {
  switches: ["switch"],
  buffer: 1e6,
  ports: 5,
  lossless: [0],
  lines: [],
  levels: [{ name: "kmin", title: "", bytes: 4e5, of: "queue", formula: "" }],
  races: [
    { sources: 2, queue: 3e5, first: "pause" },
    { sources: 4, queue: 5e5, first: "marking" },
  ],
} satisfies SwitchMemory;

const result = (marked: number[], first: number | null): Result =>
  part<Result>({
    engine: "packet",
    scenario: {},
    intervals: {},
    notes: [],
    explanations: [],
    metrics: { marks: 3, pause_frames: 1, lossless_drops: 0, queue_max: 9 },
    timeline: {
      step: 1,
      time: [1, 2, 3],
      queues: [
        {
          port: "a>b",
          class: 0,
          card: 0,
          queue: [],
          queue_max: [],
          threshold: [],
          free: [],
          free_min: [],
          marked,
          dropped: [],
        },
      ],
      groups: [],
    },
    priority_groups: [
      {
        switch: "s",
        port: "h>s",
        class: 0,
        pause_frames: 1,
        pause_time: 1,
        xoff_time: 1,
        drops: 0,
        shared_max: 1,
        headroom_max: 1,
        headroom: 1,
        first_pause: first,
      },
    ],
  });

test("the calculation is that for as many sources as there are flows, else for all ports", () => {
  expect(calculated([memory], { traffic: [{ flows: 2 }] })).toEqual({
    sources: 2,
    queue: 3e5,
    first: "pause",
    mark: 4e5,
  });
  expect(calculated([memory], { traffic: [{ flows: 9 }] })?.sources).toBe(4);
  expect(calculated([], {})).toBeUndefined();
});

test("what came first is read from the first mark and the first pause", () => {
  expect(observed(result([0, 2, 1], 2.5))).toMatchObject({
    first: "marking",
    mark: 2,
    pause: 2.5,
    marks: 3,
    frames: 1,
  });
  expect(observed(result([0, 2, 1], 1.5)).first).toBe("pause");
  expect(observed(result([0, 0, 0], 1.5)).first).toBe("pause");
  expect(observed(result([0, 0, 0], null)).first).toBe("");
});

test("marks that come first but too late are told from marks that suffice", () => {
  expect(verdict(observed(result([1, 0, 0], null)))).toContain("kept the senders below the pause");
  expect(verdict(observed(result([1, 0, 0], 3)))).toContain("slowed too late");
  expect(verdict({ ...observed(result([0, 0, 0], 1)), lost: 2 })).toBe(
    "The pause came first. Packets of lossless classes were lost.",
  );
});
