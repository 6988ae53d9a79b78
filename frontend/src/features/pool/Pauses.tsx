import classes from "./pool.module.css";
import type { Schema } from "@/contract";
import { significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

type Answer = Schema<"PausesDocument">;

/** How likely the shared headroom pool is exceeded, for independent and correlated pauses. */
export function Pauses({ pauses }: { pauses: Answer }) {
  const { cases, target, pool, ratio, priority_groups: groups, at_once: atOnce } = pauses;
  const worst = Math.max(...cases.map(({ exceeded }) => exceeded));
  return (
    <>
      <p className={classes.verdict} data-feasible={worst <= target}>
        <b>
          {atOnce === groups
            ? "Every group has its own headroom."
            : `${atOnce} of ${groups} groups can use their headroom at once.`}
        </b>{" "}
        {formatQuantity(pool, "B")} of headroom
        {ratio !== null && ratio > 1.005 && `, ${significant(ratio, 3)} times over-subscribed`}; overflow probability at
        most {significant(worst, 2)} (target {significant(target, 2)}).
      </p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Pauses</th>
            <th scope="col">overflow probability</th>
            <th scope="col">smallest pool for {significant(target, 1)}</th>
            <th scope="col">ratio</th>
          </tr>
        </thead>
        <tbody>
          {cases.map(({ correlation, exceeded, smallest }) => (
            <tr key={correlation}>
              <th scope="row">{correlation === 0 ? "independent" : `correlated, ρ = ${correlation}`}</th>
              <td data-bad={exceeded > target}>{significant(exceeded, 2)}</td>
              <td>{formatQuantity(smallest.bytes, "B")}</td>
              <td>{smallest.ratio === null ? "" : significant(smallest.ratio, 3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
