/** The range of buffer sizes that a scenario asks for: its product, its rules of thumb and the chosen buffer. */
import type { Sweep } from "@/lib/sweep";

/** Sizes worth seeing [B]; absent where the scenario has none. */
export type Landmarks = {
  /** Bandwidth-delay product. */
  product?: number | undefined;
  /** Long-lived flows, by whose root the product may be divided. */
  flows?: number | undefined;
  /** Rules of thumb that hold for the scenario. */
  rules: number[];
  /** The chosen buffer. */
  buffer?: number | undefined;
  /** A full packet, the smallest buffer shown. */
  packet?: number | undefined;
  /** What headroom and reserved memory take, below which no buffer can be tried. */
  kept?: number | undefined;
};

/** Room below the smallest and above the greatest landmark, and the decades that are always shown. */
const BELOW = 5;
const ABOVE = 2;
const LEAST = 100;
const MOST = 1e5;
/** Least shared memory that is tried beside what is kept, and the largest memory, both as parts of what is kept. */
const SHARED = 0.1;
const ROOMY = 10;
const STEPS = [1, 2, 2.5, 5, 10];

function nice(value: number, up: boolean): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  const share = value / power;
  const step = up ? STEPS.find((size) => size >= share * 0.999) : STEPS.findLast((size) => size <= share * 1.001);
  return Number(((step ?? 1) * power).toPrecision(3));
}

/** The range that shows every landmark; undefined when there is none. */
export function rangeOf(
  { product, flows, rules, buffer, packet = 0, kept = 0 }: Landmarks,
  points: number,
): Sweep | undefined {
  if (kept > 0) {
    const low = kept * (1 + SHARED) + packet;
    return { low: nice(low * 1.1, true), high: nice(Math.max(kept * ROOMY, (buffer ?? 0) * ABOVE), true), points };
  }
  const divided = product === undefined || flows === undefined ? [] : [product / Math.sqrt(flows)];
  const known = [...(product === undefined ? [] : [product]), ...divided, ...rules].filter((size) => size > 0);
  // The buffer is changed often: it moves the range only where it would leave it.
  const marks = known.length > 0 || buffer === undefined ? known : [buffer];
  if (marks.length === 0) return undefined;
  const top = Math.max(...marks) * ABOVE;
  const bottom = Math.max(Math.min(Math.min(...marks) / BELOW, top / LEAST), top / MOST, packet);
  const low = buffer !== undefined && buffer < bottom ? buffer / ABOVE : bottom;
  const high = buffer !== undefined && buffer > top ? buffer * ABOVE : top;
  return { low: Math.max(nice(low, false), packet), high: nice(Math.max(high, low * LEAST), true), points };
}

/** Whether a range shows the product and the chosen buffer, with sizes below the product. */
export function shows({ low, high }: Sweep, { product, buffer, kept }: Landmarks): boolean {
  if (kept !== undefined) return low > kept;
  const inside = (size: number) => size >= low * 0.999 && size <= high * 1.001;
  return (product === undefined || (inside(product) && product >= 3 * low)) && (buffer === undefined || inside(buffer));
}

export type Outside = { name: string; value: number };

/** What lies outside the range, the farthest first. */
export function outside({ low, high }: Sweep, named: Outside[]): Outside[] {
  const off = ({ value }: Outside) => Math.max(value / high, low / value);
  return named.filter((one) => off(one) > 1.05).sort((a, b) => off(b) - off(a));
}

/** The range with one more size in it. */
export function widened(sweep: Sweep, size: number): Sweep {
  const { low, high, points } = sweep;
  // A sweep is written with three digits, which must not cut off the size it is widened to.
  const round = (value: number, up: boolean) => {
    const unit = 10 ** (Math.floor(Math.log10(value)) - 2);
    return Number(((up ? Math.ceil(value / unit - 1e-9) : Math.floor(value / unit + 1e-9)) * unit).toPrecision(3));
  };
  return { low: size < low ? round(size, false) : low, high: size > high ? round(size, true) : high, points };
}
