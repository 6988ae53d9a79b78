import classes from "./transfer.module.css";
import type { Imported } from "@/views/headroom/api";
import { exactBytes } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

/** A summary of a configuration, and what is wrong with it. */
export function Findings({ imported }: { imported: Imported }) {
  const { feasible, totals, pools, profiles, ports, findings, unknown_tables: unknown, memory } = imported;
  const reason = typeof memory?.reason === "string" ? memory.reason : "";
  return (
    <div className={classes.findings}>
      <p className={classes.verdict} data-feasible={feasible ?? true} role="status">
        <b>{feasible === null ? "Read." : feasible ? "It fits the chip." : "It does not fit the chip."}</b>{" "}
        {ports.length} ports, {totals.groups} lossless groups, {formatQuantity(totals.headroom, "B")} of headroom
        {totals.over_subscribe_ratio !== null &&
          `, ${totals.over_subscribe_ratio.toPrecision(3)} times over-subscribed`}
        . {reason}
      </p>
      <table className={classes.table}>
        <caption>Pools</caption>
        <thead>
          <tr>
            <th scope="col">Pool</th>
            <th scope="col">side</th>
            <th scope="col">size</th>
            <th scope="col">headroom (xoff)</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(pools).map(([name, { side, size, xoff, includes_xoff: inside }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{side}</td>
              <td>{size === null ? "set by the switch" : exactBytes(size)}</td>
              <td>{xoff > 0 ? `${exactBytes(xoff)}${inside ? ", counted in the size" : ""}` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={classes.table}>
        <caption>Profiles</caption>
        <thead>
          <tr>
            <th scope="col">Profile</th>
            <th scope="col">set aside</th>
            <th scope="col">xoff</th>
            <th scope="col">α</th>
            <th scope="col">groups</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(profiles).map(([name, { size, headroom, alpha, priority_groups: groups }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{exactBytes(size)}</td>
              <td>{headroom > 0 ? exactBytes(headroom) : ""}</td>
              <td>{alpha ?? ""}</td>
              <td>{groups}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{findings.length === 0 ? "No problems found." : "Problems found"}</h3>
      <ul className={classes.warnings}>
        {findings.map(({ severity, path, message }, i) => (
          <li key={i} data-severity={severity}>
            <b>{severity}</b> <code>{path}</code> {message}
          </li>
        ))}
      </ul>
      {unknown.length > 0 && <p className={classes.unknown}>Not checked: {unknown.join(", ")}.</p>}
    </div>
  );
}
