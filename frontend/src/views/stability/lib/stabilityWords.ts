/** Answers of the stability analysis in words, and their numbers with units. */
import { percent, significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { label } from "@/lib/schema";

type Cycle = { queue_min: number; queue_max: number; mean: number; utilisation: number; period?: number | null };
export type Answer = {
  stable: boolean | null;
  fixed_point: Record<string, number>;
  rightmost?: [number, number] | number[] | null;
  cycle?: Cycle | null;
  reason?: string | null;
};

const UNITS: Record<string, string> = {
  queue: "B",
  round_trip: "s",
  rate: "bit/s",
  rate_target: "bit/s",
  window: "B",
  queue_packets: "packet",
  window_packets: "packet",
  gradient: "1",
};
const NAMES: Record<string, string> = {
  queue: "Queue",
  queue_packets: "Queue in packets",
  probability: "Marks and losses",
  load: "Load",
  round_trip: "Round trip",
  rate: "Rate of a flow",
  rate_target: "Target rate",
  window: "Window",
  window_packets: "Window in packets",
};

export type Row = { key: string; name: string; value: string };

/** The fixed point, named and with units; of several groups each with the group's name. */
export function restRows(point: Record<string, number>): Row[] {
  return Object.entries(point).map(([key, value]) => {
    const [own = key, ...groups] = key.split(".").toReversed();
    const name = [...groups.toReversed(), NAMES[own] ?? label(own)].join(" · ");
    const unit = UNITS[own] ?? "1";
    return {
      key,
      name,
      value:
        own === "probability"
          ? percent(value)
          : own === "load"
            ? percent(Number(value.toFixed(6)))
            : formatQuantity(value, unit),
    };
  });
}

/** The verdict in one line. */
export function verdictOf({ stable, fixed_point: point, cycle, rightmost }: Answer): string {
  if (stable === true) return `Stable: the queue settles at ${formatQuantity(point.queue ?? 0, "B")}`;
  if (cycle !== undefined && cycle !== null)
    return (
      `Unstable: the queue oscillates between ${formatQuantity(cycle.queue_min, "B")} and ` +
      formatQuantity(cycle.queue_max, "B")
    );
  if (stable === false)
    return (rightmost ?? undefined) === undefined
      ? "Unstable: the queue does not settle"
      : "Unstable: a small disturbance of the equilibrium grows";
  return "Undecided: in the linear equations a small disturbance neither grows nor decays";
}

/** The effect of a small disturbance: how fast it grows or dies out, and how it oscillates. */
export function pushOf([growth = 0, frequency = 0]: readonly number[]): string {
  const pace =
    growth < 0
      ? `decays to 1/e in ${formatQuantity(-1 / growth, "s")}`
      : `grows ×2.7 every ${formatQuantity(1 / growth, "s")}`;
  const oscillation =
    Math.abs(frequency) > 1e-9 * Math.abs(growth)
      ? `, period ${formatQuantity((2 * Math.PI) / Math.abs(frequency), "s")}`
      : "";
  return growth === 0 ? "neither grows nor decays" : pace + oscillation;
}

export const rateText = (value: number) => `${value < 0 ? "−" : ""}${significant(Math.abs(value))} /s`;

export const rootText = ([re = 0, im = 0]: readonly number[]) =>
  `${value(re)}${im === 0 ? "" : ` ± ${significant(Math.abs(im))} j`} /s`;

const value = (number: number) => `${number < 0 ? "−" : ""}${significant(Math.abs(number))}`;

/** A signed number with its unit: "−96.5°", "−12.6 dB". */
export const signed = (number: number, unit: string) => `${value(number)}${unit === "°" ? "" : " "}${unit}`;

/** A time that may have to become shorter: "−16.4 ms". */
export const signedTime = (seconds: number) => `${seconds < 0 ? "−" : ""}${formatQuantity(Math.abs(seconds), "s")}`;
