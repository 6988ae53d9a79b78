/** Up to three scenarios side by side: their address, and the difference of two numbers in words. */
import { readLeaves, writeLeaves } from "@/lib/leaves";
import { percent, significant } from "@/lib/number";
import type { JsonObject } from "@/lib/path";
import { formatQuantity } from "@/lib/quantity";

export const SLOTS = ["a", "b", "c"] as const;

/** A preset as it is, or a scenario of one's own. */
export type Slot = { preset?: string; scenario?: JsonObject };

export type Comparison = {
  slots: Slot[];
  /** What the plot shows. */
  metric: string;
  engine: string;
};

export const COMPARED = ["utilisation", "drop_rate", "queue_mean", "queue_p99"];
export const COMPARED_ENGINES = ["theory", "fluid", "packet"];
const STANDARD = { metric: "utilisation", engine: "fluid" };

export function encodeComparison({ slots, metric, engine }: Comparison): string {
  const query = new URLSearchParams();
  slots.forEach(({ preset, scenario }, i) => {
    const key = SLOTS[i];
    if (key === undefined) return;
    if (scenario !== undefined) writeLeaves(query, scenario, `${key}.`);
    else if (preset !== undefined) query.set(key, preset);
  });
  if (metric !== STANDARD.metric) query.set("metric", metric);
  if (engine !== STANDARD.engine) query.set("engine", engine);
  return query.toString();
}

export function decodeComparison(search: string): Comparison {
  const query = new URLSearchParams(search);
  const slots = SLOTS.flatMap((key): Slot[] => {
    const scenario = readLeaves(
      [...query]
        .filter(([name]) => name.startsWith(`${key}.`))
        .map(([name, value]): [string, string] => [name.slice(2), value]),
    );
    const preset = query.get(key);
    if (scenario !== undefined) return [{ scenario }];
    return preset === null || preset === "" ? [] : [{ preset }];
  });
  return {
    slots,
    metric: COMPARED.find((one) => one === query.get("metric")) ?? STANDARD.metric,
    engine: COMPARED_ENGINES.find((one) => one === query.get("engine")) ?? STANDARD.engine,
  };
}

/** What a link says that the view cannot use. */
export function ignoredInComparison(search: string): string[] {
  const query = new URLSearchParams(search);
  const wrong = (key: string, known: readonly string[]) =>
    query
      .getAll(key)
      .filter((value) => !known.includes(value))
      .map((value) => `${key}=${value} (one of ${known.join(", ")})`);
  const unknown = [...new Set([...query.keys()].map((key) => key.split(".")[0] ?? key))].filter(
    (key) => !["metric", "engine", ...SLOTS].includes(key),
  );
  return [
    ...wrong("metric", COMPARED),
    ...wrong("engine", COMPARED_ENGINES),
    ...unknown.map((key) => `${key} (no such field)`),
  ];
}

/** A number with the interval of its replicas, where there are several. */
export type Measured = { value: number; interval?: readonly [number, number] | undefined };

export type Difference = { absolute: string; relative: string; verdict: "better" | "worse" | "same" };

const MORE_IS_BETTER = new Set(["utilisation", "throughput", "goodput", "fairness"]);
const FRACTIONS = new Set(["utilisation", "drop_rate"]);
/** Relative differences below this count as none. */
const SAME = 0.005;

/** How `other` differs from `base`; intervals that overlap leave it open. */
export function difference(metric: string, unit: string, base: Measured, other: Measured): Difference {
  const most = Math.max(Math.abs(base.value), Math.abs(other.value));
  // A rounding error is no difference.
  const gap = Math.abs(other.value - base.value) <= 1e-9 * most ? 0 : other.value - base.value;
  const sign = gap > 0 ? "+" : gap < 0 ? "−" : "";
  const size = Math.abs(gap);
  const absolute = FRACTIONS.has(metric) ? `${significant(100 * size)} points` : formatQuantity(size, unit);
  const relative = base.value === 0 ? (gap === 0 ? "0 %" : "–") : `${sign}${percent(size / Math.abs(base.value))}`;
  const open = overlap(base, other) || size <= SAME * most;
  return {
    absolute: `${sign}${absolute}`,
    relative,
    verdict: open ? "same" : gap > 0 === MORE_IS_BETTER.has(metric) ? "better" : "worse",
  };
}

function overlap({ interval: a }: Measured, { interval: b }: Measured): boolean {
  return a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];
}
