/** A sweep of one field as the API writes it: "25kB:2.5MB:log41". */
import { getPath, type JsonObject } from "@/lib/path";
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

/** The chosen buffer in bytes; undefined when it makes no sense or is given in packets of unknown size. */
export function bufferBytes(scenario: JsonObject): number | undefined {
  const size = (path: string, packets: boolean) => {
    const raw = getPath(scenario, path);
    if (typeof raw === "number") return { value: raw, unit: "B" };
    const parsed = typeof raw === "string" ? parseQuantity(raw, "B", { packets }) : undefined;
    return parsed !== undefined && "value" in parsed ? parsed : undefined;
  };
  const buffer = size(BUFFER, true);
  if (buffer?.unit !== "packet") return buffer?.value;
  const mtu = getPath(scenario, "run.mtu") === undefined ? { value: 1500 } : size("run.mtu", false);
  return mtu === undefined ? undefined : buffer.value * mtu.value;
}

/** A decade either way of a buffer. */
export function around(buffer: number): Sweep {
  const round = (value: number) => Number(value.toPrecision(2));
  return { low: round(buffer / 10), high: round(buffer * 10), points: 9 };
}

/** The range an axis shows: the sweep with a little room at both ends. */
export function span({ low, high }: Sweep): [number, number] {
  const room = (high / low) ** 0.02;
  return [low / room, high * room];
}
