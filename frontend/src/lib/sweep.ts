/** A sweep of the buffer as the API writes it: a range "25kB:2.5MB:log41" or a list "40 packets,400 packets". */
import { getPath, isObject, type Json, type JsonObject } from "@/lib/path";
import { fieldText, parseQuantity } from "@/lib/quantity";

export type Sweep = {
  low: number;
  high: number;
  points: number;
  /** The sizes as they were listed, when they are no range. */
  list?: string;
};

export const BUFFER = "switch.buffer";
const MTU = 1500;
/** Sizes that a buffer may have, as its field has them. */
export const BUFFERS = { least: 1, most: 1e12 };

/** A size in bytes, as text or number; `mtu` turns packets into bytes. */
function bytes(raw: Json | undefined, mtu: number): number | undefined {
  if (typeof raw === "number") return raw;
  const parsed = typeof raw === "string" ? parseQuantity(raw, "B", { packets: true }) : undefined;
  if (parsed === undefined || "error" in parsed) return undefined;
  return parsed.unit === "packet" ? parsed.value * mtu : parsed.value;
}

const mtuOf = (scenario: JsonObject) => bytes(getPath(scenario, "run.mtu"), MTU) ?? MTU;

/** The chosen buffer in bytes; undefined when it makes no sense. */
export const bufferBytes = (scenario: JsonObject) => bytes(getPath(scenario, BUFFER), mtuOf(scenario));

/** Reads a range or a list, which may also come as one; null when it is anything else. */
export function parseSweep(written: Json | undefined, scenario: JsonObject): Sweep | null {
  const text = Array.isArray(written)
    ? written.map((size) => (isObject(size) || Array.isArray(size) ? "" : String(size))).join(",")
    : written;
  if (typeof text !== "string") return null;
  const [from, to, scale] = text.split(":");
  const count = /^log(\d+)$/.exec(scale ?? "");
  const sizes = (scale === undefined ? text.split(",") : [from, to]).map((size) => bytes(size, mtuOf(scenario)));
  const known = sizes.filter((size) => size !== undefined && size > 0) as number[];
  if (known.length < Math.max(sizes.length, 2) || (scale !== undefined && count === null)) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const points = count === null ? known.length : Number(count[1]);
  if (points < 2 || low === high || (count !== null && known[0] !== low)) return null;
  return { low, high, points, ...(count === null ? { list: text } : {}) };
}

/** The sweep at a number of points; a list stands as it is while it has as many. */
export function formatSweep({ low, high, points, list }: Sweep, count = points): string {
  if (list !== undefined && count === points) return list;
  const text = (value: number) => fieldText(value, "B").replace(" ", "");
  return `${text(low)}:${text(high)}:log${count}`;
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
