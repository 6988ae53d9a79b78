import { Drawing } from "./Drawing";
import classes from "./fabric.module.css";
import {
  className,
  headroomCsv,
  headroomShares,
  headroomWords,
  lossWords,
  portName,
  type PriorityGroup,
  type SwitchHeadroom,
} from "@/lib/fabric";
import { formatQuantity } from "@/lib/quantity";

const [WIDTH, ROW, NAME, VALUE] = [720, 24, 150, 210];
/** Switches and groups shown; the fullest come first. */
const MOST = 16;

type Props = { switches: readonly SwitchHeadroom[]; groups: readonly PriorityGroup[] };

/** Headroom used against reserved: by switch, as a distribution over groups, and by group. */
export function Headroom({ switches, groups: all }: Props) {
  const rows = switches.toSorted((a, b) => b.most - a.most).slice(0, MOST);
  const full = Math.max(...rows.map(({ reserved, most }) => Math.max(reserved, most)), 1);
  const shares = headroomShares(switches);
  const groups = switches.reduce((sum, one) => sum + one.groups, 0);
  const used = switches.flatMap((one) => one.used).toSorted((a, b) => b.most - a.most);
  const size = WIDTH - NAME - VALUE;
  const lost = lossWords(all);
  const one = rows[0] !== undefined && rows.every(({ pooled }) => pooled) ? "pool" : "headroom";
  return (
    <Drawing name="headroom" title="Headroom used and reserved" csv={() => headroomCsv(switches)}>
      {lost !== undefined && (
        <p className={classes.locked} role="status">
          {lost}
        </p>
      )}
      <p className={classes.text}>{headroomWords(switches)}</p>
      <div className={classes.wide} tabIndex={0} role="group" aria-label="Headroom by switch">
        <svg data-figure viewBox={`0 0 ${WIDTH} ${rows.length * ROW + 6}`} className={classes.bars} aria-hidden="true">
          {rows.map(({ switch: name, reserved, most }, i) => (
            <g key={name} transform={`translate(0 ${i * ROW + 4})`}>
              <text x={NAME - 8} y={14} textAnchor="end">
                {name}
              </text>
              <rect x={NAME} width={(size * reserved) / full} height={18} className={classes.reserved} />
              <rect
                x={NAME}
                y={4}
                width={Math.max(most > 0 ? 1.5 : 0, (size * most) / full)}
                height={10}
                className={classes.used}
              />
              <text x={NAME + size + 8} y={14}>
                {formatQuantity(most, "B")} of {formatQuantity(reserved, "B")}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <div className={classes.pair}>
        <table className={classes.table}>
          <caption>
            {groups} {groups === 1 ? "group" : "groups"} by peak use of their {one}
          </caption>
          <tbody>
            {shares
              .filter(({ count }) => count > 0)
              .map(({ label, count }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{count}</td>
                  <td className={classes.spark} aria-hidden="true">
                    <span style={{ width: `${(100 * count) / groups}%` }} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
        {used.length > 0 && (
          <details className={classes.details}>
            <summary>By port and class</summary>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">Ingress</th>
                  <th scope="col">used</th>
                  <th scope="col">reserved</th>
                </tr>
              </thead>
              <tbody>
                {used.slice(0, MOST).map((group) => (
                  <tr key={`${group.port} ${group.class}`}>
                    <th scope="row">
                      {portName(group.port)}, {className(group.class)}
                    </th>
                    <td>{formatQuantity(group.most, "B")}</td>
                    <td>{formatQuantity(group.reserved, "B")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {used.length > MOST && <p className={classes.text}>and {used.length - MOST} more, in the CSV</p>}
          </details>
        )}
      </div>
    </Drawing>
  );
}
