import { expect, test } from "vitest";

import { filled, firstPause, groupName, pauseWords, type PriorityGroup } from "@/lib/pauses";

const quiet: PriorityGroup = {
  switch: "switch",
  port: "h1>switch",
  class: 3,
  pause_frames: 0,
  pause_time: 0,
  xoff_time: 0,
  drops: 0,
  shared_max: 4e4,
  headroom_max: 0,
  headroom: 37500,
  first_pause: null,
};
const paused: PriorityGroup = {
  ...quiet,
  pause_frames: 12,
  pause_time: 5e-5,
  xoff_time: 6e-5,
  headroom_max: 30000,
  first_pause: 2e-5,
};

test("a quiet fabric says so", () => {
  expect(pauseWords([quiet])).toBe("No packet of a lossless class was lost. No switch sent a pause frame.");
  expect(firstPause([quiet])).toBeUndefined();
});

test("pauses are counted over all groups, and the first one has its time", () => {
  expect(pauseWords([paused, { ...paused, pause_frames: 1, first_pause: 1e-5 }])).toBe(
    "No packet of a lossless class was lost. Switches sent 13 pause frames, the first at 10.0 µs; " +
      "classes were held back for 100 µs in all.",
  );
});

test("a loss names the group that lost most and its headroom", () => {
  expect(
    pauseWords([
      { ...paused, drops: 2 },
      { ...paused, class: null, drops: 5 },
    ]),
  ).toContain(
    "7 packets of lossless classes were lost, 5 of them from h1 → switch, all classes, which filled " +
      "30.0 kB of 37.5 kB headroom.",
  );
});

test("a group has a name, and a share of headroom where it has any", () => {
  expect(groupName(paused)).toBe("h1 → switch, class 3");
  expect(filled(paused)).toBe(0.8);
  expect(filled({ ...paused, headroom: 0 })).toBeUndefined();
});
