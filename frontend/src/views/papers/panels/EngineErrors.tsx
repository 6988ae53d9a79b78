import { useQuery } from "@tanstack/react-query";

import classes from "./list.module.css";
import { Fold } from "@/form/Fold";
import { errorWords } from "@/lib/expected";
import { titleOf } from "@/lib/metrics";
import { engineErrorsQuery } from "@/views/papers/api";

/** How far each engine is from packets over the grid that was measured before the release. */
export function EngineErrors() {
  const { data } = useQuery(engineErrorsQuery);
  if (data === undefined) return null;
  return (
    <Fold title="Engines against packets" level={2}>
      <p>
        Median and worst error over {data.cases} scenarios, where the engine reports a valid result; measured on{" "}
        {data.date}. To repeat: <code>{data.command}</code>
      </p>
      <div className={classes.scroll} tabIndex={0} role="group" aria-label="Errors of the engines">
        <table className={classes.errors}>
          <thead>
            <tr>
              {["Control", "Engine", "Quantity", "Median", "Worst", "Valid"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.errors.map(({ control, engine, quantity, unit, median, worst, valid, of }) => (
              <tr key={`${control} ${engine} ${quantity}`}>
                <td>{control}</td>
                <td>{engine}</td>
                <td>{titleOf(quantity)}</td>
                <td>{median === null ? "–" : errorWords(unit, median)}</td>
                <td>{worst === null ? "–" : errorWords(unit, worst)}</td>
                <td>
                  {valid} of {of}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Fold>
  );
}
