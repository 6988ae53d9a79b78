import classes from "./chip.module.css";
import { verdictWords, type Verdict } from "@/views/papers/lib/papers";

/** A verdict as a chip; its sign and its words tell without the colour. */
export function VerdictChip({ verdict }: { verdict: Verdict | undefined }) {
  return (
    <span className={classes.chip} data-verdict={verdict ?? "none"}>
      {verdict === undefined ? "○ not run" : verdictWords[verdict]}
    </span>
  );
}
