/** Numbers that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  below(most: number): number {
    return Math.floor(this.#next() * most);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  one<T>(items: readonly T[]): T {
    const chosen = items[this.below(items.length)];
    if (chosen === undefined) throw new Error("nothing to draw from");
    return chosen;
  }

  /**
   * What a person, or a hostile one, may type over `shown`: mostly valid, at times at a boundary or no number at all.
   */
  text(shown: string): string {
    const [, number = "", unit = ""] = /^\s*([-+\d.,eE]*)\s*(.*)$/.exec(shown) ?? [];
    const value = Number(number.replaceAll(",", ""));
    if (number !== "" && Number.isFinite(value) && this.chance(0.7)) {
      const factor = this.one([0.1, 0.25, 0.5, 0.9, 1, 1.5, 2, 3, 10]);
      const scaled = Number.isInteger(value) && unit === "" ? Math.max(1, Math.round(value * factor)) : value * factor;
      const text = String(Number(scaled.toPrecision(4)));
      return this.chance(0.3) ? text : `${text} ${unit}`.trim();
    }
    return this.one(ODD).replace("UNIT", unit);
  }
}

/** Boundaries, wrong units, empty and enormous values, and what is no number. */
const ODD = [
  "",
  " ",
  "0",
  "0 UNIT",
  "1",
  "-1",
  "-5 UNIT",
  "1e-30",
  "1e30 UNIT",
  "1e400",
  "999999999999",
  "NaN",
  "Infinity",
  "1,5",
  "1 000",
  "0x10",
  "50 %",
  "120 %",
  "0.5",
  "10 ms",
  "40 m",
  "100 Gb/s",
  "64 KiB",
  "1 MB",
  "10 kb",
  "3 packets",
  "abc",
  "<b>x</b>",
  "[1, 2]",
  "{}",
  "null",
  "🙂",
] as const;
