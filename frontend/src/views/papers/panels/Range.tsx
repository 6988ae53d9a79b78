import classes from "./range.module.css";
import { rangeMark } from "@/views/papers/lib/rangeMark";
import type { Judged } from "@/views/papers/lib/papers";

const WIDTH = 150;

/**
 * What is accepted (a band), what was published (a tick) and ours with its interval, to scale; the numbers stand
 * beside it.
 */
export function Range({ judged }: { judged: Judged }) {
  const mark = rangeMark(judged);
  if (mark === undefined) return null;
  const at = (place: number) => place * WIDTH;
  return (
    <svg
      className={classes.range}
      data-verdict={judged.verdict}
      width={WIDTH}
      height="18"
      viewBox={`0 0 ${WIDTH} 18`}
      aria-hidden="true"
    >
      {mark.accepted !== undefined && (
        <rect
          x={at(mark.accepted[0])}
          width={Math.max(1.5, at(mark.accepted[1] - mark.accepted[0]))}
          y="2"
          height="14"
          className={classes.band}
        />
      )}
      <line x1="0" x2={WIDTH} y1="9" y2="9" className={classes.base} />
      {mark.published !== undefined && (
        <line x1={at(mark.published)} x2={at(mark.published)} y1="1" y2="17" className={classes.tick} />
      )}
      {mark.interval !== undefined && (
        <line x1={at(mark.interval[0])} x2={at(mark.interval[1])} y1="9" y2="9" className={classes.interval} />
      )}
      <circle cx={at(mark.ours)} cy="9" r="3.6" className={classes.ours} />
    </svg>
  );
}

/** What the signs of the lines mean. */
export function RangeLegend() {
  return (
    <p className={classes.key} aria-hidden="true">
      <svg width="16" height="14" viewBox="0 0 16 14">
        <rect width="16" height="14" className={classes.band} />
      </svg>{" "}
      accepted
      <svg width="5" height="14" viewBox="0 0 5 14">
        <line x1="2.5" x2="2.5" y1="0" y2="14" className={classes.tick} />
      </svg>{" "}
      published
      <svg className={classes.range} width="26" height="14" viewBox="0 0 26 14">
        <line x1="1" x2="25" y1="7" y2="7" className={classes.interval} />
        <circle cx="13" cy="7" r="3.6" className={classes.ours} />
      </svg>{" "}
      ours, 95 %
    </p>
  );
}
