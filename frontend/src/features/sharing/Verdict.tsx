import classes from "./sharing.module.css";

/** Whether the burst was absorbed; the sign is clear without the colour. */
export function Verdict({ lossless }: { lossless: boolean }) {
  return (
    <span className={classes.verdict} data-lossless={lossless}>
      {lossless ? "✓ no loss" : "✕ loses"}
    </span>
  );
}
