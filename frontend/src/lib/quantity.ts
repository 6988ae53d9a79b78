/** Quantities as people write them, by the rules the models apply: SI base units inside, B is bytes, b is bits. */
import { percent, significant } from "@/lib/number";

export type Unit = "bit/s" | "B" | "s" | "m" | "packet" | "1";

type Dimension = { name: string; units: Record<string, number>; examples: string };

const decimal: Record<string, number> = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const binary: Record<string, number> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

function prefixed(prefixes: Record<string, number>, ...units: string[]): Record<string, number> {
  return Object.fromEntries(
    units.flatMap((unit) => Object.entries(prefixes).map(([prefix, factor]) => [prefix + unit, factor])),
  );
}

const barePrefixes = Object.fromEntries(Object.entries(decimal).filter(([prefix]) => prefix !== ""));

const dimensions: Record<Exclude<Unit, "1">, Dimension> = {
  "bit/s": {
    name: "rate",
    units: { ...prefixed(decimal, "b/s", "bit/s", "bps"), ...barePrefixes },
    examples: "100 Gb/s or 100G",
  },
  B: { name: "size", units: prefixed({ ...decimal, ...binary }, "B"), examples: "12 MB or 64 KiB" },
  s: {
    name: "time",
    units: { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9, ps: 1e-12, min: 60, h: 3600 },
    examples: "80 µs or 20 ms",
  },
  m: { name: "length", units: { m: 1, km: 1e3, cm: 1e-2 }, examples: "300 m or 2 km" },
  packet: { name: "packets", units: { packet: 1, packets: 1, pkt: 1, pkts: 1 }, examples: "250 packets" },
};

const pattern = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/;

export type Parsed = { value: number; unit: Unit } | { error: string };

/** Reads text as a quantity of `unit`. A size may also be written in packets, which only the MTU turns into bytes. */
export function parseQuantity(text: string, unit: Unit, { packets = false } = {}): Parsed {
  const match = pattern.exec(text);
  const number = Number(match?.[1]);
  const suffix = match?.[2] ?? "";
  if (match === null || !Number.isFinite(number)) return { error: wanted(unit, "this is not a number with a unit") };
  if (suffix === "") return { value: number, unit };
  if (unit === "1") return { error: "a plain number is expected here" };
  const factor = dimensions[unit].units[suffix];
  if (factor !== undefined) return { value: number * factor, unit };
  if (packets && dimensions.packet.units[suffix] !== undefined) return { value: number, unit: "packet" };
  return { error: wanted(unit, confusion(suffix)) };
}

/** How a quantity of this unit is written. */
export const examplesOf = (unit: Unit): string => (unit === "1" ? "0.5" : dimensions[unit].examples);

function confusion(suffix: string): string {
  if (/^[kMGT]?i?B(\/s|ps)$/.test(suffix)) return `“${suffix}” is bytes per second`;
  if (/^[kMGT]?i?(b|bit|bits)$/.test(suffix)) return `“${suffix}” is bits`;
  if (/^(KB|K|Kb\/s)$/.test(suffix)) return `write k for 1000 and Ki for 1024`;
  for (const other of Object.values(dimensions)) {
    if (other.units[suffix] !== undefined) return `“${suffix}” is a unit of ${other.name}`;
  }
  return `“${suffix}” is not a unit`;
}

function wanted(unit: Unit, why: string): string {
  return unit === "1" ? "a plain number is expected here" : `${why}; write ${dimensions[unit].examples}`;
}

const prefixesByUnit: Partial<Record<Unit, [number, string][]>> = {
  "bit/s": [
    [1e12, "Tb/s"],
    [1e9, "Gb/s"],
    [1e6, "Mb/s"],
    [1e3, "kb/s"],
    [1, "b/s"],
  ],
  B: [
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
    [1, "B"],
  ],
  s: [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
    [1e-9, "ns"],
    [1e-12, "ps"],
  ],
  m: [
    [1e3, "km"],
    [1, "m"],
    [1e-2, "cm"],
  ],
};

/** Number and unit, apart, for a value in SI base units. */
export function splitQuantity(value: number, unit: string, digits = 3): { number: string; unit: string } {
  const steps = prefixesByUnit[unit as Unit];
  if (steps === undefined) {
    // Counts are written in full.
    const counted = Number.isInteger(value) && Math.abs(value) < 1e6;
    return {
      number: counted ? String(value) : significant(value, digits),
      unit: unit === "1" ? "" : plural(unit, value),
    };
  }
  const size = Math.abs(Number(value.toPrecision(digits)));
  const last = steps[steps.length - 1] ?? [1, unit];
  const [factor, name] =
    value === 0 ? (steps.find(([step]) => step === 1) ?? last) : (steps.find(([step]) => size >= step) ?? last);
  return { number: significant(value / factor, digits), unit: name };
}

function plural(unit: string, value: number): string {
  return unit === "packet" && value !== 1 ? "packets" : unit;
}

/** A value in SI base units as a person writes it: "2.50 MB". */
export function formatQuantity(value: number, unit: string, digits = 3): string {
  const parts = splitQuantity(value, unit, digits);
  return parts.unit === "" ? parts.number : `${parts.number} ${parts.unit}`;
}

/**
 * A metric's value: fractions as percentages, the rest with its unit. Nothing seen in a run is no proof of nothing: a
 * zero is written as below `most`, the upper end of its interval.
 */
export function formatMetric(name: string, value: number, unit: string, most = 0): string {
  if (value === 0 && most > 0) return `< ${formatMetric(name, most, unit)}`;
  if (name === "utilisation" || name === "drop_rate") return percent(value);
  return formatQuantity(value, unit);
}

const binarySizes: [number, string][] = [
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
];

/** Text for an input field: exact, without the trailing zeros that three digits would add. */
export function fieldText(value: number, unit: string): string {
  const steps = prefixesByUnit[unit as Unit];
  if (steps === undefined) return String(value);
  if (unit === "B" && Number.isInteger(value) && value !== 0) {
    // Frames and cells are counted in bytes, memories often in powers of two.
    if (Math.abs(value) < 10_000 && value % 1000 !== 0) return `${value} B`;
    const binary = value % 1000 === 0 ? undefined : binarySizes.find(([factor]) => value % factor === 0);
    if (binary !== undefined) return `${value / binary[0]} ${binary[1]}`;
  }
  const fitting = steps.find(([factor]) => Math.abs(value) >= factor) ?? steps.find(([factor]) => factor === 1);
  const [factor, name] = value === 0 || fitting === undefined ? [1, unit === "bit/s" ? "b/s" : unit] : fitting;
  return `${Number((value / factor).toPrecision(12))} ${name}`;
}

/** Seconds that a field of a scenario holds, as a number or with a unit. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const parsed = typeof value === "string" ? parseQuantity(value, "s") : undefined;
  return parsed === undefined || "error" in parsed ? undefined : parsed.value;
}
