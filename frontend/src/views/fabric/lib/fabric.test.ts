import { expect, test } from "vitest";

import {
  cycleOf,
  depths,
  frameOf,
  framesCsv,
  frameWords,
  headroomShares,
  headroomWords,
  longestQueue,
  lossWords,
  pausesCsv,
  withFabric,
  type Fabric,
  type PriorityGroup,
  type SwitchHeadroom,
} from "@/lib/fabric";
import { layoutOf, MOST_HOSTS } from "./fabricLayout";

const link = (from: string, to: string) => [
  { port: `${from}>${to}`, from, to, rate: 1e10, delay: 1e-6 },
  { port: `${to}>${from}`, from: to, to: from, rate: 1e10, delay: 1e-6 },
];

const fabric: Fabric = {
  step: 1e-6,
  start: 0,
  time: [1e-6, 2e-6],
  nodes: [
    ...["a", "b"].map((name) => ({ name, kind: "host" })),
    ...["s1", "s2"].map((name) => ({ name, kind: "switch" })),
  ],
  ports: [...link("a", "s1"), ...link("s1", "s2"), ...link("s2", "b")],
  queues: [
    { port: "s2>b", class: 0, queue_max: [1000, 3000], paused: [0, 0] },
    { port: "s2>b", class: 1, queue_max: [500, 0], paused: [0, 0] },
    { port: "s1>s2", class: 0, queue_max: [0, 2000], paused: [0, 0.5] },
  ],
  queues_left_out: 0,
  flows: { lasting: true, of: 0, fairness: [null, null], rates: [] },
  pauses: null,
};

test("a frame adds up classes and keeps the longest pause", () => {
  expect(frameOf(fabric, 0).get("s2>b")).toEqual({ queue: 1500, paused: 0 });
  expect(frameOf(fabric, 0, 1).get("s2>b")).toEqual({ queue: 500, paused: 0 });
  expect(longestQueue(fabric)).toBe(3000);
  expect(frameWords(fabric, 1, frameOf(fabric, 1))).toBe(
    "From 1.000 µs to 2.000 µs: the longest queue is 3.00 kB at s2 → b; 1 port is paused: s1 → s2 (50 %).",
  );
  expect(frameWords(fabric, 1, new Map())).toContain("no packet waits at a switch; no port is paused.");
});

test("a table has every frame of every class", () => {
  expect(framesCsv(fabric).split("\n")).toHaveLength(2 + 2 * 3);
});

const used = (most: number): SwitchHeadroom => ({
  switch: "s1",
  reserved: 36_000,
  most,
  pooled: false,
  groups: 3,
  never_used: most > 0 ? 2 : 3,
  used: most > 0 ? [{ port: "a>s1", class: 0, reserved: 12_000, most }] : [],
});

test("headroom is told with what was used of it", () => {
  expect(headroomWords([used(0)])).toBe("You reserved 36.0 kB at s1. None of it was ever used.");
  expect(headroomWords([used(7500)])).toBe("You reserved 36.0 kB at s1. The most ever used was 7.50 kB.");
  const counts = Object.fromEntries(headroomShares([used(7500)]).map(({ label, count }) => [label, count]));
  expect(counts).toMatchObject({ "never used": 2, "50 to 75 %": 1, "more than reserved": 0 });
  expect(headroomShares([used(13_000)]).find(({ label }) => label === "more than reserved")?.count).toBe(1);
});

test("lossless drops are told with the place of most of them", () => {
  const group = (port: string, drops: number) => ({ switch: "s1", port, class: 3, drops }) as PriorityGroup;
  expect(lossWords([group("a>s1", 0)])).toBeUndefined();
  expect(lossWords([])).toBeUndefined();
  expect(lossWords([group("a>s1", 2), group("b>s1", 5)])).toBe(
    "7 packets of lossless classes were dropped, 5 of them at s1, received on b → s1, class 3. " +
      "There the headroom was full, or senders do not react to marks.",
  );
});

test("a scenario that does not record the fabric does so in 200 frames of its measured time", () => {
  const seconds = (value: unknown) => (typeof value === "number" ? value : undefined);
  const run = { duration: 3, warmup: 1 };
  expect(withFabric({ run }, seconds)).toEqual({ run: { ...run, fabric: 0.01 } });
  expect(withFabric({ run: { ...run, fabric: 0.5 } }, seconds)).toEqual({ run: { ...run, fabric: 0.5 } });
});

test("nodes of a tree are as far from the root as their parents say", () => {
  const sum = { pauses: 1, time: 1e-6, longest: 1e-6, first: 0, root: "s2>b", class: 0 };
  const tree = [
    { ...sum, id: 0, parent: null, port: "s1>s2" },
    { ...sum, id: 1, parent: 0, port: "a>s1" },
  ];
  expect([...depths(tree).values()]).toEqual([1, 2]);
  expect(
    cycleOf({ time: 0, found: 0, behind: 0, cycle: [{ switch: "s2", port: "s1>s2", class: 0, since: 0, stuck: 1 }] }),
  ).toEqual(new Set(["s1>s2 0"]));
  const pause = {
    port: "a>s1",
    class: null,
    asked: 1,
    ended: null,
    outlet: "s1>s2",
    waiting: 5,
    cause: null,
    root: "s2>b",
  };
  const csv = pausesCsv({
    until: 1,
    count: 1,
    roots: [],
    tree: [],
    by_port: [],
    victims: [],
    pauses: [
      {
        ...pause,
        held: [
          [1, 3],
          [5, 6],
        ],
      },
    ],
  });
  expect(csv.split("\n")[1]).toBe("0,a>s1,all,1,,3,s1>s2,5,,s2>b");
});

test("every node has a place of its own, and many hosts share a box", () => {
  const { places, wires, joined } = layoutOf(fabric);
  expect(joined).toBe(false);
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
  expect(wires).toHaveLength(6);
  const many = Array.from({ length: MOST_HOSTS + 1 }, (_, i) => `h${i}`);
  const star = layoutOf({
    ...fabric,
    nodes: [...many.map((name) => ({ name, kind: "host" })), { name: "s", kind: "switch" }],
    ports: many.flatMap((name) => link(name, "s")),
  });
  expect(star.joined).toBe(true);
  expect(star.places).toHaveLength(2);
  const leaves = Array.from({ length: 16 }, (_, i) => `leaf${i}`);
  const wide = layoutOf({
    ...fabric,
    nodes: [
      ...leaves.flatMap((leaf) => Array.from({ length: 8 }, (_, i) => ({ name: `${leaf}h${i}`, kind: "host" }))),
      ...[...leaves, "spine"].map((name) => ({ name, kind: "switch" })),
    ],
    ports: leaves.flatMap((leaf) => [
      ...link(leaf, "spine"),
      ...Array.from({ length: 8 }, (_, i) => link(`${leaf}h${i}`, leaf)).flat(),
    ]),
  });
  expect(wide.joined).toBe(true);
  expect(wide.places).toHaveLength(16 + 16 + 1);
  expect(star.wires.find(({ from }) => from === "s")?.ports).toHaveLength(MOST_HOSTS + 1);
});
