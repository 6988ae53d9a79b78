/** Differences between a scenario and a change of it, in words and as a table. */
import type { Schema } from "@/contract";
import { titleOf } from "@/lib/metrics";
import { formatQuantity } from "@/lib/quantity";

type Difference = Schema<"DifferenceDocument">;

export const VERDICTS: Record<Difference["verdict"], string> = {
  same: "same",
  unclear: "no clear difference",
  higher: "higher",
  lower: "lower",
};

export const GROUPS: { group: Difference["group"]; title: string }[] = [
  { group: "run", title: "Whole run" },
  { group: "traffic", title: "Completion times by traffic" },
  { group: "size", title: "Completion times by size" },
  { group: "memory", title: "Memory" },
];

export const nameOf = ({ group, name }: Difference): string => (group === "run" ? titleOf(name) : name);

/** A value with its unit; shares and counts as plain numbers. */
export const valueOf = (value: number, unit: string): string =>
  unit === "1" || unit === "packet" ? String(Number(value.toPrecision(4))) : formatQuantity(value, unit);

const signed = (value: number, unit: string) =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${valueOf(Math.abs(value), unit)}`;

/** The mean difference, relative where that is known, and its interval. */
export function differenceOf({ difference, relative, interval, unit, verdict }: Difference): {
  value: string;
  between: string;
} {
  if (verdict === "same") return { value: "0", between: "" };
  const share =
    relative === null ? "" : ` (${relative > 0 ? "+" : "−"}${Number((100 * Math.abs(relative)).toPrecision(3))} %)`;
  return {
    value: signed(difference, unit) + share,
    between: interval === null ? "" : `${signed(interval[0], unit)} to ${signed(interval[1], unit)}`,
  };
}

export const whatIfCsv = (differences: readonly Difference[]): string =>
  [
    "group,quantity,unit,pairs,a,b,difference,low,high,verdict",
    ...differences.map((one) =>
      [
        one.group,
        `"${one.name}"`,
        one.unit,
        one.pairs,
        one.a,
        one.b,
        one.difference,
        one.interval?.[0] ?? "",
        one.interval?.[1] ?? "",
        one.verdict,
      ].join(","),
    ),
    "",
  ].join("\n");
