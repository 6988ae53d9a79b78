import classes from "./results.module.css";
import { formatQuantity } from "@/lib/quantity";
import { outside, widened, type Outside } from "@/lib/range";
import type { Sweep } from "@/lib/sweep";

type Props = { sweep: Sweep; sizes: Outside[]; onWiden: (sweep: Sweep) => void };

/** Names the sizes that the range leaves out, and offers to widen it; nothing while it shows them all. */
export function OutOfRange({ sweep, sizes, onWiden }: Props) {
  const missing = outside(sweep, sizes);
  const [farthest] = missing;
  if (farthest === undefined) return null;
  const names = missing
    .map(({ name, value }) => `${name} (${formatQuantity(value, "B")})`)
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  const every = missing.reduce((range, { value }) => widened(range, value), sweep);
  return (
    <div className={classes.status} role="status">
      <span>
        {names.charAt(0).toUpperCase() + names.slice(1)} {missing.length > 1 ? "lie" : "lies"} outside the range.
      </span>
      <button
        type="button"
        className={classes.widen}
        onClick={() => {
          onWiden(every);
        }}
      >
        Widen to {formatQuantity(farthest.value, "B")}
      </button>
    </div>
  );
}
