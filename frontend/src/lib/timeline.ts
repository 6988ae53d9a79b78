/** What a policy did, step by step around an event: a packet run's timeline as plots, words and values. */
import type { Schema } from "@/contract";
import type { Column } from "@/lib/columns";
import { formatQuantity } from "@/lib/quantity";
import type { Panel } from "@/lib/timePanels";

/** One queue, one value per step. */
export type TimelineQueue = Schema<"TimelineQueue">;
export type Timeline = Schema<"TimelineDocument">;

/** What tells a queue from the others of a timeline. */
export const keyOf = ({ port, class: own, card }: TimelineQueue) => `${port}/${own}/${card}`;

/** Its name: class and card are said only where some queue has another. */
export function queueName(queue: TimelineQueue, { queues }: Timeline): string {
  const classes = queues.some((other) => other.class !== queue.class);
  const cards = queues.some((other) => other.card !== queue.card);
  return [
    queue.port.replace(">", " → "),
    ...(classes ? [`class ${queue.class}`] : []),
    ...(cards ? [`card ${queue.card}`] : []),
  ].join(", ");
}

const most = (values: readonly number[]) => values.reduce((high, value) => Math.max(high, value), 0);
const least = (values: readonly number[]) => values.reduce((low, value) => Math.min(low, value), Infinity);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Upper end of an axis: up to the highest threshold, or near the queue, where thresholds far above it are cut off. */
export function queueTop(peak: number, lowestThreshold: number, highestThreshold: number, near: boolean): number {
  const top = !near
    ? Math.max(peak, highestThreshold)
    : lowestThreshold < 3 * peak
      ? Math.max(peak, lowestThreshold)
      : peak;
  return top > 0 ? top * 1.12 : 1;
}

/** Said in a plot whose threshold lies above it. */
export const aboveNote = (top: number, lowest: number): string | undefined =>
  lowest > top && Number.isFinite(lowest) ? `threshold above, ${formatQuantity(lowest, "B")} and more` : undefined;

/** The plots of one queue: it against its threshold, the memory left, and what was marked and dropped. */
export function timelinePanels(timeline: Timeline, queue: TimelineQueue, near: boolean): Panel[] {
  const [peak, lowest] = [most(queue.queue_max), least(queue.threshold)];
  const top = queueTop(peak, lowest, most(queue.threshold), near);
  const note = aboveNote(top, lowest);
  const steps = { ends: timeline.time, step: timeline.step };
  return [
    {
      ...steps,
      title: queueName(queue, timeline),
      unit: "B",
      height: 190,
      top,
      ...(note === undefined ? {} : { note }),
      lines: [
        {
          name: "queue",
          values: queue.queue,
          edge: queue.queue_max,
          edgeName: "most",
          style: "solid",
          colour: "current",
        },
        { name: "threshold", values: queue.threshold, style: "dash", colour: "pinned" },
      ],
    },
    {
      ...steps,
      title: "Free memory",
      unit: "B",
      height: 84,
      lines: [
        {
          name: "free",
          values: queue.free,
          edge: queue.free_min,
          edgeName: "least",
          style: "solid",
          colour: "current",
        },
      ],
    },
    {
      ...steps,
      title: "Marked and dropped packets per step",
      unit: "1",
      height: 72,
      lines: [
        { name: "marked", values: queue.marked, style: "hatched", colour: "pinned" },
        { name: "dropped", values: queue.dropped, style: "bars", colour: "bad" },
      ],
    },
  ];
}

/** Groups drawn, those that paused longest. */
const MOST_GROUPS = 3;

/**
 * The plots of lossless classes: what the groups that paused longest held, beside Xoff, and when their neighbours were
 * held back.
 */
export function pausePanels({ time, step, groups }: Timeline): Panel[] {
  const steps = { ends: time, step };
  const worst = groups.toSorted(
    (a, b) =>
      sum(b.paused) - sum(a.paused) || sum(b.dropped) - sum(a.dropped) || most(b.shared_max) - most(a.shared_max),
  );
  return worst.slice(0, MOST_GROUPS).flatMap((group): Panel[] => {
    const name = `${group.port.replace(">", " → ")}, class ${group.class}`;
    const lost = sum(group.dropped) > 0;
    return [
      {
        ...steps,
        title: `Priority group ${name}`,
        unit: "B",
        height: 110,
        lines: [
          {
            name: "shared",
            values: group.shared,
            edge: group.shared_max,
            edgeName: "most",
            style: "solid",
            colour: "current",
          },
          { name: "Xoff", values: group.threshold, style: "dash", colour: "pinned" },
          { name: "headroom", values: group.headroom_max, style: "dot", colour: "bad" },
        ],
      },
      {
        ...steps,
        title: `${name}: held back${lost ? ", and packets lost" : ""}`,
        unit: "1",
        height: 34,
        ...(lost ? {} : { top: 1.05 }),
        lines: [
          { name: "held back, part of the step", values: group.paused, style: "hatched", colour: "pinned" },
          ...(lost ? [{ name: "lost", values: group.dropped, style: "bars" as const, colour: "bad" as const }] : []),
        ],
      },
    ];
  });
}

/** What happened to one queue. */
export function summaryOf({ time, step }: Timeline, queue: TimelineQueue) {
  const peak = most(queue.queue_max);
  const first = queue.dropped.findIndex((count) => count > 0);
  return {
    peak,
    peakTime: time[queue.queue_max.indexOf(peak)] ?? 0,
    lowestThreshold: least(queue.threshold),
    leastFree: least(queue.free_min),
    marked: sum(queue.marked),
    dropped: sum(queue.dropped),
    /** Beginning of the step in which the first was dropped. */
    firstDrop: first < 0 ? undefined : (time[first] ?? 0) - step,
  };
}

/** The same in a sentence. */
export function timelineWords(timeline: Timeline, queue: TimelineQueue): string {
  const { peak, peakTime, lowestThreshold, leastFree, marked, dropped, firstDrop } = summaryOf(timeline, queue);
  const held =
    `The queue peaks at ${formatQuantity(peak, "B")}, at ${formatQuantity(peakTime, "s")}; the threshold ` +
    `never falls below ${formatQuantity(lowestThreshold, "B")}.`;
  const lost =
    dropped === 0
      ? "Nothing was dropped"
      : `${formatQuantity(dropped, "packet")} dropped, the first at ${formatQuantity(firstDrop ?? 0, "s")}`;
  return (
    `${held} ${lost}${marked > 0 ? `, ${formatQuantity(marked, "packet")} marked` : ""}. ` +
    `${formatQuantity(leastFree, "B")} of shared memory stayed free.`
  );
}

export const timelineColumns = (queue: TimelineQueue): Column[] => [
  { title: "Peak queue", unit: "B", values: queue.queue_max, join: "most" },
  { title: "Threshold", unit: "B", values: queue.threshold, join: "least" },
  { title: "Minimum free", unit: "B", values: queue.free_min, join: "least" },
  { title: "Marked", unit: "1", values: queue.marked, join: "sum" },
  { title: "Dropped", unit: "1", values: queue.dropped, join: "sum" },
];
