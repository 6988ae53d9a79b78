import classes from "./scenario.module.css";
import type { Derived } from "@/lib/derived";
import { grouped, significant } from "@/lib/number";
import { formatQuantity } from "@/lib/quantity";

/** Live read-outs below the form. */
export function Derivations({ derived }: { derived: Derived }) {
  const { bdp, mtu, drainTime, buffer } = derived;
  const entries: [string, string, string][] = [];
  if (bdp !== undefined) entries.push(["BDP", formatQuantity(bdp, "B"), mtu === undefined ? "" : `${grouped(bdp / mtu)} packets`]);
  if (buffer !== undefined) entries.push(["Buffer", formatQuantity(buffer, "B"), mtu === undefined ? "" : `${grouped(buffer / mtu)} packets`]);
  if (drainTime !== undefined) {
    entries.push(["Drain time", formatQuantity(drainTime, "s"), bdp === undefined || buffer === undefined ? "" : `${significant(buffer / bdp)} BDP`]);
  }
  return (
    <dl className={classes.derived} aria-label="What follows from the scenario">
      {entries.map(([name, value, also]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {also !== "" && <span>{also}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
