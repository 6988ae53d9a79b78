import classes from "./answer.module.css";
import { compare } from "@/lib/fraction";
import type { Answer } from "@/lib/objectives";
import { formatQuantity } from "@/lib/quantity";
import type { Rule } from "@/lib/rules";

type Props = { rules: Rule[]; reference: Answer | undefined; onExplain: (name: string) => void; onChoose: (buffer: number) => void };

/** What the rules of thumb say, beside the answer; each opens its derivation. */
export function Rules({ rules, reference, onExplain }: Props) {
  if (rules.length === 0) return null;
  const needed = reference?.buffer;
  return (
    <section aria-label="Rules of thumb">
      <h2 className={classes.title}>Rules of thumb</h2>
      <table className={classes.rules}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Says</th>
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
                  {!valid && <span className={classes.out}>out of range</span>}
                </button>
              </th>
              <td>{formatQuantity(value, "B")}</td>
              {needed !== undefined && <td>{compare(value, needed)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
