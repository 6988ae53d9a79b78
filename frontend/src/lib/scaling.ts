/** What was done to a scenario to make it small, in words. */
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

export type ScaledField = { path: string; before: number; after: number; divisor: number; rule: string };
export type ScaledQuantity = { name: string; unit: string; before: number; after: number; meaning: string; path: string };
export type Scaling = { factor: number; changes: ScaledField[]; kept: ScaledQuantity[]; changed: ScaledQuantity[]; notes: string[] };

/** "kept" or how a quantity went from one scale to the other. */
export function passage({ unit, before, after }: ScaledQuantity): string {
  if (Math.abs(after - before) <= 1e-9 * Math.abs(before)) return formatQuantity(after, unit);
  const ratio = before === 0 ? "" : ` (×${significant(after / before, 2)})`;
  return `${formatQuantity(before, unit)} → ${formatQuantity(after, unit)}${ratio}`;
}
