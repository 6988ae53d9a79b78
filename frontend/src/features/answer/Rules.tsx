import classes from "./answer.module.css";
import { compare } from "@/lib/fraction";
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import type { Rule } from "@/lib/rules";

type Props = {
  rules: Rule[];
  reference: { engine: string; buffer?: number | undefined } | undefined;
  /** Ratio of the buffer to the part that the congested queue may hold. */
  whole?: number;
  onExplain: (name: string) => void;
  onChoose: (buffer: number) => void;
};

/** What the rules of thumb say, beside the answer; each opens its derivation. */
export function Rules({ rules, reference, whole = 1, onExplain }: Props) {
  if (rules.length === 0) return null;
  const needed = reference?.buffer;
  return (
    <section aria-label="Rules of thumb">
      <h2 className={classes.title}>Rules of thumb</h2>
      {whole > 1.001 && (
        <p className={classes.why}>
          Rules size the queue. Sharing leaves it 1/{significant(whole)} of the buffer, so the buffer must be{" "}
          {significant(whole)} times as large.
        </p>
      )}
      <table className={classes.rules}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Size</th>
            {needed !== undefined && <th scope="col">Against {reference?.engine}</th>}
          </tr>
        </thead>
        <tbody>
          {rules.map(({ explanation: { name, title, value, valid, holds } }) => (
            <tr key={name} data-valid={valid}>
              <th scope="row">
                <button
                  type="button"
                  className={classes.rule}
                  title={valid ? "Where it comes from" : holds}
                  onClick={() => {
                    onExplain(name);
                  }}
                >
                  {title}
                </button>
                {!valid && <span className={classes.holds}>Does not apply: {unmet(holds)}</span>}
              </th>
              <td>{formatQuantity(value, "B")}</td>
              {needed !== undefined && <td>{compare(value * whole, needed)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Why a rule does not hold here; where that is not said apart, what it holds for. */
const unmet = (holds: string) =>
  holds.split(/Not here: /)[1] ?? `it holds for ${holds.charAt(0).toLowerCase()}${holds.slice(1)}`;
