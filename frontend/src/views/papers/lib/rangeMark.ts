/** Published, accepted and ours on one line, to scale. */
import type { Judged } from "./papers";

export type RangeMark = {
  /** Decades rather than differences. */
  log: boolean;
  /** Places from 0 to 1. An open end of what is accepted reaches to the border. */
  accepted?: [number, number];
  published?: number;
  interval?: [number, number];
  ours: number;
};

/** Ratio above which the line is logarithmic. */
const DECADES = 20;
const ROOM = 0.07;

/** Positions of all marks; undefined where ours is not a single number or has nothing to compare with. */
export function rangeMark({ accepted, published, ours, interval }: Judged): RangeMark | undefined {
  if (typeof ours !== "number") return undefined;
  const printed = typeof published === "number" ? published : undefined;
  const ends = (accepted ?? []).filter((end) => end !== null);
  const all = [ours, ...(interval ?? []), ...ends, ...(printed === undefined ? [] : [printed])];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  if (all.length < 2 || low === high) return undefined;
  const log = low > 0 && high / low > DECADES;
  const of = (value: number) => (log ? Math.log10(value) : value);
  const place = (value: number) => ROOM + ((1 - 2 * ROOM) * (of(value) - of(low))) / (of(high) - of(low));
  const [from = null, to = null] = accepted ?? [];
  return {
    log,
    ours: place(ours),
    ...(accepted === null
      ? {}
      : { accepted: [from === null ? 0 : place(from), to === null ? 1 : place(to)] as [number, number] }),
    ...(printed === undefined ? {} : { published: place(printed) }),
    ...(interval === null ? {} : { interval: [place(interval[0]), place(interval[1])] as [number, number] }),
  };
}
