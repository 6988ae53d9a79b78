/** The error to expect of an answer, in words. */

import type { Result } from "@/lib/points";

export type Expected = NonNullable<Result["expected_error"]>;

/** One error against packets: points of utilisation, a share of the buffer, or how many times the packets' value. */
export function errorWords(unit: string, error: number): string {
  if (unit === "times") return `${error.toFixed(2)} times`;
  const [value, rest] =
    unit === "points" ? [error.toFixed(2), "points"] : [(100 * error).toFixed(1), "% of the buffer"];
  return `${value.startsWith("-") ? value.replace("-", "−") : `+${value}`} ${rest}`;
}

const SHOWN = [
  ["utilisation", "utilisation", "points"],
  ["drop_rate", "drop rate", "times"],
  ["queue_mean", "mean queue", "of the buffer"],
  ["fct_p99", "slowest transfers", "times"],
] as const;

/** How far such an answer was from packets at the nearest case that was measured, or why none is near. */
export function expectedWords({ case: nearest, reason, errors }: Expected): string {
  if (nearest === "") return `not measured near here: ${reason}.`;
  const parts = SHOWN.flatMap(([metric, name, unit]) => {
    const error = errors[metric];
    return error === undefined ? [] : [`${name} ${errorWords(unit, error)}`];
  });
  return `${parts.join(", ")} (measured at ${nearest}).`;
}
