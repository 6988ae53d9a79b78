import { useMemo } from "react";

import classes from "./explain.module.css";
import type { Explanation, Result } from "@/lib/points";
import { formatQuantity } from "@/lib/quantity";
import { EngineMark } from "@/plot/EngineMark";

type Props = { results: Result[]; engines: string[]; about: string | undefined; onAbout: (key: string) => void };

type Entry = { key: string; engine: string; explanation: Explanation };

/** How a number came about at the chosen size: the formula, what was put in, who says so and where it holds. */
export function ExplainPanel({ results, engines, about, onAbout }: Props) {
  const entries = useMemo(
    () =>
      results
        .filter(({ engine }) => engines.includes(engine))
        .flatMap(({ engine, explanations }) => explanations.map((explanation): Entry => ({ key: `${engine}:${explanation.name}`, engine, explanation }))),
    [results, engines],
  );
  const shown = entries.find(({ key, explanation }) => key === about || explanation.name === about) ?? entries[0];
  if (shown === undefined) return <p className={classes.empty}>No engine explains this scenario. Packet results are counted, not computed by a formula.</p>;
  return (
    <div className={classes.panel}>
      <label className={classes.pick}>
        Where does this come from?
        <select
          value={shown.key}
          onChange={(event) => {
            onAbout(event.currentTarget.value);
          }}
        >
          {[...new Set(entries.map(({ engine }) => engine))].map((engine) => (
            <optgroup key={engine} label={engine}>
              {entries
                .filter((entry) => entry.engine === engine)
                .map(({ key, explanation }) => (
                  <option key={key} value={key}>
                    {explanation.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <Derivation entry={shown} />
    </div>
  );
}

function Derivation({ entry: { engine, explanation } }: { entry: Entry }) {
  const { title, value, unit, formula, terms, source, holds, valid } = explanation;
  return (
    <article aria-label={title}>
      <p className={classes.engine}>
        <EngineMark engine={engine} /> {engine}
      </p>
      <p className={classes.value}>{formatQuantity(value, unit)}</p>
      <p className={classes.formula}>{formula}</p>
      {terms.length > 0 && (
        <table className={classes.terms}>
          <caption className="visually-hidden">The numbers put in</caption>
          <tbody>
            {terms.map((term) => (
              <tr key={term.symbol}>
                <th scope="row">{term.symbol}</th>
                <td>{term.meaning}</td>
                <td>{formatQuantity(term.value, term.unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3 className={classes.part}>Source</h3>
      <p className={classes.text}>{source}</p>
      <h3 className={classes.part}>Where it holds</h3>
      <p className={classes.text}>{holds}</p>
      {!valid && (
        <p className={classes.warning} role="note">
          The numbers put in lie outside that range. Take the value as a landmark, not as an answer.
        </p>
      )}
    </article>
  );
}
