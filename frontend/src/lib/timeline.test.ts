import { expect, test } from "vitest";

import {
  aboveNote,
  keyOf,
  pausePanels,
  queueName,
  queueTop,
  summaryOf,
  timelineColumns,
  timelinePanels,
  timelineWords,
  type Timeline,
  type TimelineQueue,
} from "@/lib/timeline";

const queue = (more: Partial<TimelineQueue> = {}): TimelineQueue => ({
  port: "switch>h0",
  class: 0,
  card: 0,
  queue: [0, 60e3, 90e3, 10e3],
  queue_max: [0, 80e3, 100e3, 90e3],
  threshold: [200e3, 120e3, 100e3, 190e3],
  free: [200e3, 120e3, 100e3, 190e3],
  free_min: [200e3, 110e3, 95e3, 100e3],
  marked: [0, 2, 3, 0],
  dropped: [0, 0, 4, 1],
  ...more,
});
const timeline = (...queues: TimelineQueue[]): Timeline => ({
  step: 1e-3,
  time: [1e-3, 2e-3, 3e-3, 4e-3],
  queues,
  groups: [],
});

test("what happened to a queue is counted over all steps", () => {
  const summary = summaryOf(timeline(queue()), queue());
  expect(summary).toEqual({
    peak: 100e3,
    peakTime: 3e-3,
    lowestThreshold: 100e3,
    leastFree: 95e3,
    marked: 5,
    dropped: 5,
    firstDrop: 2e-3,
  });
  expect(
    summaryOf(timeline(queue({ dropped: [0, 0, 0, 0] })), queue({ dropped: [0, 0, 0, 0] })).firstDrop,
  ).toBeUndefined();
});

test("the words name peak, threshold, losses and marks", () => {
  expect(timelineWords(timeline(queue()), queue())).toBe(
    "The queue peaks at 100 kB, at 3.00 ms; the threshold never falls below 100 kB. 5 packets dropped, " +
      "the first at 2.00 ms, 5 packets marked. 95.0 kB of shared memory stayed free.",
  );
  expect(timelineWords(timeline(queue()), queue({ dropped: [0, 0, 0, 0], marked: [0, 0, 0, 0] }))).toContain(
    "Nothing was dropped.",
  );
});

test("a queue says its class and card only where some other has another", () => {
  const [first, second] = [queue(), queue({ class: 3 })];
  expect(queueName(first, timeline(first))).toBe("switch → h0");
  expect(queueName(second, timeline(first, second))).toBe("switch → h0, class 3");
  expect(queueName(queue({ card: 2 }), timeline(first, queue({ card: 2 })))).toBe("switch → h0, card 2");
  expect(keyOf(first)).not.toBe(keyOf(second));
});

test("a threshold far above the queue is cut off only near the queue, and then said", () => {
  expect(queueTop(100, 1e6, 2e6, false)).toBeGreaterThan(2e6);
  const near = queueTop(100, 1e6, 2e6, true);
  expect(near).toBeLessThan(200);
  expect(queueTop(100, 250, 2e6, true)).toBeGreaterThan(250);
  expect(aboveNote(near, 1e6)).toBe("threshold above, 1.00 MB and more");
  expect(aboveNote(2e6, 1e6)).toBeUndefined();
});

test("three plots per queue share the timeline's steps, and the values have a row per step", () => {
  const panels = timelinePanels(timeline(queue()), queue(), false);
  expect(panels.map(({ title }) => title)).toEqual([
    "switch → h0",
    "Free memory",
    "Marked and dropped packets per step",
  ]);
  for (const { ends, lines } of panels) for (const { values } of lines) expect(values).toHaveLength(ends.length);
  for (const { values } of timelineColumns(queue())) expect(values).toHaveLength(4);
});

test("pauses are drawn for the groups that were held back longest, losses only where there are any", () => {
  const group = (port: string, paused: number[], dropped = [0, 0]) => ({
    port,
    class: 3,
    shared: [1, 2],
    shared_max: [2, 2],
    headroom: [0, 0],
    headroom_max: [0, 1],
    threshold: [5, 5],
    paused,
    dropped,
  });
  const groups = [
    group("h1>switch", [0, 0.1]),
    group("h2>switch", [1, 1], [0, 3]),
    group("h3>switch", [0, 0]),
    group("h4>switch", [0, 0.5]),
  ];
  const panels = pausePanels({ step: 1, time: [1, 2], queues: [], groups });
  expect(panels.map(({ title }) => title)).toEqual([
    "Priority group h2 → switch, class 3",
    "h2 → switch, class 3: held back, and packets lost",
    "Priority group h4 → switch, class 3",
    "h4 → switch, class 3: held back",
    "Priority group h1 → switch, class 3",
    "h1 → switch, class 3: held back",
  ]);
  expect(panels[1]?.lines.map(({ name }) => name)).toEqual(["held back, part of the step", "lost"]);
  expect(pausePanels(timeline(queue()))).toEqual([]);
});
