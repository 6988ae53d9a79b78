import type { ReactNode } from "react";

import classes from "./derivation.module.css";
import type { Explanation } from "@/lib/points";
import { FormulaLine } from "./Formula";
import { Typeset } from "@/form/Typeset";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";
import { plainText } from "@/lib/problems";

/** One number that can be checked by hand: the formula, what was put in, who says so and where it holds. */
export function Derivation({ explanation, children }: { explanation: Explanation; children?: ReactNode }) {
  const { title, value, unit, formula, terms, source, holds, valid } = explanation;
  return (
    <article aria-label={title}>
      {children}
      <p className={classes.value}>{formatQuantity(value, unit)}</p>
      <FormulaLine text={formula} />
      {terms.length > 0 && (
        <table className={classes.terms}>
          <caption className="visually-hidden">Inputs</caption>
          <tbody>
            {terms.map((term) => (
              <tr key={term.symbol}>
                <th scope="row">
                  <Typeset symbol={term.symbol} />
                </th>
                <td>{plainText(term.meaning)}</td>
                <td>
                  {/^(L_)?(MTU|MSS)$/.test(term.symbol)
                    ? exactBytes(term.value)
                    : formatQuantity(term.value, term.unit)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3 className={classes.part}>Source</h3>
      <p className={classes.text}>{plainText(source)}</p>
      <h3 className={classes.part}>Where it holds</h3>
      <p className={classes.text}>{plainText(holds)}</p>
      {!valid && (
        <p className={classes.warning} role="note">
          These inputs are outside that range. Use the value as a rough guide only.
        </p>
      )}
    </article>
  );
}
