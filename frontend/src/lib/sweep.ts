/** A sweep of one field as the API writes it: "25kB:2.5MB:log41". */
import { fieldText, parseQuantity } from "@/lib/quantity";

export type Sweep = { low: number; high: number; points: number };

export const BUFFER = "switch.buffer";

/** Reads "25kB:2.5MB:log41"; null when it is anything else. */
export function parseSweep(text: string): Sweep | null {
  const [from, to, scale] = text.split(":");
  const count = /^log(\d+)$/.exec(scale ?? "");
  if (from === undefined || to === undefined || count === null) return null;
  const low = parseQuantity(from, "B");
  const high = parseQuantity(to, "B");
  if ("error" in low || "error" in high) return null;
  const points = Number(count[1]);
  return low.value > 0 && high.value > low.value && points >= 2 ? { low: low.value, high: high.value, points } : null;
}

export function formatSweep({ low, high, points }: Sweep): string {
  const text = (value: number) => fieldText(value, "B").replace(" ", "");
  return `${text(low)}:${text(high)}:log${points}`;
}

/** The range an axis shows: the sweep with a little room at both ends. */
export function span({ low, high }: Sweep): [number, number] {
  const room = (high / low) ** 0.02;
  return [low / room, high * room];
}
