import classes from "./sharing.module.css";

/** Whether the burst came through; the sign tells without the colour. */
export function Verdict({ lossless }: { lossless: boolean }) {
  return (
    <span className={classes.verdict} data-lossless={lossless}>
      {lossless ? "✓ no loss" : "✕ loses"}
    </span>
  );
}
