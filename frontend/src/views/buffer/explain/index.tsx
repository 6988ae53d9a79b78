import { useMemo } from "react";

import classes from "./explain.module.css";
import type { Explanation, Result } from "@/lib/points";
import { EngineMark } from "@/plot/EngineMark";
import { Derivation } from "@/ui/Derivation";

type Props = { results: Result[]; engines: string[]; about: string | undefined; onAbout: (key: string) => void };

type Entry = { key: string; engine: string; explanation: Explanation };

/** How a number came about at the chosen size: the formula, what was put in, who says so and where it holds. */
export function ExplainPanel({ results, engines, about, onAbout }: Props) {
  const entries = useMemo(
    () =>
      results
        .filter(({ engine }) => engines.includes(engine))
        .flatMap(({ engine, explanations }) =>
          explanations.map((explanation): Entry => ({ key: `${engine}:${explanation.name}`, engine, explanation })),
        ),
    [results, engines],
  );
  const shown = entries.find(({ key, explanation }) => key === about || explanation.name === about) ?? entries[0];
  if (shown === undefined)
    return (
      <p className={classes.empty}>
        No formula covers this scenario. Packet results are measured, not computed by a formula.
      </p>
    );
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
      <Derivation explanation={shown.explanation}>
        <h2 className="visually-hidden">{shown.explanation.title}</h2>
        <p className={classes.engine}>
          <EngineMark engine={shown.engine} /> {shown.engine}
        </p>
      </Derivation>
    </div>
  );
}
