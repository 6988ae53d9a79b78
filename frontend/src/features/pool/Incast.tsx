import classes from "./pool.module.css";
import type { Schema } from "@/contract";
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

type Answer = Schema<"IncastDocument">;

/** Whether an incast is absorbed, by which alpha it would be, and what that leaves to the others. */
export function Incast({ incast }: { incast: Answer }) {
  const {
    absorbed,
    alpha,
    bytes,
    burst,
    smallest_alpha: smallest,
    dynamic_th: exponent,
    largest,
    best_alpha: best,
    queue,
    others,
    stored,
  } = incast;
  const lost = queue === "lossless" ? "pauses its senders" : "drops packets";
  return (
    <>
      <p className={classes.verdict} data-feasible={absorbed}>
        <b>{absorbed ? "Absorbed." : `It ${lost}.`}</b> {formatQuantity(bytes, "B")} arrive,{" "}
        {formatQuantity(stored, "B")} must be buffered at once; α = {significant(alpha, 3)} absorbs{" "}
        {burst === null ? "any burst" : formatQuantity(burst, "B")}.
      </p>
      <dl className={classes.facts}>
        <div>
          <dt>Smallest α that absorbs it</dt>
          <dd>
            {smallest === null
              ? `none; the best, ${significant(best, 3)}, absorbs ` +
                (largest === null ? "any burst" : formatQuantity(largest, "B"))
              : significant(smallest, 3)}
            {exponent !== null && (
              <small>
                dynamic_th {exponent}, α = {significant(2 ** exponent, 3)}
              </small>
            )}
          </dd>
        </div>
        {others.map((other) => (
          <div key={other.queue}>
            <dt>
              {other.congested} congested {other.queue} {other.congested === 1 ? "queue" : "queues"} then get
            </dt>
            <dd>
              {formatQuantity(other.left, "B")}{" "}
              <small>instead of {formatQuantity(other.before, "B")} before the burst</small>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
