/** Ticks of axes with labels a person reads, and the ranges the axes span. */
import type { Sample } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";

export type Ticks = { values: number[]; labels: string[] };

/** Decades, with 2 and 5 in between where there is room; labels by `show`, at most about `most` of them. */
export function logTicks(low: number, high: number, show: (value: number) => string, most = 9): Ticks {
  const decades = Math.log10(high / low);
  const steps = decades * 3 <= most ? [1, 2, 5] : decades * 2 <= most ? [1, 3] : [1];
  const stride = Math.max(1, Math.ceil((decades * steps.length) / most));
  const values: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    if (stride > 1 && power % stride !== 0) continue;
    for (const factor of steps) {
      const value = factor * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) values.push(value);
    }
  }
  return { values, labels: values.map(show) };
}

/** Round steps of a linear axis, at most about `most` of them, labels with as many digits as tell them apart. */
export function quantityTicks(low: number, high: number, unit: string, most: number): Ticks {
  const raw = (high - low) / most;
  if (!(raw > 0)) return { values: [low], labels: [formatQuantity(low, unit)] };
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw;
  const first = Math.ceil(low / step - 1e-9);
  const values = Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, k) =>
    Number(((first + k) * step).toPrecision(12)),
  );
  // What is counted or a share has no prefix: all ticks get the step's decimals.
  if (unit === "1") {
    const decimals = Math.max(
      0,
      -Math.floor(Math.log10(Math.round(step / power) === step / power ? power : power / 10) + 1e-9),
    );
    return { values, labels: values.map((value) => value.toFixed(decimals)) };
  }
  // As many digits as write every tick exactly: steps of 25 need one more than steps of 20.
  const largest = Math.max(...values.map(Math.abs), step);
  const last = Math.round(step / power) === step / power ? power : power / 10;
  const digits = Math.max(2, Math.floor(Math.log10(largest)) - Math.round(Math.log10(last)) + 1);
  return { values, labels: values.map((value) => formatQuantity(value, unit, digits)) };
}

/** Range of a logarithmic axis over positive values, at most `decades` deep. */
export function logRange(values: number[], decades = 6): [number, number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1e-6, 1];
  const highest = Math.max(...positive);
  const lowest = Math.max(Math.min(...positive), highest * 10 ** -decades);
  const pad = Math.max(0.06 * Math.log10(highest / lowest), 0.08);
  return [lowest / 10 ** pad, highest * 10 ** pad];
}

/** Range of a linear axis; a fraction never goes far above 1. */
export function linearRange(values: number[], fraction: boolean): [number, number] {
  if (values.length === 0) return [0, 1];
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // A fraction that hardly changes must not look as if it did.
  const pad = Math.max(
    (highest - lowest) * 0.08,
    Math.abs(highest) * 0.002,
    fraction ? 0.05 - (highest - lowest) / 2 : 0,
    1e-12,
  );
  return [
    Math.max(lowest - pad, Math.min(lowest, 0)),
    fraction ? Math.min(highest + pad, 1 + Math.min(pad, 0.02) / 2) : highest + pad,
  ];
}

/** Every value a set of samples occupies, interval ends included. */
export function extent(samples: Sample[]): number[] {
  return samples.flatMap(({ y, low, high }) => [
    y,
    ...(low === undefined ? [] : [low]),
    ...(high === undefined ? [] : [high]),
  ]);
}
