/** What can be drawn: the engines' metrics, and the queueing delay derived from the queue. */
import type { Schema } from "@/contract";
import type { Derived } from "@/lib/derived";
import { metricsOf, type Point } from "@/lib/points";

export type MetricInfo = Schema<"Metric">;

/**
 * One drawable quantity: `metric` of a result times `scale`; `tail` is its 99th percentile where that is drawn beside
 * it.
 */
export type Quantity = {
  id: string;
  title: string;
  metric: string;
  unit: string;
  scale: number;
  log: boolean;
  tail?: string;
};

/** The completion time of one more transfer: median and 99th percentile in one plot. */
export const TRANSFER = "transfer";
const MEDIAN = "transfer_p50";
const TAIL = "transfer_p99";

const titles: Record<string, string> = {
  drop_rate: "Drop rate",
  utilisation: "Utilisation",
  delay: "Queueing delay, mean",
  delay_p99: "Queueing delay, 99th percentile",
  queue_mean: "Queue, mean",
  queue_p50: "Queue, median",
  queue_p99: "Queue, 99th percentile",
  queue_max: "Peak queue",
  lossless_drops: "Lossless drops",
  pause_frames: "Pause frames",
  pause_time: "Pause time, all ports and classes",
  watchdog_alarms: "Alarms of the PFC watchdog",
  deadlock: "Deadlock (1) or none (0)",
  xoff_time: "Time above Xoff, all groups",
  headroom_max: "Peak headroom of one group",
  fct_mean: "Completion time, mean",
  fct_p50: "Completion time, median",
  fct_p95: "Completion time, 95th percentile",
  fct_p99: "Completion time, 99th percentile",
  fct_count: "Completed flows",
  fct_unfinished: "Unfinished flows",
  qct_mean: "Query completion, mean",
  qct_p50: "Query completion, median",
  qct_p99: "Query completion, 99th percentile",
  qct_count: "Completed queries",
  qct_unfinished: "Unfinished queries",
  transfer: "Completion time of one transfer",
  transfer_p50: "Completion time of one transfer, median",
  transfer_p99: "Completion time of one transfer, 99th percentile",
  slowdown_p50: "Slowdown, median",
  slowdown_p99: "Slowdown, 99th percentile",
};

export function titleOf(id: string): string {
  return titles[id] ?? sentence(id);
}

function sentence(id: string): string {
  const words = id.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const delays: Record<string, string> = { delay: "queue_mean", delay_p99: "queue_p99" };

/** The metric on which a target for a quantity is set: of a transfer the 99th percentile. */
export const judgedBy = (id: string): string => (id === TRANSFER ? TAIL : (delays[id] ?? id));

/** The columns that a table has for a quantity. */
export function columnsOf(quantity: Quantity): Quantity[] {
  const { tail, ...median } = quantity;
  if (tail === undefined) return [quantity];
  return [
    { ...median, id: median.metric, title: "Transfer p50" },
    { ...median, id: tail, metric: tail, title: "Transfer p99" },
  ];
}

/** Whether a metric is drawn on a logarithmic scale. */
export const isLog = (metric: string) =>
  !["utilisation", "fairness", "slowdown_p50", "goodput", "throughput"].includes(metric);

/** The quantity called `id`, or undefined when delay is asked for and no drain rate is known. */
export function quantityOf(id: string, metrics: Record<string, MetricInfo>, derived: Derived): Quantity | undefined {
  const queue = delays[id];
  if (queue !== undefined) {
    if (derived.capacity === undefined) return undefined;
    return { id, title: titleOf(id), metric: queue, unit: "s", scale: 8 / derived.capacity, log: true };
  }
  if (id === TRANSFER) return { id, title: titleOf(id), metric: MEDIAN, unit: "s", scale: 1, log: true, tail: TAIL };
  const unit = metrics[id]?.unit ?? "1";
  return { id, title: titleOf(id), metric: id, unit, scale: 1, log: isLog(id) };
}

/** Quantities the third plot can show, given what was answered. */
export function choices(points: Point[], metrics: Record<string, MetricInfo>, derived: Derived): string[] {
  const present = metricsOf(points);
  const known = Object.keys(metrics).filter(
    (name) => present.has(name) && !["drop_rate", "utilisation", MEDIAN, TAIL].includes(name),
  );
  const transfer = present.has(MEDIAN) && metrics[MEDIAN] !== undefined ? [TRANSFER] : [];
  const derivedDelays = Object.keys(delays).filter(
    (id) => present.has(delays[id] ?? "") && derived.capacity !== undefined,
  );
  return [...transfer, ...derivedDelays, ...known];
}

/** Completion time of the flows that complete, else of one more transfer, else queueing delay. */
export function defaultChoice(available: string[]): string {
  return (
    ["fct_mean", "fct_p50", TRANSFER, "delay", "queue_mean"].find((id) => available.includes(id)) ??
    available[0] ??
    "delay"
  );
}
